import { FIRST_EEVEE, type SeriesRules } from "./series.ts";

export const rules: SeriesRules = {
  series: "4.0",
  engines: FIRST_EEVEE,
  media_type: false,
  compositor: "node_tree",
};
