/** One line about a tool call: what it was pointed at, and what went wrong. Knows the tools' input fields. */
import { commandLine, questionsIn } from "#domain";
import { cutAtWord, type Json, oneLine, stripInvisible } from "#kit";
import { withoutClientBlocks } from "#language";
import { asList, asRecord, asText } from "./answers.ts";
import { transcriptLimits } from "./entry.ts";

/** The fields of a tool's input that name its target, the most telling first. */
const targetFields =
  "file_path notebook_path command url pattern query skill path description subject prompt".split(
    " ",
  );

/** Tools whose `path` is a folder to look in, not a file. */
const folderTools: ReadonlySet<string> = new Set(["Grep", "Glob", "LS"]);

/** The target of a call in one line; falls back to the first text among its inputs, then null. */
export function targetOf(tool: string, input: Json): string | null {
  // A plan is kept whole beside it.
  if (planOf(tool, input) !== null) return null;
  const named = targetFields.map((field) => asText(input[field])).find((text) => text !== null);
  const target =
    questionsIn(input) ??
    named ??
    Object.values(input)
      .map(asText)
      .find((text) => text !== null);
  return target === null || target === undefined
    ? null
    : cutAtWord(commandLine(target.slice(0, 4_096)), transcriptLimits.targetCharsMax);
}

export const planOf = (tool: string, input: Json): string | null =>
  tool === "ExitPlanMode" ? asText(input["plan"]) : null;

/** Files a call names in its input, as written there. */
export function filesOf(tool: string, input: Json): readonly string[] {
  const fields = folderTools.has(tool)
    ? ["file_path"]
    : ["file_path", "notebook_path", "path", "file_paths", "paths"];
  const files = fields.flatMap((field) => {
    const value = input[field];
    return typeof value === "string"
      ? [value]
      : asList(value).filter((one) => typeof one === "string");
  });
  return [...new Set(files)]
    .filter((file) => file !== "")
    .slice(0, transcriptLimits.filesPerCallMax);
}

export const resultTextOf = (content: unknown): string => textsOf(content).join("\n");

/** True when the client's own words say that the user declined the call or stopped it. */
export const isRejection = (line: Json, text: string): boolean =>
  asText(line["toolDenialKind"])?.startsWith("user") === true ||
  text.startsWith("The user doesn't want to proceed with this tool use") ||
  text.startsWith("[Request interrupted");

const exitCode = /^(?:Error: )?Exit code (\d+)$/;
/** Words by which programs of any language announce what failed. */
const failure = new RegExp(
  String.raw`\b(?:error|err!|fail(?:ed|ure|s)?|exception|fatal|panic|traceback|denied|refused|cannot|can't` +
    String.raw`|could not|not found|no such|undefined|invalid|unexpected|missing|timed? ?out|conflict)\b`,
  "i",
);

/**
 * The line that says what failed: the first one that sounds like it, else the first that is not empty. An exit code
 * stands in front, since it alone names nothing.
 */
export function firstErrorLineOf(output: string): string | null {
  const lines = stripInvisible(output.slice(0, transcriptLimits.errorScanCharsMax))
    .replace(/<\/?tool_use_error>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const code = exitCode.exec(lines[0] ?? "")?.[1];
  const rest = code === undefined ? lines : lines.slice(1);
  const telling = rest.find((line) => failure.test(line)) ?? rest[0];
  const parts = [code === undefined ? null : `exit ${code}`, telling ?? null];
  const said = parts.filter((part) => part !== null).join(": ");
  return said === "" ? null : cutAtWord(oneLine(said), transcriptLimits.errorLineCharsMax);
}

// Separates the user's words from a user message. The client writes into user messages too: reminders,
// command wrappers, output of local commands, notes of editors. All of that is recognised by its tags
// and taken out here, in time linear in the text.

/** The text blocks of a message's content; pictures and documents are left out. */
function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return asList(content).flatMap((block) => {
    const record = asRecord(block);
    const text = record?.["type"] === "text" ? asText(record["text"]) : null;
    return text === null ? [] : [text];
  });
}

/** The user's own words of a user message; null when there are none. Blocks are joined by line breaks. */
export function speechOf(content: unknown): string | null {
  const said = textsOf(content)
    .map((text) => withoutClientBlocks(text).trim())
    .filter((text) => text !== "")
    .join("\n");
  return said === "" ? null : said;
}

/** `/name arguments` of a slash command's wrapper; null when the text is none. */
export function commandOf(content: unknown): string | null {
  const text = textsOf(content).join("\n").trimStart();
  if (!text.startsWith("<command-name>") && !text.startsWith("<command-message>")) return null;
  const name = innerOf(text, "command-name") ?? innerOf(text, "command-message") ?? "";
  return oneLine(`${name} ${innerOf(text, "command-args") ?? ""}`);
}

/** True for the line that the client leaves when a turn was cut off. */
export function isInterrupt(content: unknown): boolean {
  const text = textsOf(content).join("\n").trim();
  return text.startsWith("[Request interrupted") && text.endsWith("]");
}

function innerOf(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  return end === -1 ? null : text.slice(start + open.length, end);
}
