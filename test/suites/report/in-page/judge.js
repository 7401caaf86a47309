// Runs inside the page: what makes it hard to read or to use, as sentences; empty for a good one.
(() => {
  const all = [...document.querySelectorAll("body *")];
  return [...headings(), ...images(), ...references(), ...overflow(), ...contrasts()];

  function headings() {
    const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((one) => Number(one.tagName[1]));
    const skips = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    const one = levels[0] === 1 && levels.filter((level) => level === 1).length === 1;
    return [
      ...(one ? [] : ["not one h1, first"]),
      ...skips.map((level) => `a level before an h${level} is skipped`),
    ];
  }

  function images() {
    return [...document.images].flatMap((image) => [
      ...(image.alt === "" ? ["an image without a text"] : []),
      ...(image.complete && image.naturalWidth > 0 ? [] : [`${image.alt} is broken`]),
    ]);
  }

  function references() {
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    const named = [...document.querySelectorAll("[aria-labelledby]")].map((one) =>
      one.getAttribute("aria-labelledby"),
    );
    return [
      ...named.filter((id) => !ids.includes(id)).map((id) => `the label ${id} is missing`),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} is there twice`),
    ];
  }

  function overflow() {
    const wide = document.documentElement.scrollWidth > window.innerWidth;
    const unreachable = all.filter(
      (one) =>
        one.scrollWidth > one.clientWidth + 1 &&
        getComputedStyle(one).overflowX === "auto" &&
        one.tabIndex !== 0,
    );
    return [
      ...(wide ? ["it scrolls sideways"] : []),
      ...unreachable.map((one) => `a scrolling ${one.tagName} that no key reaches`),
    ];
  }

  /** WCAG 2.2, 1.4.3: text against what is painted behind it. */
  function contrasts() {
    const found = new Map();
    for (const one of all.filter((each) => hasText(each) && !each.classList.contains("skip"))) {
      const [ink, paper] = [luminance(rgba(getComputedStyle(one).color)), luminance(groundOf(one))];
      const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      if (contrast < 4.5) found.set(`${one.tagName}.${one.className}`, contrast.toFixed(2));
    }
    return [...found].map(([name, contrast]) => `the contrast of ${name} is ${contrast}`);
  }

  function hasText(one) {
    return [...one.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "",
    );
  }

  function groundOf(one) {
    for (let up = one; up !== null; up = up.parentElement) {
      const colour = rgba(getComputedStyle(up).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  }

  /** Computed colours are rgb(…) or rgba(…). */
  function rgba(colour) {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return [red, green, blue, alpha];
  }

  function luminance(colour) {
    const [red, green, blue] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
})();
