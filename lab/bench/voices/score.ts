/** Counts a voice's probes: what was told of what was needed, and what should not have been told. */
import {
  holdsFact,
  normalised,
  type Voice,
  type VoiceFact,
  type VoiceProbe,
} from "../../train/voice.ts";
import type { ListedMemory } from "../home/subject.ts";

/** One probe: the start text of its session and what its prompt was given. */
export interface Answered {
  readonly probe: VoiceProbe;
  readonly start: string;
  readonly given: string;
}

/** A probe with what it came to. */
export interface Counted extends Answered {
  /** Needed facts of this project, of everywhere, or of a project that the prompt names. */
  readonly needs: readonly string[];
  readonly found: readonly string[];
  /** The same with the start text. */
  readonly foundAny: readonly string[];
  /** Told, and of another project that the prompt does not name. */
  readonly foreign: readonly string[];
  /** Replaced values that are told as if they held. */
  readonly old: readonly string[];
  readonly oldAtStart: readonly string[];
  /** Facts told that nobody needed. */
  readonly noise: number;
}

/** Figures of one voice; the names are those of `--json`. */
export interface VoiceFigures {
  readonly voice: string;
  readonly facts: number;
  readonly memories: number;
  readonly captured: number;
  readonly prompt: number;
  readonly context: number;
  readonly right: number;
  readonly foreign: number;
  readonly silent: number;
  readonly spoke: number;
  readonly stale: number;
  readonly old_start: number;
  readonly with_stale: number;
  readonly noise: number;
  readonly tokens: number;
  readonly start_tokens: number;
  readonly trivial: number;
  readonly trivial_of: number;
  readonly leaks: readonly string[];
  /** Recall at the prompt and with the start text, by kind of probe. */
  readonly kinds: Readonly<Record<string, readonly [prompt: number, context: number]>>;
}

/** Words by which a text says that a value is past. */
const pastWords = new RegExp(
  String.raw`supersed|outdated|obsolete|no longer|replaced by|formerly|\bwas .* until|~~|not any more|earlier value` +
    String.raw`|\bold value|\(earlier\)`,
  "i",
);

/** A text by its entries, each with its plain form: a line with what is indented below it. */
interface Entry {
  readonly text: string;
  readonly plain: string;
}

function entriesOf(text: string): readonly Entry[] {
  const entries: string[] = [];
  for (const line of text.split("\n")) {
    const isMore = /^\s{2,}\S/u.test(line) && !line.trimStart().startsWith("- ");
    if (isMore && entries.length > 0) entries.push(`${entries.pop()}\n${line}`);
    else entries.push(line);
  }
  return entries.map((entry) => ({ text: entry, plain: normalised(entry) }));
}

const tells = (entries: readonly Entry[], fact: VoiceFact): boolean =>
  entries.some(({ plain }) => holdsFact(plain, fact));

/** `successorsOf` lists what replaced a fact, also by way of others. */
function successorsOf(voice: Voice, id: string): readonly VoiceFact[] {
  const next = [...voice.facts.values()].filter(({ replaces }) => replaces === id);
  return next.concat(next.flatMap((fact) => successorsOf(voice, fact.id)));
}

function isToldAsCurrent(voice: Voice, id: string, entries: readonly Entry[]): boolean {
  const old = voice.facts.get(id);
  if (old === undefined) return false;
  const later = successorsOf(voice, id);
  return entries.some(
    ({ text, plain }) =>
      holdsFact(plain, old) &&
      !pastWords.test(text) &&
      !later.some((fact) => holdsFact(plain, fact)),
  );
}

