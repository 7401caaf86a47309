import { type Fault, fault } from "../../core/fault.ts";

/** What is wrong with taking that much memory for one thing: the machine's limit, no fault of the thing. */
export const beyondMemory = (bytes: number, memoryBytes: number): Fault | null =>
  bytes > memoryBytes
    ? fault("JOIN_DECODE_MEMORY", "", { expected: `at most ${memoryBytes} bytes`, actual: bytes })
    : null;
