/** Places of the archive that more than one room has to tell apart. */

/** True for a sentence that a rule of version 0.1, or another program, had made a memory of (docs/adr/0037). */
export const isSentence = (uri: string): boolean => uri.includes("/sentences/");

/** True for the leaf of an exchange: what was said in one turn, prompt and answer together. */
export const isExchange = (uri: string): boolean => uri.includes("/exchanges/");
