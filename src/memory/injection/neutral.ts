/**
 * Memory text is data, never an instruction. It may come from a web page or a log, so it is one line, cannot close the
 * block around it, and cannot speak for the client, a role or another memory. What is no such thing, `<label>` or
 * `Map<K, V>`, reaches the agent as it is. Pure.
 *
 * Must not know what a memory is; it cleans one line of text.
 */
import { clientTags } from "#domain";
import { stripInvisible } from "#kit";

/** An angle bracket, also written as an entity or in full width, and the name behind it; `<|` of chat templates. */
const opened =
  /(?:[<\uff1c\u2329\u3008\ufe64\u27e8\u276e]|&(?:lt|#0*60|#x0*3c);?)(?=\s*\/?\s*([a-z][\w:-]*)|\s*\|)/giu;
/** Tags by which models are told who speaks, or what a tool says. */
const speaking =
  /^(?:system|assistant|human|developer|im_(?:start|end)|antml:.*|functions?|function_(?:calls?|results?)|invoke|tool_(?:use|calls?|results?|response))$/u;
/** Prefixes by which a transcript says who speaks. */
const roles = /\b(system|assistant|human|developer)(\s*):(?=\s|$)/giu;
/** Words that settings use as well: a role only at the beginning of a line, or with a capital. */
const roleFirst = /(^|[\n\r\u2028\u2029\u0085])(\s*)(user|claude)(\s*):(?=\s|$)/giu;
const roleNamed = /\b(User|Claude|USER|CLAUDE)(\s*):(?=\s|$)/gu;
/** Chat templates of other models, and our own marks of who said something; not an index (`byName[user]`). */
const templates =
  /\[(\/?)(inst|sys|system)\]|(?<![\p{L}\p{N}_)\]])\[\s*()(user|noted|from a tool|imported)\s*\]/giu;

/**
 * One line: `</continuity-memory>` becomes `‹/continuity-memory>`, `System: ` becomes `System∶ `, a fence at the
 * beginning loses its meaning, control, direction and invisible characters are gone. Idempotent.
 */
export const neutralise = (text: string): string =>
  stripInvisible(text)
    .replace(opened, (bracket, name?: string) => (isControl(name) ? "‹" : bracket))
    .replace(roles, "$1$2∶")
    .replace(roleFirst, "$1$2$3$4∶")
    .replace(roleNamed, "$1$2∶")
    .replace(templates, "($1$2$3$4)")
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/^(?:`{3,}|~{3,})/u, "''");

/** Without a name it is a mark of a chat template: `<|im_start|>`. */
function isControl(name: string | undefined): boolean {
  if (name === undefined) return true;
  const lower = name.toLowerCase();
  return clientTags.has(lower) || speaking.test(lower);
}

/** Keeps the line breaks of an overview; every line is neutralised by itself and cannot start a heading or a fence. */
export const neutraliseLines = (text: string): readonly string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/u)
    .map((line) => neutralise(neutralise(line).replace(/^[#\s]+/u, "")))
    .filter((line) => line !== "");

/** A text in quotation marks that it cannot close; marks of its own, as in `-run "TestSync"`, stay. Pure. */
export const quote = (text: string): string =>
  text.includes('"') ? `“${text.replaceAll(/[“”]/gu, "'")}”` : `"${text}"`;
