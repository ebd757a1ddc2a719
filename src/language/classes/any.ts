/** How a word class is written down. */

/** Any of these as whole words, in lower-case text. Alternatives may hold regular expressions. */
export const any = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}_])`, "u");
