import { z } from "zod";
import { ObjectEnvelope } from "../../contracts/documents/object.ts";
import { Receipt } from "../../contracts/documents/receipt.ts";
import { Problem } from "../../contracts/documents/records.ts";
import { VerdictEnvelope } from "../../contracts/documents/verdict.ts";
import { HEADERS, ROUTES, type RouteName } from "../../contracts/routes.ts";
import { type Route, statusesOf } from "../../contracts/wire/route.ts";
import { readDocument } from "../core/json/read-document.ts";
import { isSuccess } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";

/** Routes whose exact bytes are a document all the same. */
const DOCUMENTS: Readonly<Partial<Record<RouteName, z.ZodType>>> = {
  getReceipt: Receipt,
  getObject: z.union([ObjectEnvelope, VerdictEnvelope]),
};

/**
 * What makes an answer none of its route, whatever a case expects of it: the gateway's name is not there or is
 * another, a status that the route has not, a body that does not follow the route's schema, or no problem document.
 */
export function shapeFault(name: RouteName, answer: PlainAnswer, gatewayId: string): string | null {
  const named = answer.headers[HEADERS.gateway];
  if (named !== gatewayId)
    return `the header Render-Handoff-Gateway is ${String(named ?? "absent")}, expected ${gatewayId}`;
  return isSuccess(answer) ? successFault(name, answer) : problemFault(answer);
}

function successFault(name: RouteName, answer: PlainAnswer): string | null {
  const route: Route = ROUTES[name];
  if (!Object.hasOwn(statusesOf(route), answer.status))
    return `status is ${answer.status}, which is none of this route`;
  const schema = typeof route.answer === "string" ? DOCUMENTS[name] : route.answer;
  return schema === undefined ? null : documentFault(schema, answer);
}

function problemFault(answer: PlainAnswer): string | null {
  const read = readDocument(Problem, answer.body);
  if (!read.ok) return `the problem document${at(read)}`;
  return read.value.status === answer.status
    ? null
    : `the problem document's status is ${read.value.status}, the answer's ${answer.status}`;
}

function documentFault(schema: z.ZodType, answer: PlainAnswer): string | null {
  const read = readDocument(schema, answer.body);
  return read.ok ? null : `the answer${at(read)}`;
}

const at = ({ path, problem }: { path: string; problem: string }): string =>
  path === "" ? ` is wrong: ${problem}` : `'s member ${path} is wrong: ${problem}`;