export function countProbe(voice: Voice, answered: Answered): Counted {
  const { probe } = answered;
  const facts = [...voice.facts.values()];
  const asked = probe.prompt.toLowerCase();
  const isNamed = (project: string | null): boolean =>
    project === null || project === probe.project || asked.includes(project.toLowerCase());
  const given = entriesOf(answered.given);
  const start = entriesOf(answered.start);
  const told = facts.filter((fact) => tells(given, fact));
  // Words that a fact of this project has as well say nothing of another one.
  const isOwn = (fact: VoiceFact): boolean =>
    told.some(
      (own) => isNamed(own.project) && own.anchors.some((anchor) => fact.anchors.includes(anchor)),
    );
  const needs = probe.needs.filter((id) => {
    const fact = voice.facts.get(id);
    return fact !== undefined && isNamed(fact.project);
  });
  const isIn = (id: string, entries: readonly Entry[]): boolean => {
    const fact = voice.facts.get(id);
    return fact !== undefined && tells(entries, fact);
  };
  return {
    ...answered,
    needs,
    found: needs.filter((id) => isIn(id, given)),
    foundAny: needs.filter((id) => isIn(id, given) || isIn(id, start)),
    foreign: told.filter((fact) => !isNamed(fact.project) && !isOwn(fact)).map(({ id }) => id),
    old: probe.stale.filter((id) => isToldAsCurrent(voice, id, given)),
    oldAtStart: probe.stale.filter((id) => isToldAsCurrent(voice, id, start)),
    noise: told.filter(({ id }) => !probe.needs.includes(id)).length,
  };
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

const share = (part: number, whole: number): number => part / Math.max(1, whole);

/** A usual reckoning that needs no tokenizer. */
const tokensOf = (text: string): number => Math.round(text.length / 4);

export interface Scored {
  readonly voice: Voice;
  readonly rows: readonly Counted[];
  readonly memories: readonly ListedMemory[];
  readonly stored: readonly Uint8Array[];
}

export function figuresOf({ voice, rows, memories, stored }: Scored): VoiceFigures {
  const needy = rows.filter(({ needs }) => needs.length > 0);
  const quiet = rows.filter(({ probe }) => probe.kind === "silence");
  const told = rows.filter(({ given }) => given !== "");
  const staleable = rows.filter(({ probe }) => probe.stale.length > 0);
  const needed = sumOf(needy, ({ needs }) => needs.length);
  const known = memories.map(({ l0, l1 }) => entriesOf(`${l0} ${l1 ?? ""}`));
  const facts = [...voice.facts.values()];
  const { trivial, trivialOf } = trivialIn(voice, memories);
  return {
    voice: voice.name,
    facts: facts.length,
    memories: memories.length,
    captured: share(
      facts.filter((fact) => known.some((entries) => tells(entries, fact))).length,
      facts.length,
    ),
    prompt: share(
      sumOf(needy, ({ found }) => found.length),
      needed,
    ),
    context: share(
      sumOf(needy, ({ foundAny }) => foundAny.length),
      needed,
    ),
    right: share(told.filter(({ found }) => found.length > 0).length, told.length),
    foreign: rows.filter(({ foreign }) => foreign.length > 0).length,
    silent: share(quiet.filter(({ given }) => given === "").length, quiet.length),
    spoke: share(needy.filter(({ given }) => given !== "").length, needy.length),
    stale: staleable.filter(({ old }) => old.length > 0).length,
    old_start: staleable.filter(({ oldAtStart }) => oldAtStart.length > 0).length,
    with_stale: staleable.length,
    noise: share(
      sumOf(needy, ({ noise }) => noise),
      needy.length,
    ),
    tokens: share(
      sumOf(told, ({ given }) => tokensOf(given)),
      told.length,
    ),
    start_tokens: share(
      sumOf(rows, ({ start }) => tokensOf(start)),
      rows.length,
    ),
    trivial,
    trivial_of: trivialOf,
    leaks: leaksOf(voice, { rows, memories, stored }),
    kinds: kindsOf(needy),
  };
}

/** Counts the facts that the user said and that hold at the end, those that a memory tells, and lists the missed. */
export function savedIn(voice: Voice, memories: readonly ListedMemory[]) {
  const known = memories.map(({ l0, l1 }) => entriesOf(`${l0} ${l1 ?? ""}`));
  const facts = [...voice.facts.values()];
  const isReplaced = ({ id }: VoiceFact): boolean => successorsOf(voice, id).length > 0;
  const said = facts.filter((fact) => fact.source === "U" && !isReplaced(fact));
  const missed = said.filter((fact) => !known.some((entries) => tells(entries, fact)));
  const stale = facts.filter(
    (fact) => isReplaced(fact) && known.some((entries) => isToldAsCurrent(voice, fact.id, entries)),
  );
  return {
    said: said.length,
    saved: said.length - missed.length,
    stale: stale.map(({ id, statement }) => `${id} ${statement}`),
    missed: missed.map(({ id, statement }) => `${id} ${statement}`),
    trivial: trivialIn(voice, memories).trivial,
  };
}

const flat = (text: string): string => text.toLowerCase().replaceAll(/\s+/gu, " ");

const forbiddenIn = (voice: Voice) =>
  voice.sessions.flatMap(({ turns }) => turns.flatMap(({ forbidden }) => forbidden));

function trivialIn(voice: Voice, memories: readonly ListedMemory[]) {
  const idle = forbiddenIn(voice).filter(({ reason }) => reason === "trivial");
  const lines = memories.map(({ l0 }) => flat(l0));
  return {
    trivial: idle.filter(({ text }) => lines.some((line) => line.includes(flat(text)))).length,
    trivialOf: idle.length,
  };
}

/** Enough to find it by, and no more. */
const shownChars = 12;

/** Secrets and private words in any file, and injected orders in what is remembered or told. */
function leaksOf(
  voice: Voice,
  { rows, memories, stored }: Pick<Scored, "memories" | "rows" | "stored">,
): readonly string[] {
  const files = stored.map((bytes) => Buffer.from(bytes));
  const said = [
    ...memories.map((memory) => JSON.stringify(memory)),
    ...rows.map(({ start, given }) => start + given),
  ];
  return forbiddenIn(voice)
    .filter(({ reason, text }) => {
      if (reason === "injection") return said.some((one) => one.includes(text));
      return reason !== "trivial" && files.some((file) => file.includes(text));
    })
    .map(({ text }) => `${text.slice(0, shownChars)}…`);
}

const thousandths = (figure: number): number => Math.round(figure * 1_000) / 1_000;

function kindsOf(needy: readonly Counted[]): VoiceFigures["kinds"] {
  const kinds = [...new Set(needy.map(({ probe }) => probe.kind))].toSorted();
  return Object.fromEntries(
    kinds.map((kind) => {
      const rows = needy.filter(({ probe }) => probe.kind === kind);
      const needed = sumOf(rows, ({ needs }) => needs.length);
      const told = share(
        sumOf(rows, ({ found }) => found.length),
        needed,
      );
      const known = share(
        sumOf(rows, ({ foundAny }) => foundAny.length),
        needed,
      );
      return [kind, [thousandths(told), thousandths(known)] as const];
    }),
  );
}
