/** Shared parts of the grammars of Chinese and Japanese orders. Pure. */
import { allListsOf, either, filled } from "./lists.ts";

export type OrderKind = "cause" | "decision" | "fact" | "place" | "rule" | "technique";

/** An order as it stands in a sentence. */
export interface SentenceOrder {
  readonly kind: OrderKind;
  /** True for an order in so many words; false for the head of a sentence that is worth keeping. */
  readonly isOutright: boolean;
  /** The place of the matter in the sentence; null when the order points at something outside of it. */
  readonly matter: { readonly start: number; readonly end: number } | null;
  /** Side that an order without matter points at: `below` after a colon. */
  readonly points: "above" | "below";
  /** End of what the sentence says before the order; 0 when the order stands at its head. */
  readonly before: number;
}

/** Pattern of a label before a colon, or of a sentence's head. */
export interface Head {
  readonly kind: OrderKind;
  readonly pattern: RegExp;
}

/** Reads a grammar from its file: patterns by their names, and groups of heads in the order of the file. */
export function grammarOf(text: string): {
  readonly pattern: (name: string) => RegExp;
  readonly heads: (group: string) => readonly Head[];
} {
  const lists = allListsOf(text);
  const compiled = (pattern: string): RegExp => new RegExp(filled(pattern, lists), "u");
  return {
    pattern: (name) => compiled(either(lists.get(name) ?? [])),
    heads: (group) =>
      [...lists].flatMap(([name, patterns]) => {
        const [start, kind] = name.split(", ");
        if (start !== group) return [];
        return patterns.map((one) => ({ kind: kind as OrderKind, pattern: compiled(one) }));
      }),
  };
}

export const isAsked = (said: string): boolean => /[?？]\s*$|[吗呢么嗎]\s*[。！]?$/u.test(said);

export const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** Letters below which nothing is said. */
export const matterMin = 4;

export const fact = { isOutright: true, points: "above" } as const;

export const at = (
  start: number,
  end: number,
): { readonly start: number; readonly end: number } => ({ start, end });

/** A sentence that is kept for its head. */
export const headOf = (said: string, start: number, kind: OrderKind): SentenceOrder => ({
  isOutright: false,
  points: "above",
  before: 0,
  kind,
  matter: at(start, said.length),
});

/** "规则：X", "ルール：X". */
export function labelledOrder(said: string, labels: readonly Head[]): SentenceOrder | null {
  const lead =
    /^(?:(?:好的?|谢谢|另外|对了|还有|あと|それと|ちなみに|了解|ありがとうございます|OK)[，,、。！!\s]*)*/u.exec(
      said,
    )?.[0].length ?? 0;
  const head = said.slice(lead);
  for (const { kind, pattern } of labels) {
    const match = pattern.exec(head);
    if (match === null) continue;
    const start = lead + match[0].length;
    const outer = { isOutright: true, before: 0 } as const;
    const matter = said.slice(start);
    if (matter.trim() === "") return { ...outer, kind, matter: null, points: "below" };
    if (lettersIn(matter) < matterMin) continue;
    return {
      ...outer,
      kind: kind === "fact" ? unspacedKind(matter) : kind,
      matter: at(start, said.length),
      points: "above",
    };
  }
  return null;
}

/** Kind of what is to be kept, by its head or end. */
export const unspacedKind = (matter: string): OrderKind =>
  /^(?:必须|不要|不准|禁止|永远|绝不|千万|一律|每次|从现在|以后|今后)|^(?:必ず|絶対|常に|毎回|今後は)|(?:すること|しないこと)[。！!]*$/u.test(
    matter.trim(),
  )
    ? "rule"
    : "fact";
