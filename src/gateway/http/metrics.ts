/** Counters of one process in Prometheus text; label values are names of routes and codes only. */
export class Metrics {
  private readonly requests = new Map<string, number>();
  private readonly errors = new Map<string, number>();

  count(route: string, status: number, code: string | null): void {
    bump(this.requests, `route="${route}",status="${status}"`);
    if (code !== null) bump(this.errors, `route="${route}",code="${code}"`);
  }

  text(): string {
    return [
      "# HELP render_handoff_gateway_requests_total Answers by route and status.",
      "# TYPE render_handoff_gateway_requests_total counter",
      ...lines("render_handoff_gateway_requests_total", this.requests),
      "# HELP render_handoff_gateway_errors_total Problem documents by route and code.",
      "# TYPE render_handoff_gateway_errors_total counter",
      ...lines("render_handoff_gateway_errors_total", this.errors),
      "",
    ].join("\n");
  }
}

const bump = (counter: Map<string, number>, labels: string): void => {
  counter.set(labels, (counter.get(labels) ?? 0) + 1);
};
const lines = (name: string, counter: Map<string, number>): string[] =>
  [...counter]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([labels, n]) => `${name}{${labels}} ${n}`);
