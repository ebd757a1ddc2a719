/**
 * What of a user message the user said.
 *
 * The client writes into user messages too: reminders, command wrappers, output of local commands, notes of
 * editors. All of that is recognised by its tags and taken out here, in time linear in the text.
 */
import { oneLine } from "#kit";
import { withoutClientBlocks } from "#reader";
import { asList, asRecord, asText } from "./json.ts";

/** The text blocks of a message's content; pictures and documents are left out. */
export function textsOf(content: unknown): readonly string[] {
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

/** `"tool"` or `"speech"` for the line the client leaves when a turn was cut off; null for anything else. */
export function interruptOf(content: unknown): "tool" | "speech" | null {
  const text = textsOf(content).join("\n").trim();
  if (!text.startsWith("[Request interrupted") || !text.endsWith("]")) return null;
  return text.includes("for tool use") ? "tool" : "speech";
}

function innerOf(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  return end === -1 ? null : text.slice(start + open.length, end);
}
