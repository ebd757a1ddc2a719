/**
 * Acts that can be seen in a command: words for each ("push"), or a verb and its object ("create" + "branches"), in
 * either order. Pure.
 */
import { any, before, behind, list, names, places } from "./ban-lists.ts";
import { aloneOr, either, letters } from "./lists.ts";

export interface Act {
  /** The act in English: "push", "run tests". */
  readonly kind: string;
  /** Its commands take no options of the sentence. */
  readonly isSpecial: boolean;
  /** Acts of a higher rank say more than others whose words they contain. */
  readonly rank: 0 | 1 | 2;
  /** Forbidden only of a place that is named: production. */
  readonly needsPlace: boolean;
  /** In English, beside what forbids it. */
  readonly banned: RegExp;
  /** In any language. */
  readonly named: RegExp;
  readonly commands: readonly (readonly string[])[];
}

/** They say more than the act that their words begin with. */
const special = new Set([
  "amend commits",
  "force push",
  "skip hooks",
  "install globally",
  "push images",
  "create tags",
  "create releases",
]);

/** "commit secrets", "push notifications": what follows an act in English may make it another one. */
const bareAct = String.raw`(?= *$| (?:--[a-z]|(?:${any("after an act")})(?!\p{L})))`;

/** Adverbs, articles and adjectives between a verb and its object; a preposition leads to something else. */
const between = String.raw`(?: (?!(?:${any("prepositions")}) )[\p{L}'-]+){0,4} `;
const betweenUnspaced = String.raw`[^、。，；]{0,8}?`;

const handsOff = `(?:${any("off")})${between}`;

/** A verb and its object, from "<create> + <branches>". */
interface Pair {
  readonly verb: string;
  readonly object: string;
}
const pairOf = (line: string): Pair | null => {
  const [, verb, object] = /^<(.+)> \+ <(.+)>$/u.exec(line) ?? [];
  return verb === undefined || object === undefined ? null : { verb, object };
};

const spaced = (name: string): string => aloneOr(letters, list(name));
const unspaced = (name: string): string => `(?:${either(places(name))})`;
const namedPair = ({ verb, object }: Pair): string =>
  either([
    spaced(verb) + between + spaced(object),
    spaced(object) + between + spaced(verb),
    `${unspaced(verb)}(?:新的?|任何| )*${unspaced(object)}`,
    `${unspaced(object)} ?[をはのも]?${betweenUnspaced}${unspaced(verb)}`,
  ]);

const kinds: readonly string[] = names.flatMap((name) =>
  name.startsWith("does ") ? name.slice("does ".length) : [],
);
export const acts: readonly Act[] = kinds.map((kind) => {
  const lines = list(`act ${kind}`);
  const pairs = lines.flatMap((line) => pairOf(line) ?? []);
  const single = lines.filter((line) => pairOf(line) === null);
  const english = pairs.map(({ verb, object }) => `(?:${any(verb)})${between}(?:${any(object)})`);
  const words = either([...single, ...english]);
  const alone = single.length === 0 && pairs.length > 0 ? [] : [spaced(`act ${kind}`)];
  return {
    kind,
    isSpecial: special.has(kind),
    needsPlace: kind === "change databases",
    rank: special.has(kind) ? 2 : pairs.length > 0 ? 1 : 0,
    banned: new RegExp(
      either([
        String.raw`${before}(?:\p{L}+ (?:and|or) )?(?:${words})${bareAct}`,
        String.raw`(?<!\p{L})no (?=\p{L}+ing(?!\p{L}))(?:${words})`,
        String.raw`^no (?:direct |further |more )?(?:${words})(?:e?s)?${bareAct}`,
        String.raw`(?<!\p{L})leave (?:all |any |the )*(?:${words}) (?:to|for) me(?!\p{L})`,
        ...pairs.map(({ verb, object }) => `^no ${spaced(object)} (?:${any(verb)})s?${bareAct}`),
        ...pairs
          .filter(({ verb }) => verb === "write")
          .map(({ object }) => handsOff + spaced(object)),
        String.raw`(?:${words})(?: (?:to|on|into) [\w./-]+)?${behind}`,
      ]),
      "u",
    ),
    named: new RegExp(either([...alone, ...places(`act ${kind}`), ...pairs.map(namedPair)]), "u"),
    commands: list(`does ${kind}`).map((line) => line.split(" ")),
  };
});

/** The acts that a clause in lower case forbids; `isOther`: in a language that may say so on either side of them. */
export function actsIn(plain: string, isOther: boolean): readonly Act[] {
  const found: Act[] = [];
  let rest = plain;
  for (const some of byPrecision) {
    const next = forbidden(some, rest, isOther);
    found.push(...next);
    // "Force push" and "提交 pull request" hold the words of another act.
    for (const { named } of next) rest = rest.replace(named, "x");
  }
  return found;
}
const byPrecision = ([2, 1, 0] as const).map((rank) => acts.filter((act) => act.rank === rank));

function forbidden(some: readonly Act[], plain: string, isOther: boolean): readonly Act[] {
  const sayings = [plain, ...secondObject(plain), ...withoutAdverb(plain)];
  return some.filter(({ banned, named }) =>
    sayings.some((said) => banned.test(said) || (isOther && named.test(said))),
  );
}

/** "Drop tables or databases" is also "drop databases". */
const secondObject = (plain: string): readonly string[] => {
  const said = plain.replace(/(?<=\p{L}) (?:the |any |a )?\p{L}+ (?:or|and|nor)(?= \p{L})/u, "");
  return said === plain ? [] : [said];
};

/** "Führe nie die Migrationen aus": the adverb stands within the act. */
const withoutAdverb = (plain: string): readonly string[] => {
  const said = plain.replace(adverb, "");
  return said === plain ? [] : [said];
};
const adverb = new RegExp(
  String.raw`(?<=\p{L}) (?:nie(?:mals)?|nicht|jamais|pas|plus|nunca|jamás|nunca mais|никогда)(?= \p{L})` +
    "|(?<=[はを])(?:絶対に?|決して|二度と)|(?<=[要别许准得])(?:再|随便|擅自)",
  "u",
);
