/** Places of the archive that more than one room has to tell apart. */

/** True for the leaf of an exchange: what was said in one turn, prompt and answer together. */
export const isExchange = (uri: string): boolean => uri.includes("/exchanges/");
