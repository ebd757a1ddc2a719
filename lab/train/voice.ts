/**
 * Reads a voice: one invented developer's sessions with the facts that matter in them and the prompts that need them
 * later (`lab/train/voices/*.voice`; the format is told in `lab/train/README.md`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface VoiceTurn {
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly answer: string;
  readonly facts: readonly VoiceFact[];
  /** Literal pieces that must not become a memory, with the reason. */
  readonly forbidden: readonly { readonly reason: string; readonly text: string }[];
}

export interface VoiceFact {
  readonly id: string;
  readonly category: string;
  /** Null = everywhere. */
  readonly project: string | null;
  readonly source: "U" | "A";
  /** Each must occur; alternatives are separated by `/`. */
  readonly anchors: readonly string[];
  readonly statement: string;
  readonly replaces: string | null;
}

export interface VoiceSession {
  readonly id: string;
  readonly project: string;
  readonly startMs: number;
  readonly turns: readonly VoiceTurn[];
}

export interface VoiceProbe {
  readonly kind: string;
  readonly project: string;
  readonly atMs: number;
  readonly needs: readonly string[];
  readonly stale: readonly string[];
  readonly prompt: string;
}

export interface Voice {
  readonly name: string;
  /** Remote by name of the project; null = none. */
  readonly projects: ReadonlyMap<string, string | null>;
  /** In the order of time. */
  readonly sessions: readonly VoiceSession[];
  readonly probes: readonly VoiceProbe[];
  readonly facts: ReadonlyMap<string, VoiceFact>;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };
interface OpenTurn {
  prompt: string;
  tools: string[];
  answer: string;
  facts: VoiceFact[];
  forbidden: { reason: string; text: string }[];
}

/** Reads a file; lines that are not of the format are left out (`check.py` of the format names them). */
export function readVoice(path: string): Voice {
  const projects = new Map<string, string | null>();
  const sessions: (Omit<Open<VoiceSession>, "turns"> & { turns: OpenTurn[] })[] = [];
  const probes: Open<VoiceProbe>[] = [];
  const facts = new Map<string, VoiceFact>();
  let more: ((line: string) => void) | null = null;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const turn = sessions.at(-1)?.turns.at(-1);
    if (line === "|" || line.startsWith("| ")) {
      more?.(`\n${line.slice(2)}`);
      continue;
    }
    const [word = "", ...rest] = line.split(" ");
    const text = line.slice(word.length + 1).trim();
    if (word === "project") projects.set(rest[0] ?? "", rest[1] ?? null);
    else if (word === "session") {
      const [id = "", project = "", start = ""] = rest;
      sessions.push({ id, project, startMs: Date.parse(`${start}:00Z`), turns: [] });
    } else if (word === "U>") {
      const open: OpenTurn = { prompt: text, tools: [], answer: "", facts: [], forbidden: [] };
      sessions.at(-1)?.turns.push(open);
      more = (next) => void (open.prompt += next);
    } else if (word === "A>" && turn !== undefined) {
      turn.answer = text;
      more = (next) => void (turn.answer += next);
    } else if (word === "T>" && turn !== undefined) {
      const at = turn.tools.push(text) - 1;
      more = (next) => void (turn.tools[at] += next);
    } else if (word === "F>" && turn !== undefined) {
      const fact = readFact(line);
      if (fact === null) continue;
      turn.facts.push(fact);
      facts.set(fact.id, fact);
    } else if (word === "X>" && turn !== undefined) {
      const [reason = ""] = rest;
      turn.forbidden.push({ reason, text: text.slice(reason.length).trim() });
    } else if (word === "probe") {
      const probe = readProbe(line);
      if (probe !== null) {
        probes.push(probe);
        more = (next) => void (probe.prompt += next);
      }
    }
  }
  const name = basename(path, ".voice");
  return {
    name,
    projects,
    sessions: sessions.toSorted((a, b) => a.startMs - b.startMs),
    probes,
    facts,
  };
}

function readFact(line: string): VoiceFact | null {
  const match =
    /^F>\s*(\S+)\s+(\S+)\s+(\S+)\s+([UA])\s+((?:\[[^\]]+\]\s*)+)(.*?)(?:\s<(\S+))?\s*$/u.exec(line);
  if (match === null) return null;
  const [, id = "", category = "", project = "", source, anchors = "", statement = "", old] = match;
  return {
    id,
    category,
    project: project === "global" ? null : project,
    source: source === "A" ? "A" : "U",
    anchors: [...anchors.matchAll(/\[([^\]]+)\]/gu)].map(([, anchor = ""]) => anchor),
    statement,
    replaces: old ?? null,
  };
}

function readProbe(line: string): Open<VoiceProbe> | null {
  const match = /^probe\s+(\S+)\s+(\S+)\s+(\d{4}-\d\d-\d\d)\s*((?:!?\S+\s+)*?)>\s*(.+)$/u.exec(
    line,
  );
  if (match === null) return null;
  const [, kind = "", project = "", date = "", ids = "", prompt = ""] = match;
  const words = ids.split(/\s+/u).filter(Boolean);
  return {
    kind,
    project,
    atMs: Date.parse(`${date}T10:00:00Z`),
    needs: words.filter((id) => !id.startsWith("!")),
    stale: words.filter((id) => id.startsWith("!")).map((id) => id.slice(1)),
    prompt,
  };
}

/** All voices of a folder, by name. */
export const readVoices = (folder: string): readonly Voice[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".voice"))
    .toSorted()
    .map((name) => readVoice(join(folder, name)));

/** Lower case, words separated by one space, decimals kept together: what anchors are compared in. */
export const normalised = (text: string): string => {
  const joined = text.toLowerCase().replace(/(\d)[.:](?=\d)/gu, "$1§");
  return ` ${joined
    .replace(/[^\p{L}\p{N}\p{M}§]+/gu, " ")
    .replaceAll("§", ".")
    .trim()} `;
};

const wordless = /[\u3040-\u30ff\u3400-\u9fff]/u;

function holdsAnchor(text: string, anchor: string): boolean {
  return anchor.split("/").some((alternative) => {
    const one = normalised(alternative).trimEnd();
    if (one.trim() === "") return false;
    const known = wordless.test(one) ? one.trim() : one;
    return text.includes(/\d$/u.test(known) ? `${known} ` : known);
  });
}

/** Does a text say a fact? All of its anchors occur in it. */
export const says = (text: string, fact: VoiceFact): boolean => holdsFact(normalised(text), fact);

/** The same of a text that is `normalised` already: what is asked many times of one text. */
export const holdsFact = (plain: string, fact: VoiceFact): boolean =>
  fact.anchors.every((anchor) => holdsAnchor(plain, anchor));
