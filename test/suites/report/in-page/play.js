// Runs inside a page: plays an animated PNG with the browser's own decoder and gives back the pixels of each frame.
async (base64) => {
  const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/png" });
  await decoder.tracks.ready;
  await decoder.completed;
  const { animated, frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const frames = [];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
    const { image } = await decoder.decode({ frameIndex });
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    frames.push([...context.getImageData(0, 0, canvas.width, canvas.height).data]);
  }
  return { animated, repetitionCount: String(repetitionCount), frames };
};
