import { FIRST_EEVEE, type SeriesRules } from "./series.ts";

export const rules: SeriesRules = {
  series: "5.0",
  engines: FIRST_EEVEE,
  media_type: true,
  compositor: "compositing_node_group",
};
