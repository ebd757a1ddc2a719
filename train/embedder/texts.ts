/** The texts that this project wrote for its embedder (train/embedder/data/*), as records to train on. */
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";

/** Texts that say the same; `negative` is near them and says something else. */
export interface Texts {
  readonly source: string;
  readonly same: readonly string[];
  readonly negative?: string;
}

const lines = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
    : [];
const split = (column: string | undefined, by: string): string[] =>
  (column ?? "")
    .split(by)
    .map((text) => text.trim())
    .filter((text) => text !== "" && text !== "-");

export function writtenTexts(data: string): Texts[] {
  return readdirSync(data)
    .toSorted()
    .flatMap((writer) => {
      const of = (name: string): string[] => lines(join(data, writer, name));
      return [
        ...of("lex.tsv").map(lexicon),
        ...of("pairs.tsv").map(asked("pairs")),
        ...of("rules.tsv").map(asked("rules")),
        ...of("multi.tsv").map((line) => ({ source: "multi", same: split(line, " | ") })),
      ];
    })
    .filter(({ same }) => same.length > 1);
}

function lexicon(line: string): Texts {
  const [term = "", names, kinds, words] = line.split("\t");
  const others = split(names, "|");
  const kind = split(kinds, "|").join(" ");
  return {
    source: "lexicon",
    same: [term, ...others, `${others.join(" ")} ${kind}`, `${term} ${kind}`, ...split(words, ";")],
  };
}

const asked =
  (source: string) =>
  (line: string): Texts => {
    const [fact = "", queries, negative] = line.split("\t");
    const same = [fact, ...split(queries, "|")];
    return negative === undefined || negative.trim() === ""
      ? { source, same }
      : { source, same, negative };
  };
