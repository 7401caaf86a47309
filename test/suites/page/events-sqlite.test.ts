import { SQLITE } from "../gateway/sqlite-store.ts";
import { eventSuite } from "./event-suite.ts";

eventSuite(SQLITE);
