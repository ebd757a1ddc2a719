/**
 * A memory in its agent's wording with the user's words behind it: `every step opens a connection (the user: "let's do
 * B")`. The quote stands beside the wording wherever that is kept, and whoever shows it quotes the whole. Pure.
 */

/** Joins a line with the words that prove it. */
export const worded = (line: string, quote: string): string =>
  `${line.replace(/[.。]+$/u, "")} (the user: "${quote.replaceAll('"', "'")}")`;

/** Its two parts. */
export const wording = /^(?<line>.+) \(the user: "(?<quote>[^"]+)"\)$/su;

/** The agent's wording without the user's words beside it; any other memory as it is. */
export const bareLine = (text: string): string => wording.exec(text)?.groups?.["line"] ?? text;
