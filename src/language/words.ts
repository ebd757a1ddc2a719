/**
 * Words of a text as the memory engine compares them: lower case, without stop words, lightly stemmed.
 * English only by nature; other languages fall back to their plain words. Pure; knows nothing of memories.
 */
import { memoised } from "#kit";

const stopWords = new Set(
  (
    "a an the this that these those there here it its it's they them their he she his her him we us our ours you your " +
    "i me my mine is are was were be been being am do does did done have has had having will would can could shall should " +
    "may might must of in on at to for from by with without about into onto over under as than then so if or and but not no " +
    "nor never always only just also too very really quite still yet already now again ever any some all every each both " +
    "either neither one ones such same other another more most less least much many few own out up down off via per when " +
    "while where which who whom whose what why how because since until before after during between through don dont don't " +
    "doesn doesnt doesn't didn didnt didn't isn isnt isn't aren arent aren't wasn wasnt wasn't won wont won't can't cant " +
    "cannot couldn couldnt couldn't shouldn shouldnt shouldn't let lets let's im i'm we're were they're theyre you're youre " +
    "ill i'll we'll well i've we've ive weve thats that's whats what's pls please thx thanks ok okay yes yeah btw oh ah hmm " +
    "get gets got getting go goes going gone went make makes made thing things stuff etc like s t re ve ll d m"
  ).split(" "),
);

/**
 * Abbreviations that mean exactly the longer word, so that "db" and "database" are one word when texts are compared.
 */
const longForms: Readonly<Record<string, string>> = {
  db: "database",
  dbs: "database",
  pg: "postgres",
  postgresql: "postgres",
  k8s: "kubernetes",
  repo: "repository",
  repos: "repository",
  prod: "production",
  stage: "staging",
  dev: "development",
  env: "environment",
  config: "configuration",
  cfg: "configuration",
  docs: "documentation",
  doc: "documentation",
  prs: "pr",
  ids: "id",
  apis: "api",
  urls: "url",
  vms: "vm",
  sdks: "sdk",
  auth: "authentication",
  deps: "dependency",
  dep: "dependency",
  max: "maximum",
  min: "minimum",
  msg: "message",
  perf: "performance",
  spec: "test",
  graph: "chart",
  reply: "answer",
  response: "answer",
  js: "javascript",
  ts: "typescript",
  py: "python",
  // Short for "package manager"; nothing else in this trade is called so.
  pm: "pm",
};

/** Longest word that is stemmed; longer runs are data. */
const stemLengthMax = 24;

/** Past forms that no ending gives away. */
const baseForms: Readonly<Record<string, string>> = {
  used: "use",
  kept: "keep",
  chose: "choose",
  chosen: "choose",
  ran: "run",
  sent: "send",
  wrote: "write",
  written: "write",
  built: "build",
  held: "hold",
  drawn: "draw",
  drew: "draw",
  taken: "take",
  took: "take",
  left: "leave",
  lost: "lose",
  found: "find",
  paid: "pay",
  said: "say",
  told: "tell",
  broke: "break",
  broken: "break",
  hidden: "hide",
  bound: "bind",
  led: "lead",
  met: "meet",
  threw: "throw",
  thrown: "throw",
};

/** Endings by what to do with them, longest first; `min` is the shortest word that can carry one. */
const endings: readonly {
  readonly pattern: RegExp;
  readonly min: number;
  readonly base: (word: string) => string;
}[] = [
  { pattern: /ie[sd]$/, min: 5, base: (word) => `${word.slice(0, -3)}y` },
  { pattern: /(?:ss|x|zz|ch|sh)es$/, min: 4, base: (word) => word.slice(0, -2) },
  { pattern: /(?<!s|u|i)s$/, min: 4, base: (word) => stem(word.slice(0, -1)) },
  { pattern: /ing$/, min: 6, base: (word) => undouble(word.slice(0, -3)) },
  { pattern: /ed$/, min: 5, base: (word) => undouble(word.slice(0, -2)) },
  { pattern: /e$/, min: 4, base: (word) => word.slice(0, -1) },
];

/** A light stem: plural, -ing and -ed endings. Wrong stems do no harm as long as they are wrong alike. */
export function stem(word: string): string {
  if (word.length > stemLengthMax || /[^a-z]/.test(word)) return word;
  const ending = endings.find(({ pattern, min }) => word.length >= min && pattern.test(word));
  return ending === undefined ? word : ending.base(word);
}

/** "runn" → "run", "controll" → "control", but "call" stays; a final e that -ing swallowed is dropped on both sides. */
const undouble = (base: string): string => {
  const isDoubled = /([bdgkmnprt])\1$/.test(base)
    ? base.length > 3
    : base.endsWith("ll") && base.length > 5;
  if (isDoubled) return base.slice(0, -1);
  return base.endsWith("e") ? base.slice(0, -1) : base;
};

/** Lower-case words of a text in order; identifiers keep their inner punctuation (`acme-api`, `src/lock.ts`). */
export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[_./@'’-](?=[\p{L}\p{N}]))*/gu) ?? [];

export const isStopWord = (word: string): boolean => stopWords.has(word);

/** Forms that are kept at hand: about the working vocabulary of a project. */
const wordsKept = 5_000;

/** The form under which a word is compared: long form of an abbreviation, then stem. */
export const canonicalWord = memoised((word: string): string => {
  const told = word.replace(/['’]s$/, "");
  const bare = Object.hasOwn(baseForms, told) ? (baseForms[told] ?? told) : told;
  const known = Object.hasOwn(longForms, bare) ? longForms[bare] : undefined;
  if (known !== undefined) return stem(known);
  const base = stem(bare);
  const again = Object.hasOwn(longForms, base) ? longForms[base] : undefined;
  return again === undefined ? base : stem(again);
}, wordsKept);

/** Content words in order, canonical, without stop words. */
export const contentWords = memoised((text: string): readonly string[] =>
  wordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(canonicalWord),
);

/** Share of the union that two sets have in common; 0 when both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b);
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

export const sharedCount = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared;
};
