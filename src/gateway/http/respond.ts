import type { FastifyReply } from "fastify";
import { commonCodes } from "../../../contracts/routes.ts";
import { type Route, statusesOf } from "../../../contracts/wire/route.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { type Answer, JSON_TYPE } from "./call.ts";
import { PROBLEM_MEDIA_TYPE, type ProblemAnswer } from "./problem.ts";
import { SAFE_HEADERS } from "./safe-headers.ts";

/** Sends an answer; JSON goes out as canonical bytes. */
export function respond(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.headers(answer.headers ?? {});
  if (answer.kind === "refused") throw answer.error;
  reply.code(answer.status);
  switch (answer.kind) {
    case "json":
      return reply.type(JSON_TYPE).send(canonicalBytes(answer.value));
    case "bytes":
      return reply.type(answer.type).send(answer.bytes);
    case "stream":
      return reply.type(answer.type).send(answer.source);
    case "empty":
      return reply.send();
  }
}

/** Sends a problem document. */
export const respondProblem = (reply: FastifyReply, problem: ProblemAnswer): FastifyReply =>
  reply
    .code(problem.status)
    .headers(problem.headers)
    .type(PROBLEM_MEDIA_TYPE)
    .send(Buffer.from(JSON.stringify(problem.body), "utf8"));

/** Headers about how an answer is to be handled, not about what it says. */
const HANDLING: ReadonlySet<string> = new Set([
  ...Object.keys(SAFE_HEADERS),
  "cache-control",
  "x-accel-buffering",
]);

/** What an answer breaks of its route's table; null for nothing. A check for development and tests. */
export function brokenAnswer(route: Route, answer: Answer): string | null {
  const said = Object.keys(answer.headers ?? {}).filter((name) => !HANDLING.has(name));
  const unlisted = said.find((name) => route.says?.every((listed) => listed !== name) ?? true);
  if (unlisted !== undefined) return `the header ${unlisted} is not listed`;
  if (answer.kind === "refused") return null;
  if (!Object.hasOwn(statusesOf(route), answer.status)) return `the status ${answer.status} is not listed`;
  if (route.answer === "bytes" || route.answer === "text") return null;
  if (answer.kind !== "json" && answer.kind !== "bytes") return "no JSON";
  const bytes = answer.kind === "json" ? canonicalBytes(answer.value) : answer.bytes;
  const read = readDocument(route.answer, bytes);
  return read.ok ? null : `${read.path}: ${read.problem}`;
}

/** Whether a route's table names the code of a problem. */
export const isListed = (route: Route, problem: ProblemAnswer): boolean =>
  route.codes.includes(problem.code) || commonCodes(route).includes(problem.code);
