/**
 * Reads the part of a file for which an anchor stands: the definition of a symbol, or the file; by
 * lines, in any language. Pure.
 */
import { sha256 } from "#kit";
import { type Anchor, worstState } from "#domain";

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

// Files and symbols that a statement names. Generous: what is not in the working tree is no anchor. Pure.

interface Named {
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
}

const namesMax = 8;
const textCharsMax = 2_000;

const path = /(?<![\w@:/.~-])(?:\.\/)?((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?![\w/])/gu;
const bare = String.raw`(?<![\w$./-])`;
/** In backticks, called, or written as only names in code are. */
const symbol = new RegExp(
  [
    "`([A-Za-z_$][\\w$]{2,60})(?:\\(\\))?`",
    String.raw`${bare}([A-Za-z_$][\w$]{2,60})\(\)`,
    String.raw`${bare}([a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z]+(?:_[A-Za-z0-9]+)+)(?![\w$./-])`,
  ].join("|"),
  "gu",
);

export function namedIn(text: string): Named {
  const said = text.slice(0, textCharsMax);
  const paths = [...said.matchAll(path)].flatMap(([, name = ""]) =>
    name.includes("..") ? [] : [name],
  );
  const symbols = [...said.matchAll(symbol)].flatMap(([, a, b, c]) => a ?? b ?? c ?? []);
  return {
    paths: [...new Set(paths)].slice(0, namesMax),
    symbols: [...new Set(symbols)].slice(0, namesMax),
  };
}

// Decides by its anchors how a memory stands here: whether it is told at all, and what its line says of it. Pure.

/**
 * `isHere` tells a memory that only one branch had when it was learnt on that branch, and wherever
 * the same content lies in the working tree: in its worktrees, on branches from it, and once it is
 * merged, however that was done. `isSeen`: the anchors were looked at in this working tree.
 */
export const isHere = (
  anchors: readonly Anchor[],
  { branch, isSeen }: { readonly branch: string | null; readonly isSeen: boolean },
): boolean =>
  anchors.every(
    (anchor) =>
      anchor.branch === null || anchor.branch === branch || (isSeen && isAsLearnt(anchor)),
  );

const isAsLearnt = ({ state, hash }: Anchor): boolean =>
  hash === "" ? state !== "gone" : state === "fresh" || state === "moved";

/** Behind the date of a line; empty when all is as it was. What changed is never told as current. */
export function anchorMark(anchors: readonly Anchor[]): string {
  const state = worstState(anchors);
  const worst = anchors.find((anchor) => anchor.state === state);
  if (state === null || state === "fresh" || worst === undefined) return "";
  const at = worst.commit === null ? "first" : `at ${worst.commit.slice(0, 7)}`;
  switch (state) {
    case "moved":
      return `, ${worst.path} is now ${worst.movedTo ?? "elsewhere"}`;
    case "changed":
      return `, was so ${at}`;
    case "gone":
      return `, was so ${at}, ${worst.symbol ?? worst.path} is gone`;
    default:
      return state satisfies never;
  }
}
