import { describeKills } from "./kill/boundaries.ts";

describeKills("document");
