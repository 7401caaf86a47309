import type { JoinReport } from "../../../contracts/documents/join-report.ts";

/** The text of join-report.json, wherever it is written: a posted verdict carries its digest. */
export const reportText = (report: JoinReport): string => `${JSON.stringify(report, null, 2)}\n`;
