import type { BundleManifest } from "../../../contracts/documents/bundle-manifest.ts";
import type { Job } from "../../../contracts/documents/job.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Policy } from "../../../contracts/documents/policy.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";
import { frameName } from "../../../contracts/frame-names.ts";
import type { Facts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

const manifestPath = (slot: Slot, field: string): string =>
  slotPath(slot, `bundle.zip#manifest.json/${field}`);

/** Check `agreement`: Blender, device, platform, containment and colour chunks fit the job and each other. */
export function checkAgreement({ job, slots }: Facts, policy: Policy): Finding[] {
  const [a, b] = [slots.a.bundle?.manifest?.value, slots.b.bundle?.manifest?.value];
  return [
    ...SLOTS.flatMap((slot) => {
      const manifest = slots[slot].bundle?.manifest?.value;
      if (manifest === undefined || job === null) return [];
      return [...pinned(slot, manifest, job.value), ...contained(slot, manifest, policy)];
    }),
    ...(a === undefined || b === undefined ? [] : together(a, b, policy)),
    ...colours(slots),
  ];
}

function pinned(slot: Slot, manifest: BundleManifest, job: Job): Finding[] {
  const { version, platform, executable_sha256 } = manifest.blender;
  const findings: Finding[] = [];
  if (version !== job.blender.version)
    findings.push(
      finding("JOIN_BLENDER_PIN", {
        slot,
        path: manifestPath(slot, "blender/version"),
        expected: job.blender.version,
        actual: version,
      }),
    );
  const pins = job.blender.executables.filter((pin) => pin.platform === platform);
  if (!pins.some((pin) => pin.sha256 === executable_sha256))
    findings.push(
      finding("JOIN_BLENDER_PIN", {
        slot,
        path: manifestPath(slot, "blender/executable_sha256"),
        expected: pins.map((pin) => pin.sha256).join(" or ") || `none for ${platform}`,
        actual: executable_sha256,
      }),
    );
  if (manifest.device.class !== job.render.device)
    findings.push(
      finding("JOIN_DEVICE_MISMATCH", {
        slot,
        path: manifestPath(slot, "device/class"),
        expected: job.render.device,
        actual: manifest.device.class,
      }),
    );
  return findings;
}

function contained(slot: Slot, { containment }: BundleManifest, policy: Policy): Finding[] {
  if (policy.allow_containment.includes(containment)) return [];
  return [
    finding("JOIN_CONTAINMENT_REFUSED", {
      slot,
      path: manifestPath(slot, "containment"),
      expected: policy.allow_containment.join(" or "),
      actual: containment,
    }),
  ];
}

function together(a: BundleManifest, b: BundleManifest, policy: Policy): Finding[] {
  const findings: Finding[] = [];
  const [blenderA, blenderB] = [a.blender, b.blender];
  const build = (blender: BundleManifest["blender"]): string => `${blender.version} ${blender.build_hash}`;
  if (build(blenderA) !== build(blenderB))
    findings.push(
      finding("JOIN_BLENDER_MISMATCH", {
        path: manifestPath("b", "blender"),
        expected: build(blenderA),
        actual: build(blenderB),
      }),
    );
  else if (
    blenderA.platform === blenderB.platform &&
    blenderA.executable_sha256 !== blenderB.executable_sha256
  )
    findings.push(
      finding("JOIN_BLENDER_MISMATCH", {
        path: manifestPath("b", "blender/executable_sha256"),
        expected: blenderA.executable_sha256,
        actual: blenderB.executable_sha256,
      }),
    );
  if (!policy.mixed_platforms && blenderA.platform !== blenderB.platform)
    findings.push(
      finding("JOIN_PLATFORM_MISMATCH", {
        path: manifestPath("b", "blender/platform"),
        expected: blenderA.platform,
        actual: blenderB.platform,
      }),
    );
  return findings;
}

/** Colour and size chunks lie outside the pixel digest, so they must be byte-equal over all frames. */
function colours(slots: Facts["slots"]): Finding[] {
  const frames = SLOTS.flatMap((slot) =>
    [...(slots[slot].bundle?.frames ?? [])].map(([frame, facts]) => ({ slot, frame, facts })),
  ).sort((left, right) => left.frame - right.frame);
  const expected = frames[0]?.facts.colourChunks;
  return frames
    .filter(({ facts }) => facts.colourChunks !== expected)
    .map(({ slot, frame, facts }) =>
      finding("JOIN_COLOUR_MISMATCH", {
        slot,
        frame,
        path: slotPath(slot, `bundle.zip#${frameName(frame)}`),
        expected: expected ?? null,
        actual: facts.colourChunks,
      }),
    );
}
