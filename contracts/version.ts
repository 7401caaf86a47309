/** Version of the tool as reports and bundles state it; a test holds it equal to package.json. */
export const TOOL_VERSION = "0.1.0";
