/** Direction of imports: see docs/ARCHITECTURE.md. `from` may not reach `to`. */
const never = (name, from, to, comment) => ({ name, severity: "error", comment, from, to });
const layer = (name, allowed) =>
  never(
    `layer-${name}`,
    { path: `^src/${name}/` },
    { path: "^src/", pathNot: `^src/(${[name, ...allowed].join("|")})/` },
    `src/${name} may import only ${["contracts", ...allowed].join(", ")}`,
  );
const io =
  "^(node:)?(fs|fs/promises|net|http|https|http2|dgram|dns|tls|child_process|worker_threads|timers|timers/promises|os|process)$";
module.exports = {
  forbidden: [
    never("no-cycle", {}, { circular: true }, "no import cycles"),
    never(
      "contracts-at-the-bottom",
      { path: "^contracts/" },
      { path: "^src/" },
      "contracts import none of our code",
    ),
    layer("core", []),
    layer("frame", ["core"]),
    layer("bundle", ["core", "frame"]),
    layer("blender", ["core"]),
    layer("gateway-client", ["core"]),
    layer("gateway", ["core", "frame"]),
    layer("render-child", ["core", "frame", "bundle", "blender", "gateway-client"]),
    layer("submit", ["core", "blender", "gateway-client"]),
    layer("doctor", ["core", "blender", "gateway-client"]),
    layer("join", ["core", "frame", "bundle", "gateway-client"]),
    layer("conformance", ["core", "gateway-client"]),
    layer("dispatch", ["core", "gateway-client", "render-child"]),
    never(
      "gateway-by-cli-alone",
      { path: "^src/", pathNot: "^src/(gateway|cli)/" },
      { path: "^src/gateway/" },
      "gateway is imported by cli alone",
    ),
    never(
      "writer-not-reader",
      { path: "^src/bundle/write" },
      { path: "^src/bundle/read" },
      "bundle writer and reader are strangers",
    ),
    never(
      "reader-not-writer",
      { path: "^src/bundle/read" },
      { path: "^src/bundle/write" },
      "bundle writer and reader are strangers",
    ),
    never(
      "child-never-reads-bundles",
      { path: "^src/render-child/" },
      { path: "^src/bundle/read" },
      "reading bundles is for join",
    ),
    never(
      "join-never-writes-bundles",
      { path: "^src/join/" },
      { path: "^src/bundle/write" },
      "writing bundles is for the child",
    ),
    never(
      "pure-core-of-join",
      { path: "^src/(join/(verify|checks/)|frame/)" },
      { path: io },
      "checks and frames touch no fs, net, thread, clock",
    ),
    never(
      "no-orphans",
      { orphan: true, path: "^(src|contracts)/", pathNot: ["/page/assets/", "\\.d\\.ts$"] },
      {},
      "a file that imports nothing and that nobody imports",
    ),
    never(
      "not-to-dev-dep",
      { path: "^(src|contracts)/" },
      { dependencyTypes: ["npm-dev"] },
      "the product needs no development dependency",
    ),
    never(
      "not-to-test",
      { path: "^(src|contracts)/" },
      { path: "^(test|fixtures|bench|tools)/" },
      "the product imports no test code",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^dist/|^bench/peers/)" },
    parser: "swc",
    tsPreCompilationDeps: true,
    moduleSystems: ["es6"],
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
