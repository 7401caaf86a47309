import { scaled } from "../../support/scale.ts";
import { SQLITE } from "../gateway/sqlite-store.ts";
import { modelSuite } from "./model-suite.ts";

modelSuite(SQLITE, scaled(300, 5_000));
