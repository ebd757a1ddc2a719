/** Orders to remember where words stand without spaces: Japanese here, Chinese in a file of its own. Pure. */
import text from "./lists/orders-japanese.txt" with { type: "text" };
import { isReason } from "./orders-clause.ts";
import { atTheEnd, saysNothing } from "./orders-patterns.ts";
import {
  at,
  fact,
  grammarOf,
  headOf,
  isAsked,
  labelledOrder,
  lettersIn,
  matterMin,
  type SentenceOrder,
  unspacedKind,
} from "./orders-common.ts";
import { chineseHeads, chineseLabels, chineseOrder } from "./orders-chinese.ts";

// The grammar of orders to remember in Japanese, whose verb stands last. Pure.

const { pattern, heads } = grammarOf(text);
const japaneseKeep = pattern("keep");
const japaneseTrail = pattern("trail");
const japanesePointer = pattern("pointer");
const japaneseLead = pattern("lead");
const orderFirst = pattern("order first");
const everywhereFirst = pattern("everywhere first");
const japaneseHence = pattern("hence");
const commandEnd = pattern("command end");
const supposes = pattern("supposes");
const next = new RegExp(`^${pattern("next").source}`, "u");
const japaneseLabels = heads("label");
const japaneseStanding = heads("standing");

/** An order to remember; null where the verb recalls or asks, or names an act for once. */
function japaneseOrder(said: string): SentenceOrder | null {
  const first = orderFirst.exec(said);
  if (first !== null) return behind(said, first[0].length);
  const match = japaneseKeep.exec(said);
  if (match === null || /(?:ほし|欲し)くな/u.test(said.slice(match.index))) return null;
  const { index, 0: verb } = match;
  const head = said.slice(0, index).replace(japaneseTrail, "").replace(everywhereFirst, "");
  const start = japaneseLead.exec(said)?.[0].length ?? 0;
  const isTurned = next.test(said.slice(index + verb.length));
  const isBelow = !isTurned && /[：:、，]$/u.test(verb.trim());
  if (!japanesePointer.test(head)) return isBelow ? null : stated(said, { head, start, verb });
  if (isBelow) return behind(said, index + verb.length);
  return { ...fact, kind: "fact", matter: null, before: 0 };
}

interface Stated {
  readonly head: string;
  readonly start: number;
  readonly verb: string;
}

/** Returns the text before the verb, without a last clause that only points at it. */
function stated(said: string, { head, start, verb }: Stated): SentenceOrder | null {
  const [, clause = "", last = ""] = /^(.*[、，,。])\s*([^、，,。]*)$/u.exec(head) ?? [];
  const own = clause !== "" && japanesePointer.test(last) ? clause.replace(/[、，,]$/u, "") : head;
  const says = own.slice(start);
  if (isActOrQuestion(said, own, verb)) return null;
  if (says !== "" && saysNothing(last || says))
    return { ...fact, kind: "fact", matter: null, before: 0 };
  return lettersIn(says) < matterMin ? null : behindRequest(said, { own, start, verb });
}

/** The matter, without the clause of another task before it. */
function behindRequest(
  said: string,
  { own, start, verb }: { readonly own: string; readonly start: number; readonly verb: string },
): SentenceOrder {
  const request = isNamed(said.slice(0, said.indexOf(verb))) ? own.search(lastClause) : -1;
  const outer = { ...fact, kind: unspacedKind(own) } as const;
  return request < 0
    ? { ...outer, matter: at(start, own.length), before: 0 }
    : { ...outer, matter: at(request + 2, own.length), before: request + 1 };
}

/** 並び替えを実装して、最後の列を…: a noun is the object, and the clause before it is another's. */
const isNamed = (head: string): boolean => /(?<!こと|の|点)を$/u.test(head);
const lastClause = /[てで][、，][^、，。]+$/u;

function behind(said: string, end: number): SentenceOrder {
  const rest = said.slice(end);
  if (isReason(rest)) return { ...fact, kind: "fact", matter: null, before: 0 };
  return lettersIn(rest) < matterMin
    ? { isOutright: true, kind: "fact", matter: null, points: "below", before: 0 }
    : { ...fact, kind: unspacedKind(rest), matter: at(end, said.length), before: 0 };
}

function isActOrQuestion(said: string, head: string, verb: string): boolean {
  if (
    /^(?:メモ|記録|書き留め|控え)/u.test(verb) &&
    intoFile.test(said.slice(0, said.indexOf(verb)))
  )
    return true;
  if (/[？?]$/u.test(said)) return /(?:どう|何|なに|いつ|どこ|誰|だれ)[^、]*$/u.test(head);
  if (!/忘れ/u.test(verb)) return false;
  if (atTheEnd.test(head) && !/(?:必ず|毎|常に)/u.test(head)) return true;
  const isAct = /(?:する|して|し|り|き|み|ぎ|い)(?:こと|の|を)?$/u.test(head);
  return isAct && !/(?:必ず|毎|前に|後に|常に|時は|ときは)/u.test(head);
}

/** "変更点をCHANGELOGにメモして": written into a file. */
const intoFile =
  /(?:[A-Z]{4,}|[\w./-]+\.\w{2,4}|ファイル|ドキュメント|チケット|コメント|資料|Wiki)(?:の[^、。]{1,8})?(?:に|へ)(?:も)?$/u;

/** Sentences that hold by their head or their end. */
function japaneseHeads(
  said: string,
  isMomentary: (matter: string) => boolean,
): SentenceOrder | null {
  if (isAsked(said)) return null;
  const start = japaneseLead.exec(said)?.[0].length ?? 0;
  const hence = japaneseHence.exec(said);
  if (isMomentary(said)) return null;
  if (hence !== null) {
    const tells = /(?:私|僕|俺)(?:が|は)/u.test(said) || supposes.test(said) || lettersIn(said) < 6;
    if (!tells && (commandEnd.test(said) || hence.index <= start + 3))
      return { ...fact, kind: "rule", matter: at(start, said.length), before: 0 };
  }
  const head = japaneseStanding.find(({ pattern }) => pattern.test(said.slice(start)));
  return head === undefined ? null : headOf(said, start, head.kind);
}

/** Reads one sentence; null when it orders nothing in these languages. */
export function unspacedOrder(
  said: string,
  isMomentary: (matter: string) => boolean,
): SentenceOrder | null {
  if (!/[\u3040-\u30ff\u4e00-\u9fff]/u.test(said)) return null;
  return /[\u3040-\u30ff]/u.test(said)
    ? (japaneseOrder(said) ??
        labelledOrder(said, japaneseLabels) ??
        japaneseHeads(said, isMomentary))
    : (chineseOrder(said) ?? labelledOrder(said, chineseLabels) ?? chineseHeads(said, isMomentary));
}
