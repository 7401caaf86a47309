import { claimSuite } from "./claim-suite.ts";
import { contentionSuite } from "./contention-suite.ts";
import { jobSuite } from "./job-suite.ts";
import { leaseSuite } from "./lease-suite.ts";
import { listSuite } from "./list-suite.ts";
import type { StoreUnderTest } from "./queue-bench.ts";
import { restoredSuite } from "./restored-suite.ts";
import { slotSuite } from "./slot-suite.ts";
import { submitSuite } from "./submit-suite.ts";
import { uploadSuite } from "./upload-suite.ts";

/** Rules 1 to 10 of the queue at the level of the store, with a clock that the test sets: any store passes it. */
export function queueSuite(sut: StoreUnderTest): void {
  claimSuite(sut);
  leaseSuite(sut);
  submitSuite(sut);
  listSuite(sut);
  jobSuite(sut);
  slotSuite(sut);
  uploadSuite(sut);
  contentionSuite(sut);
  restoredSuite(sut);
}
