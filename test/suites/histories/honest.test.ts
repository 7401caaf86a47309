import { scaled } from "../../support/scale.ts";
import { honestSuite } from "./honest-suite.ts";

honestSuite({ name: "SQLite", database: async () => null }, scaled(2, 20));
