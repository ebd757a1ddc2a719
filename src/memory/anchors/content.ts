/** What of a file an anchor stands for: the definition of a symbol, or the file; by lines, in any language. Pure. */
import { sha256 } from "#kit";

const linesMax = 400;

/** A short hash of the definition of `symbol`, or of the whole text; null when the symbol is not defined there. */
export function contentHash(text: string, symbol: string | null): string | null {
  const part = symbol === null ? text.split("\n") : definitionOf(text, symbol);
  if (part === null) return null;
  const plain = part.map((line) => line.trim()).filter((line) => line !== "");
  return sha256(plain.join("\n"), 16);
}

const keywords =
  "function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace|record|object|" +
  "val|proc|sub|defp|defmodule|macro|#define";

/** The lines of a definition: its first, what is indented below it, and what closes it. */
function definitionOf(text: string, symbol: string): readonly string[] | null {
  if (!text.includes(symbol)) return null;
  const name = symbol.replaceAll(/[^\w]/gu, "\\$&");
  const begins = [
    new RegExp(`(?:${keywords})\\s+(?:\\([^)]*\\)\\s*|self\\.)?${name}(?![\\w$])`, "u"),
    new RegExp(`^\\s*(?:export\\s+)?${name}\\s*(?:[:=](?!=)|\\?:)`, "u"),
    new RegExp(`^\\s*(?:[\\w<>\\[\\],*&:?.@]+\\s+)*[*&]*${name}\\s*(?:<[^>]*>)?\\([^;]*$`, "u"),
  ];
  const lines = text.split("\n");
  for (const begin of begins) {
    const at = lines.findIndex((line) => begin.test(line) && !isCall(line, name));
    if (at >= 0) return blockAt(lines, at);
  }
  return null;
}

/** `return parse(x)` and `await parse(x` call it. */
const isCall = (line: string, name: string): boolean =>
  new RegExp(
    `\\b(?:return|await|new|yield|throw|if|while|else)\\b[^=]*\\b${name}\\s*\\(`,
    "u",
  ).test(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

function blockAt(lines: readonly string[], at: number): readonly string[] {
  const first = lines[at] ?? "";
  const own = indentOf(first);
  const block = [first];
  for (const line of lines.slice(at + 1, at + linesMax)) {
    const said = line.trim();
    if (said !== "" && indentOf(line) <= own) {
      if (indentOf(line) < own || !/^[)\]}{]|^end\b/u.test(said)) break;
      block.push(line);
      if (!/[{([:]$|=>$/u.test(said)) break;
      continue;
    }
    block.push(line);
  }
  return block;
}
