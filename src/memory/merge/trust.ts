/** Whose word a memory is that was made of several. Pure. */
import { origins, type Origin } from "#domain";

/** The least trusted origin of the parts (at least one): a merge never lends authority. */
export const leastTrusted = (parts: readonly [Origin, ...Origin[]]): Origin =>
  parts.reduce((least, one) => (origins.indexOf(one) > origins.indexOf(least) ? one : least));
