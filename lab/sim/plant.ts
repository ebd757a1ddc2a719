/** Preloaded before a test file, so that the test meets the planted bug that `CONTINUITY_PLANTED` names. */
import { plant } from "./loader.ts";
import { mutants } from "./mutants.ts";

const mutant = mutants.find(({ name }) => name === process.env["CONTINUITY_PLANTED"]);
if (mutant === undefined) throw new Error("CONTINUITY_PLANTED names no planted bug");
plant(mutant);
