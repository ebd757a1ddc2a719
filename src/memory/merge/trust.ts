/** Whose word a memory is that was made of several. Pure. */
import type { Origin } from "#domain";

/** From most to least trusted, as the specification orders origins. */
const byTrust: readonly Origin[] = ["user", "agent", "tool", "import"];

/** The least trusted origin of the parts (at least one): a merge never lends authority. */
export const leastTrusted = (parts: readonly [Origin, ...Origin[]]): Origin =>
  parts.reduce((least, one) => (byTrust.indexOf(one) > byTrust.indexOf(least) ? one : least));
