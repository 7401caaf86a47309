import type { FrameFacts } from "../../frame/spec.ts";

/** Without the file's words: they are as many as its maker likes, and of thousands of frames nobody asks for them. */
export const bareFacts = (facts: FrameFacts): FrameFacts => ({ ...facts, text: {} });
