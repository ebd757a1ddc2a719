/**
 * Replies that somebody played once, given again to requests about the same sessions: the words around a record change
 * with the product, what its user typed does not. `lab/train/played/NAME.jsonl` holds a line for each.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#kit";

type Memory = Readonly<Record<string, unknown>>;

/** One line of a file. */
interface Recorded {
  /** The beginning of each prompt of the record. */
  readonly users: readonly string[];
  /** Number and wording of what was known then. */
  readonly known: Readonly<Record<string, string>>;
  readonly reply: {
    readonly memories: readonly Memory[];
    readonly ended?: readonly number[];
    readonly built?: readonly number[];
  } & Readonly<Record<string, unknown>>;
}

const beginningChars = 60;
/** The share of the prompts of both records together that both must have. */
const sameFrom = 0.6;

const usersIn = (record: string): readonly string[] =>
  [...record.matchAll(/^\[\d+\] USER: (.*)$/gmu)].map(([, text = ""]) =>
    text.slice(0, beginningChars),
  );

/** Each known memory as it was worded; one shown by its name, as its slot and the beginning of its words. */
const knownIn = (head: string): ReadonlyMap<string, number> => {
  const lists = head.matchAll(/^(?:Known too|Saved by the agent), by name: (.*)$/gmu);
  const names = Array.from(lists, ([, list = ""]) => list);
  const found = [
    ...head.matchAll(/^(\d+)\. \[[^\]]*\] (.*)$/gmu),
    ...names
      .flatMap((list) => list.split(/; (?=\d+\. )/u))
      .flatMap((name) => [...name.matchAll(/^(\d+)\. (?:\[\d+\] )?(.*)$/gu)]),
  ];
  return new Map(
    found.map(([, n, text = ""]) => [text.replace(/^(.*? · .*?) \((.*)\)$/u, "$1: $2"), Number(n)]),
  );
};

/** Writes the replies of a played folder with what tells their sessions, a line each. Returns how many there are. */
export function keepReplies(folder: string, file: string): number {
  const lines = readdirSync(join(folder, "replies"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const request = join(folder, "requests", name.replace(/\.json$/u, ".txt"));
      const [, prompt = ""] = readFileSync(request, "utf8").split("=== prompt ===");
      const reply: unknown = JSON.parse(readFileSync(join(folder, "replies", name), "utf8"));
      const date = /Dates: (\S+)/u.exec(prompt)?.[1] ?? "";
      return { date, line: JSON.stringify({ ...sessionIn(prompt), reply }) };
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  writeFileSync(file, `${lines.map(({ line }) => line).join("\n")}\n`);
  return lines.length;
}

/** `sessionIn` gives a request's description of its session, as it is recorded. */
function sessionIn(prompt: string): Pick<Recorded, "users" | "known"> {
  const [head = "", record = ""] = prompt.split("\nRecord:\n");
  return {
    users: usersIn(record),
    known: Object.fromEntries([...knownIn(head)].map(([text, n]) => [`${n}`, text])),
  };
}

/** Finds the reply to a request among the files of a folder; null when none is about that session. */
export function recordedIn(folder: string): (prompt: string) => object | null {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as Recorded);
  return (prompt) => {
    const asked = sessionIn(prompt);
    const best = all
      .map((one) => ({ one, share: shareOf(one.users, asked.users) }))
      .toSorted((a, b) => b.share - a.share)[0];
    return best === undefined || best.share < sameFrom ? null : renumbered(best.one, prompt);
  };
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  const both = new Set([...a, ...b]);
  const other = new Set(b);
  return new Set(a.filter((text) => other.has(text))).size / Math.max(1, both.size);
}

/** A memory that it replaces has another number now, or is not shown any more. */
function renumbered({ known, reply }: Recorded, prompt: string): object {
  const now = knownIn(prompt.split("\nRecord:\n")[0] ?? "");
  const bySlot = new Map([...now].map(([text, n]) => [slotOf(text), n]));
  const numbersOf = (then: unknown): readonly number[] =>
    [then].flat().flatMap((each) => {
      const text = known[String(each)] ?? "";
      return now.get(text) ?? bySlot.get(slotOf(text)) ?? [];
    });
  /** A bare number, or one with what is still true of it. */
  const replacedBy = (then: unknown): readonly unknown[] =>
    [then]
      .flat()
      .flatMap((each): readonly unknown[] =>
        isRecord(each)
          ? numbersOf(each["number"]).map((number) => ({ ...each, number }))
          : numbersOf(each),
      );
  return {
    ...reply,
    memories: reply.memories.map((memory) =>
      Object.assign({}, memory, { replaces: replacedBy(memory["replaces"]) }),
    ),
    ended: numbersOf(reply.ended ?? []),
    built: numbersOf(reply.built ?? []),
  };
}

const slotOf = (text: string): string => text.split(": ")[0] ?? text;
