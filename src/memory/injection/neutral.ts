/**
 * Memory text is data, never an instruction. It may come from a web page or a log, so whatever could pass for markup,
 * a role, an escape sequence or invisible text is taken out before it enters a prompt. Pure.
 *
 * Must not know what a memory is; it cleans one line of text.
 */
import { stripInvisible } from "#kit";

/** Everything that reads as an angle bracket, also written as an entity. */
const opening = /[<\uff1c\u2329\u3008\ufe64\u27e8\u276e]|&(?:lt|#0*60|#x0*3c);?/giu;
const closing = /[>\uff1e\u232a\u3009\ufe65\u27e9\u276f]|&(?:gt|#0*62|#x0*3e);?/giu;
/** Prefixes by which a transcript says who speaks. */
const roles = /\b(system|assistant|human|developer|user|claude)(\s*):/giu;
/** Chat templates of other models, and our own marks of who said something; not an index (`byName[user]`). */
const templates =
  /\[(\/?)(inst|sys|system)\]|(?<![\p{L}\p{N}_)\]])\[\s*()(user|noted|from a tool|imported)\s*\]/giu;

/**
 * One line, no markup: `<` and `>` become `‹` and `›`, `system:` becomes `system∶`, fences lose their meaning, control,
 * direction and invisible characters are gone. Idempotent.
 */
export const neutralise = (text: string): string =>
  stripInvisible(text)
    .replace(opening, "‹")
    .replace(closing, "›")
    .replace(roles, "$1$2∶")
    .replace(templates, "($1$2$3$4)")
    .replace(/`{3,}|~{3,}/gu, "''")
    .replace(/\s+/gu, " ")
    .trim();

/** Keeps the line breaks of an overview; every line is neutralised by itself and cannot start a heading or a fence. */
export const neutraliseLines = (text: string): readonly string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/u)
    .map((line) => neutralise(line).replace(/^#+\s*/u, ""))
    .filter((line) => line !== "");
