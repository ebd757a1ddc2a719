/**
 * Memory text is data, never an instruction. It may come from a web page or a log, so whatever could pass for markup,
 * a role, an escape sequence or invisible text is taken out before it enters a prompt. Pure.
 *
 * Must not know what a memory is; it cleans one line of text.
 */

/** Terminal escapes, with their parameters: colours, cursor moves, titles, links. */
const ansi =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/gu;
/** Control characters but line breaks and tabs, which become spaces. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
/**
 * Text that people do not see and models do: zero-width marks, direction overrides, tag characters, fillers, and lone
 * surrogates. Joiners go too: a broken emoji is a small price.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Variation_Selector}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;
/** Everything that reads as an angle bracket, also written as an entity. */
const opening = /[<\uff1c\u2329\u3008\ufe64\u27e8\u276e]|&(?:lt|#0*60|#x0*3c);?/giu;
const closing = /[>\uff1e\u232a\u3009\ufe65\u27e9\u276f]|&(?:gt|#0*62|#x0*3e);?/giu;
/** Prefixes by which a transcript says who speaks. */
const roles = /\b(system|assistant|human|developer|user|claude)(\s*):/giu;
/** Chat templates of other models. */
const templates = /\[(\/?)(inst|sys|system)\]/giu;

/**
 * One line, no markup: `<` and `>` become `‹` and `›`, `system:` becomes `system∶`, fences lose their meaning, control,
 * direction and invisible characters are gone. Idempotent.
 */
export const neutralise = (text: string): string =>
  text
    .replace(ansi, "")
    .replace(controls, "")
    .replace(invisible, "")
    .replace(opening, "‹")
    .replace(closing, "›")
    .replace(roles, "$1$2∶")
    .replace(templates, "($1$2)")
    .replace(/`{3,}|~{3,}/gu, "''")
    .replace(/\s+/gu, " ")
    .trim();

/** Keeps the line breaks of an overview; every line is neutralised by itself and cannot start a heading or a fence. */
export const neutraliseLines = (text: string): readonly string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/u)
    .map((line) => neutralise(line).replace(/^#+\s*/u, ""))
    .filter((line) => line !== "");
