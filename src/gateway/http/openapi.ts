import { z } from "zod";
import { WIRE_CODES } from "../../../contracts/codes/wire.ts";
import { Problem } from "../../../contracts/documents/records.ts";
import { COMMON_CODES, HEADERS, ROUTES } from "../../../contracts/routes.ts";
import { TOOL_VERSION } from "../../../contracts/version.ts";
import type { Route } from "../../../contracts/wire/route.ts";
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
    },
  };
}

/** Forms: the browser goes on to the page. */
const REDIRECTING: ReadonlySet<string> = new Set(["login", "logout"]);

function operation(name: string, route: Route): Described {
  return {
    operationId: name,
    summary: route.summary,
    ...(route.who === "open" ? { security: [] } : { security: [{ token: [] }], "x-roles": route.who }),
    parameters: parameters(name, route),
    ...(route.body === "none" ? {} : { requestBody: { required: true, content: bodyContent(route) } }),
    responses: { [REDIRECTING.has(name) ? "303" : "2XX"]: success(route), ...problems(route) },
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
  const headers =
    {
      claim: [[HEADERS.idempotencyKey, false]],
      putPreview: [[HEADERS.fencingToken, true]],
      submit: [[HEADERS.idempotencyKey, true]],
      putBlob: [
        [HEADERS.taskId, false],
        [HEADERS.fencingToken, false],
      ],
    }[name] ?? [];
  const inHeader = headers.map(([header, required]) => ({
    name: header,
    in: "header",
    required,
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

const bodyContent = (route: Route): Described =>
  route.body === "blob" || route.body === "png" || route.body === "form"
    ? { [TYPES[route.body] ?? "application/octet-stream"]: {} }
    : { "application/json": { schema: route.request === null ? {} : schema(route.request) } };

function success(route: Route): Described {
  if (route.answer === "text") return { description: route.summary };
  const content = route.answer === "bytes" ? {} : { schema: schema(route.answer) };
  return {
    description: route.summary,
    content: {
      [route.answer === "bytes" ? "application/octet-stream" : "application/json"]: content,
    },
  };
}

/** Codes by status, each status once. */
function problems(route: Route): Described {
  const codes = [...new Set([...route.codes, ...(route.who === "open" ? [] : COMMON_CODES)])];
  const byStatus = Map.groupBy(codes, (code) => String(WIRE_CODES[code].http));
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.join(", "),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

const schema = (type: z.ZodType): Described => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
  });
  return rest;
};
