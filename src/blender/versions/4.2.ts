import { NEXT_EEVEE, type SeriesRules } from "./series.ts";

export const rules: SeriesRules = {
  series: "4.2",
  engines: NEXT_EEVEE,
  media_type: false,
  compositor: "node_tree",
};
