import { z } from "zod";
import { WIRE_CODES } from "../../../contracts/codes/wire.ts";
import { Problem } from "../../../contracts/documents/records.ts";
import {
  ANSWER_FIELDS,
  type AnswerField,
  EVERY_ANSWER,
  REQUEST_FIELDS,
  RETRYING_CODES,
} from "../../../contracts/headers.ts";
import { commonCodes, ROUTES } from "../../../contracts/routes.ts";
import { TOOL_VERSION } from "../../../contracts/version.ts";
import { type Route, statusesOf } from "../../../contracts/wire/route.ts";
import { TYPES } from "./media-type.ts";
import { pathSchema, QUERY } from "./parameters.ts";
import { PROBLEM_MEDIA_TYPE } from "./problem.ts";

type Described = Record<string, unknown>;

/** The table of routes as an OpenAPI 3.1 document. */
export function openapiDocument(): Described {
  const paths: Record<string, Record<string, Described>> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operation(name, route);
    paths[route.path] = operations;
  }
  return {
    openapi: "3.1.0",
    info: { title: "render-handoff gateway", version: TOOL_VERSION },
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Problem: schema(Problem) },
      headers: Object.fromEntries(
        Object.entries(ANSWER_FIELDS).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
    },
  };
}

function operation(name: string, route: Route): Described {
  return {
    operationId: name,
    summary: route.summary,
    ...(route.who === "open" ? { security: [] } : { security: [{ token: [] }], "x-roles": route.who }),
    parameters: parameters(name, route),
    ...(route.body === "none" ? {} : { requestBody: { required: true, content: bodyContent(route) } }),
    responses: { ...answers(route), ...problems(route) },
  };
}

function parameters(name: string, route: Route): Described[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: schema(pathSchema(route.path, parameter)),
  }));
  const inQuery = route.query.map((parameter) => ({
    name: parameter,
    in: "query",
    required: name === "putPreview",
    schema: schema(QUERY[parameter] ?? z.string()),
  }));
  const reads: Route["reads"] = { ...route.reads, "request-id": "optional" };
  const inHeader = Object.entries(REQUEST_FIELDS).flatMap(([header, description]) => {
    const need = Object.entries(reads).find(([read]) => read === header)?.[1];
    const required = need === "required";
    return need === undefined
      ? []
      : [{ name: header, in: "header", required, description, schema: { type: "string" } }];
  });
  return [...inPath, ...inQuery, ...inHeader];
}

const bodyContent = (route: Route): Described =>
  route.body === "blob" || route.body === "png" || route.body === "form"
    ? { [TYPES[route.body] ?? "application/octet-stream"]: {} }
    : { "application/json": { schema: route.request === null ? {} : schema(route.request) } };

function answers(route: Route): Described {
  const told = { headers: headers([...EVERY_ANSWER, ...(route.says ?? [])]), ...answerContent(route) };
  return Object.fromEntries(
    Object.entries(statusesOf(route)).map(([status, description]) => [status, { description, ...told }]),
  );
}

function answerContent({ answer }: Route): Described {
  if (answer === "text") return {};
  return {
    content:
      answer === "bytes"
        ? { "application/octet-stream": {} }
        : { "application/json": { schema: schema(answer) } },
  };
}

/** Codes by status, each status once. */
function problems(route: Route): Described {
  const codes = new Set([...route.codes, ...commonCodes(route)]);
  const byStatus = Map.groupBy(codes, (code) => String(WIRE_CODES[code].http));
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.join(", "),
        headers: headers([
          ...EVERY_ANSWER,
          ...(same.some((code) => RETRYING_CODES.includes(code)) ? (["retry-after"] as const) : []),
          ...(same.includes("range_not_satisfiable") ? (["content-range"] as const) : []),
        ]),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

const headers = (names: readonly AnswerField[]): Described =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const schema = (type: z.ZodType): Described => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
  });
  return rest;
};
