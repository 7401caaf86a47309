import { Verdict } from "../../../../contracts/documents/verdict.ts";
import { HEADERS } from "../../../../contracts/routes.ts";
import { HandoffError } from "../../../core/error.ts";
import { postVerdict as store } from "../../queue/post-verdict.ts";
import { json } from "../handler.ts";

/** 201 for a new version, 200 for the same verdict of the same checker again. */
export const postVerdict = json(Verdict, async (call, body) => {
  if (call.principal?.role !== "checker") throw new HandoffError("role_forbidden");
  call.note({ job_id: body.job_id, sha256: body.report_sha256, detail: body.verdict });
  const { answer, replayed, superseded } = await store(call.services.queue, call.principal.checkerUuid, body);
  const { verdict } = body;
  if (!replayed) call.services.metrics.add("render_handoff_gateway_verdicts_total", { verdict });
  return {
    kind: "json",
    status: replayed ? 200 : 201,
    value: answer,
    headers: {
      ...(replayed ? { [HEADERS.replayed]: "true" } : {}),
      ...(superseded ? { [HEADERS.superseded]: "true" } : {}),
    },
  };
});
