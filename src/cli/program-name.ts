/** The three commands that the package installs. */
export type ProgramName = "join" | "render-child" | "render-handoff";
