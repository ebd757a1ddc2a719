/** The texts that this project wrote for its embedder (lab/train/embedder/data/*), as records to train on. */
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { readVoices } from "../voice.ts";

/** Texts that say the same; `negative` is near them and says something else. */
export interface Texts {
  readonly source: string;
  readonly same: readonly string[];
  readonly negative?: string;
  /**
   * The number of memories of `same`, from its beginning, that are kept; the others ask for it.
   * Absent = all are alike.
   */
  readonly kept?: number;
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
        ...readdirSync(join(data, writer))
          .filter((name) => name.startsWith("stores"))
          .toSorted()
          .flatMap((name) => of(name).flatMap(stored)),
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
      ? { source, same, kept: 1 }
      : { source, same, negative, kept: 1 };
  };

/** `note | its translation \t prompt | prompt`: the notes of one developer stand below each other, below a line `# who`. */
function stored(line: string): Texts[] {
  if (line.startsWith("#")) return [];
  const [notes, prompts] = line.split("\t").map((column) => split(column, " | "));
  return notes === undefined || prompts === undefined
    ? []
    : [{ source: "stores", same: [...notes, ...prompts], kept: notes.length }];
}

/**
 * The facts of invented developers (lab/train/voices) with the prompts that need them, and with the one in which the
 * developer said it: a source for each developer, so that the trainer can leave one out.
 */
export function voiceTexts(folder: string): Texts[] {
  return readVoices(folder)
    .flatMap(({ facts, name, probes, sessions }) => {
      const saidIn = new Map(
        sessions.flatMap(({ turns }) =>
          turns.flatMap((turn) => turn.facts.map(({ id }) => [id, turn.prompt] as const)),
        ),
      );
      return [...facts.values()].map((fact) => ({
        source: voiceSource(name),
        same: [
          fact.statement,
          ...(fact.source === "U" ? [saidIn.get(fact.id) ?? ""] : []),
          ...probes.flatMap(({ needs, prompt }) => (needs.includes(fact.id) ? prompt : [])),
        ].filter((text) => text !== ""),
        kept: 1,
      }));
    })
    .filter(({ same }) => same.length > 1);
}

export const voiceSource = (name: string): string => `voice-${name}`;
