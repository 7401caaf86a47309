import { DECODE_CODES } from "./decode.ts";
import { permanent, reject, transient, undecided, warning } from "./entry.ts";

/** Findings of join beyond ZIP_ and PNG_, and its own errors. */
export const JOIN_CODES = {
  JOIN_JOB_INVALID: reject(
    "job",
    "The job does not follow its schema, its rules or the canonical form.",
    "Submit the job again.",
  ),
  JOIN_JOB_MISMATCH: reject(
    "slot",
    "A document of the slot names another job, slot or task.",
    "Check that the evidence was not mixed up.",
  ),
  JOIN_JOB_NOT_EXPECTED: reject(
    "job",
    "The job is not the one that the checker expected.",
    "Compare --expect-job with the job's digest.",
  ),
  JOIN_GATEWAY_NOT_EXPECTED: reject(
    "gateway",
    "The gateway is not the one that the checker expected.",
    "Compare --expect-gateway with the gateway's id.",
  ),
  JOIN_GATEWAY_MIXED: reject(
    "gateway",
    "Not every answer came from one gateway.",
    "Collect again from one gateway.",
  ),
  JOIN_WORKER_INVALID: reject(
    "slot",
    "A worker id is malformed or was never issued by the gateway.",
    "The slot must be rendered by a registered worker.",
  ),
  JOIN_WORKER_MISMATCH: reject(
    "slot",
    "Provenance, receipt, request and manifest do not name the same worker.",
    "The slot must be rendered again.",
  ),
  JOIN_WORKER_NOT_DISTINCT: reject(
    "both",
    "Both slots come from one worker or operator.",
    "Another worker must render one of the slots.",
  ),
  JOIN_WORKER_REVOKED: reject(
    "slot",
    "The result was accepted after the worker had been revoked.",
    "Another worker must render the slot.",
  ),
  JOIN_WORKER_REVOKED_SINCE: warning(
    "slot",
    "The worker was revoked after its result had been accepted.",
    "Find out why it was revoked before relying on the frames.",
  ),
  JOIN_PROVENANCE_INCOMPLETE: reject(
    "gateway",
    "The provenance lacks a field that must be there.",
    "Tell the gateway's operator.",
  ),
  JOIN_PROVENANCE_UNVERIFIED: reject(
    "gateway",
    "The provenance does not call the object verified, or its payload does not have the stated digest.",
    "Tell the gateway's operator.",
  ),
  JOIN_PROVENANCE_UNSTABLE: reject(
    "gateway",
    "The provenance changed between the two reads.",
    "Collect again; if it stays, tell the gateway's operator.",
  ),
  JOIN_PROVENANCE_SUPERSEDED: reject(
    "slot",
    "The result is not the newest version of its task.",
    "Collect again when the slot is done.",
  ),
  JOIN_PROVENANCE_MISMATCH: reject(
    "slot",
    "Provenance, task, receipt and result do not belong together.",
    "Tell the gateway's operator.",
  ),
  JOIN_TASK_NOT_DONE: reject(
    "slot",
    "The slot's task is not done.",
    "Wait until both slots are done, then collect again.",
  ),
  JOIN_FENCE_MISMATCH: reject(
    "slot",
    "Task, receipt, request and manifest do not carry the same fence.",
    "The slot must be rendered again.",
  ),
  JOIN_RECEIPT_INVALID: reject(
    "slot",
    "The receipt is malformed or not canonical.",
    "Tell the gateway's operator.",
  ),
  JOIN_RECEIPT_MISMATCH: reject(
    "slot",
    "The receipt's digests are not those of the request.",
    "Tell the gateway's operator.",
  ),
  JOIN_RECEIPT_LATE: reject(
    "slot",
    "The result was not created before its lease expired.",
    "Tell the gateway's operator.",
  ),
  JOIN_REQUEST_INVALID: reject("slot", "The accepted request is malformed.", "Tell the gateway's operator."),
  JOIN_TASK_INVALID: reject("slot", "The task record is malformed.", "Tell the gateway's operator."),
  JOIN_BUNDLE_DIGEST: reject(
    "slot",
    "The bundle does not have the digest of the accepted result.",
    "Collect again; if it stays, the slot must be rendered again.",
  ),
  JOIN_BUNDLE_SIZE: reject(
    "slot",
    "The bundle does not have the size of the accepted result, or is over the cap.",
    "Collect again; if it stays, the slot must be rendered again.",
  ),
  JOIN_MANIFEST_INVALID: reject(
    "slot",
    "The manifest is malformed, not canonical, or not the one of the accepted result.",
    "The slot must be rendered again.",
  ),
  JOIN_MANIFEST_MISMATCH: reject(
    "slot",
    "The manifest does not agree with the result or with the frames.",
    "The slot must be rendered again.",
  ),
  JOIN_FRAME_DIGEST: reject(
    "slot",
    "A frame does not have the digest, size or pixels that the manifest states.",
    "The slot must be rendered again.",
  ),
  JOIN_FRAME_TOO_LARGE: reject(
    "slot",
    "A frame is larger than the job's frame_bytes.",
    "Submit with a higher limit, or render the slot again.",
  ),
  JOIN_BLENDER_PIN: reject(
    "slot",
    "A slot was rendered with a Blender that the job does not allow.",
    "The slot must be rendered with the pinned Blender.",
  ),
  JOIN_BLENDER_MISMATCH: reject(
    "both",
    "The slots were rendered with different builds of Blender.",
    "Both slots need the same build.",
  ),
  JOIN_DEVICE_MISMATCH: reject(
    "both",
    "The slots were rendered on different device classes.",
    "Both slots need the same device class.",
  ),
  JOIN_PLATFORM_MISMATCH: reject(
    "both",
    "The slots were rendered on different platforms.",
    "Use one platform, or allow mixed_platforms in the policy.",
  ),
  JOIN_CONTAINMENT_REFUSED: reject(
    "slot",
    "The slot was rendered in a containment that the policy does not allow.",
    "The slot must be rendered in an allowed containment.",
  ),
  JOIN_COLOUR_MISMATCH: reject(
    "both",
    "The frames do not carry the same colour and size chunks.",
    "Both slots must be rendered with the same colour settings.",
  ),
  JOIN_SEQUENCE: reject(
    "both",
    "The frames do not form the whole range once, in order.",
    "The slots must be rendered again.",
  ),
  JOIN_CONTENT_CONSTANT: warning(
    "slot",
    "Every pixel of the frame has the same value.",
    "Look at the frame; render the slot again if there should be something in it.",
  ),
  JOIN_CONTENT_BLANK: warning(
    "slot",
    "The frame has no contrast that an eye could see.",
    "Look at the frame; render the slot again if there should be something in it.",
  ),
  JOIN_CONTENT_TRANSPARENT: warning(
    "slot",
    "Every pixel of the frame is fully transparent.",
    "Look at the frame; render the slot again if there should be something in it.",
  ),
  JOIN_CONTENT_MISSING_TEXTURE: warning(
    "slot",
    "Much of the frame has the pink that stands in for an image that is missing.",
    "Check that every texture of the scene was submitted, then render the slot again.",
  ),
  JOIN_CONTENT_DUPLICATE: warning(
    "slot",
    "The frame has the same pixels as the one before it, in a shot that moves elsewhere.",
    "Look at both frames; render the slot again if something should have moved.",
  ),
  JOIN_CONTENT_SEAM: warning(
    "both",
    "The picture jumps between the slots, by much more than it moves within them.",
    "Compare the frames on both sides of the seam; a cut in the shot is no fault.",
  ),
  JOIN_EVIDENCE_INVALID: reject(
    "none",
    "A file of the evidence is malformed or over its cap.",
    "Collect again.",
  ),
  JOIN_EVIDENCE_DIGEST: reject(
    "none",
    "A file of the evidence does not have the digest that evidence.json states.",
    "Collect again.",
  ),
  JOIN_EVIDENCE_UNEXPECTED: reject(
    "none",
    "There is a file in the evidence that does not belong there.",
    "Remove it or collect again.",
  ),
  JOIN_EVIDENCE_MISSING: undecided(4, "A file of the evidence is absent or unreadable.", "Collect again."),
  JOIN_SLOT_PENDING: undecided(3, "A slot is not handed in yet.", "Wait until both slots are done."),
  ...DECODE_CODES,
  JOIN_POST_IMPOSSIBLE: permanent(
    "join",
    "The verdict cannot be posted: the evidence does not say what it is about.",
    "Collect again; the verdict stands, and nobody but this checker knows it.",
  ),
  JOIN_COLLECT_FAILED: transient("join", "The evidence could not be collected.", "Run again."),
  JOIN_ASSEMBLE_FAILED: transient(
    "join",
    "The frames could not be assembled; nothing was left at the output path.",
    "Check the disk.",
  ),
  JOIN_READBACK_FAILED: permanent(
    "join",
    "What was read back after assembly is not what was written.",
    "Check the disk.",
  ),
} as const;
