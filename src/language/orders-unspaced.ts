/** Orders to remember in scripts without spaces: Chinese, and Japanese, whose verb stands last. Pure. */
import { memoised } from "#kit";
import chineseText from "./lists/orders-chinese.txt" with { type: "text" };
import japaneseText from "./lists/orders-japanese.txt" with { type: "text" };
import { allListsOf, either, filled } from "./lists.ts";
import { isMomentary, isReason } from "./orders-clause.ts";
import {
  headed,
  keeping,
  type OrderKind,
  pointingAt,
  type SentenceOrder,
} from "./orders-common.ts";
import { atTheEnd, saysNothing, tellsWho } from "./orders-patterns.ts";
import { isThingWithRemark } from "./orders-things.ts";

/** Pattern of a label before a colon, or of a sentence's head. */
interface Head {
  readonly kind: OrderKind;
  readonly pattern: RegExp;
}

interface Grammar {
  readonly pattern: (name: string) => RegExp;
  readonly labels: readonly Head[];
  readonly standing: readonly Head[];
}

/** Reads a grammar from its file: patterns by their names, and groups of heads in the order of the file. */
function grammarOf(text: string): Grammar {
  const lists = allListsOf(text);
  const compiled = (pattern: string): RegExp => new RegExp(filled(pattern, lists), "u");
  const heads = (group: string): readonly Head[] =>
    [...lists].flatMap(([name, all]) => {
      const [start, kind] = name.split(", ");
      if (start !== group) return [];
      return all.map((one) => ({ kind: kind as OrderKind, pattern: compiled(one) }));
    });
  return {
    pattern: memoised((name) => compiled(either(lists.get(name) ?? []))),
    labels: heads("label"),
    standing: heads("standing"),
  };
}

/** Reads one sentence; null when it orders nothing in these languages. */
export function unspacedOrder(said: string): SentenceOrder | null {
  if (!/[\u3040-\u30ff\u4e00-\u9fff]/u.test(said)) return null;
  return /[\u3040-\u30ff]/u.test(said)
    ? (japaneseOrder(said) ?? labelledOrder(said, japanese.labels) ?? japaneseHeads(said))
    : (chineseOrder(said) ?? labelledOrder(said, chinese.labels) ?? chineseHeads(said));
}

const isAsked = (said: string): boolean => /[?？]\s*$|[吗呢么嗎]\s*[。！]?$/u.test(said);

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** Letters below which nothing is said. */
const matterMin = 4;

const upTo = (said: string, start: number): NonNullable<SentenceOrder["matter"]> => ({
  start,
  end: said.length,
});

/** "规则：X", "ルール：X". */
function labelledOrder(said: string, labels: readonly Head[]): SentenceOrder | null {
  const lead = courtesy.exec(said)?.[0].length ?? 0;
  const head = said.slice(lead);
  for (const { kind, pattern } of labels) {
    const match = pattern.exec(head);
    if (match === null) continue;
    const start = lead + match[0].length;
    const matter = said.slice(start);
    if (matter.trim() === "") return pointingAt("below", 0, kind);
    if (lettersIn(matter) >= matterMin)
      return keeping(kind === "fact" ? kindOf(matter) : kind, upTo(said, start));
  }
  return null;
}
const courtesy =
  /^(?:(?:好的?|谢谢|另外|对了|还有|あと|それと|ちなみに|了解|ありがとうございます|OK)[，,、。！!\s]*)*/u;

/** Kind of what is to be kept, by its head or end. */
const kindOf = (matter: string): OrderKind => (rule.test(matter.trim()) ? "rule" : "fact");
const rule =
  /^(?:必须|不要|不准|禁止|永远|绝不|千万|一律|每次|从现在|以后|今后|必ず|絶対|常に|毎回|今後は)|(?:すること|しないこと)[。！!]*$/u;

// Chinese.

const chinese = grammarOf(chineseText);

/** An order to remember; null where the verb recalls, denies or asks. */
function chineseOrder(said: string): SentenceOrder | null {
  const match = chinese.pattern("keep").exec(said);
  if (match === null) return null;
  const { index, 0: verb } = match;
  const head = said.slice(0, index);
  const rest = said.slice(index + verb.length);
  // 你能记住…吗还是…
  if (/^(?:你|您)?(?:能|可以|会)/u.test(head) && /吗(?:[，,]|还是|或)/u.test(rest)) return null;
  const isOnlyAsked =
    isAsked(said) && !/可以|能|麻烦|请|帮/u.test(head) && !chinese.pattern("polite end").test(rest);
  if (isOnlyAsked || isOfOthers(head)) return null;
  return takenBefore(head) ?? ordered(said, { index, verb, head, rest });
}

const isOfOthers = (head: string): boolean => chinese.pattern("not mine").test(head);

/** 千万别把 X 记下来. */
function deniesKeeping(said: string): boolean {
  const head = said.slice(0, chinese.pattern("keep").exec(said)?.index ?? 0);
  return isOfOthers(head.replace(/(?:把|将).*$/u, "")) && !/我们?$/u.test(head);
}

/** 把 X 记下来. */
function takenBefore(head: string): SentenceOrder | null {
  const [, before = "", taken = ""] = chinese.pattern("lead").test(head)
    ? []
    : (/^(.*?)(?:把|将)(.{2,})$/u.exec(head) ?? []);
  if (taken === "" || isOfOtherVerb(taken) || isOfOthers(before)) return null;
  if (saysNothing(taken)) return pointingAt("above");
  if (lettersIn(taken) < matterMin) return null;
  return keeping("fact", upTo(head, head.length - taken.length));
}

/** 把 X 抽出来，另外记住: the object of another verb. */
function isOfOtherVerb(taken: string): boolean {
  const [, lead = null] = /[，,]([^，,]*)$/u.exec(taken) ?? [];
  return lead !== null && chinese.pattern("lead").test(lead);
}

interface Parts {
  readonly index: number;
  readonly verb: string;
  readonly head: string;
  readonly rest: string;
}

function ordered(said: string, { index, verb, head, rest }: Parts): SentenceOrder | null {
  const before = chineseClause(head);
  if (before < 0) return null;
  const [tail = ""] = chinese.pattern("tail").exec(rest) ?? [];
  const start = index + verb.length + tail.length;
  const matter = said.slice(start);
  if (lettersIn(matter.replace(chinese.pattern("thanks"), "")) < matterMin)
    return pointed(said, start, before);
  if (isAside(rest, matter)) return pointingAt("above", before);
  if (saysNothing(matter)) return isAsked(said) ? null : pointingAt("above", before);
  const isAct =
    /记得|記得|忘/u.test(verb) && !/[：:]/u.test(tail) && !chinese.pattern("copula").test(matter);
  return isAct || asks(matter) ? null : keeping(kindOf(matter), upTo(said, start), before);
}

const asks = (matter: string): boolean =>
  /^(?:怎么|如何|什么|谁|哪|为什么|的)/u.test(matter) && !tellsWho(matter);

/** Has its object above: what stands behind it is a reason, a remark, or where it holds. */
const isAside = (rest: string, matter: string): boolean =>
  isReason(matter) || isThingWithRemark(rest) || chinese.pattern("scope").test(rest);

/** An order with nothing said behind it: a number alone is, else it points. */
function pointed(said: string, start: number, before: number): SentenceOrder | null {
  const rest = said.slice(start);
  if (lettersIn(rest) > 0 && !chinese.pattern("thanks").test(rest) && !saysNothing(rest))
    return /\d/u.test(rest) ? keeping("fact", upTo(said, start), before) : null;
  return pointingAt(/[：:]\s*$/u.test(said) ? "below" : "above", before);
}

function chineseClause(head: string): number {
  const lead = chinese.pattern("lead");
  if (lead.test(head)) return 0;
  for (const { index, 0: mark } of [...head.matchAll(/[，,；;：:、—–-]+\s*/gu)].reverse())
    if (lead.test(head.slice(index + mark.length))) return index;
  return -1;
}

/** Sentences that hold by their head. */
function chineseHeads(said: string): SentenceOrder | null {
  if (isAsked(said) || deniesKeeping(said)) return null;
  const hence = chinese.pattern("hence").exec(said);
  if (hence !== null) {
    const start = hence[0].search(/从现在|从今|以后|今后|往后|此后|日后|之后都|下次/u);
    const rest = said.slice(hence[0].length);
    const isNoRule = lettersIn(rest) < 3 || putOff.test(rest) || isMomentary(rest);
    return isNoRule ? null : keeping("rule", upTo(said, start));
  }
  const bare = said.replace(/^(?:好的?|谢谢|请|另外|对了|还有|也|嗯)[，,。！!\s]*/u, "");
  const behind = bare.replace(/^[^，,]{2,20}(?:时|的时候|之前|以前|之后|以后)[，,]\s*/u, "");
  const head = isMomentary(said)
    ? undefined
    : chinese.standing.find(({ pattern }) => pattern.test(bare) || pattern.test(behind));
  return head === undefined ? null : headed(head.kind, upTo(said, said.length - bare.length));
}
const putOff = /^再(?:说|看|做|处理|讨论|改|弄|考虑|来|加|优化)|^(?:可能|也许|会不会|我会|我们会)/u;

// Japanese.

const japanese = grammarOf(japaneseText);
const next = new RegExp(`^${japanese.pattern("next").source}`, "u");

/** An order to remember; null where the verb recalls or asks, or names an act for once. */
function japaneseOrder(said: string): SentenceOrder | null {
  const first = japanese.pattern("order first").exec(said);
  if (first !== null) return behind(said, first[0].length);
  const match = japanese.pattern("keep").exec(said);
  if (match === null || /(?:ほし|欲し)くな/u.test(said.slice(match.index))) return null;
  const { index, 0: verb } = match;
  const head = said
    .slice(0, index)
    .replace(japanese.pattern("trail"), "")
    .replace(japanese.pattern("everywhere first"), "");
  const isTurned = next.test(said.slice(index + verb.length));
  const isBelow = !isTurned && /[：:、，]$/u.test(verb.trim());
  if (!japanese.pattern("pointer").test(head)) return isBelow ? null : stated(said, head, verb);
  return isBelow ? behind(said, index + verb.length) : pointingAt("above");
}

/** Length of what leads to a sentence. */
const leadIn = (said: string): number => japanese.pattern("lead").exec(said)?.[0].length ?? 0;

/** Returns the text before the verb, without a last clause that only points at it. */
function stated(said: string, head: string, verb: string): SentenceOrder | null {
  const start = leadIn(said);
  const [, clause = "", last = ""] = /^(.*[、，,。])\s*([^、，,。]*)$/u.exec(head) ?? [];
  const isPointed = clause !== "" && japanese.pattern("pointer").test(last);
  const own = isPointed ? clause.replace(/[、，,]$/u, "") : head;
  const says = own.slice(start);
  if (isActOrQuestion(said, own, verb)) return null;
  if (says !== "" && saysNothing(last || says)) return pointingAt("above");
  if (lettersIn(says) < matterMin) return null;
  const before = requestEnd(said.slice(0, said.indexOf(verb)), own);
  const from = before === 0 ? start : before + 1;
  return keeping(kindOf(own), { start: from, end: own.length }, before);
}

/** 並び替えを実装して、最後の列を…: a noun is the object, and the clause before it is another's. */
const requestEnd = (head: string, own: string): number =>
  /(?<!こと|の|点)を$/u.test(head) ? own.search(lastClause) + 1 : 0;
const lastClause = /[てで][、，][^、，。]+$/u;

function behind(said: string, end: number): SentenceOrder {
  const rest = said.slice(end);
  if (isReason(rest)) return pointingAt("above");
  if (lettersIn(rest) < matterMin) return pointingAt("below");
  return keeping(kindOf(rest), upTo(said, end));
}

function isActOrQuestion(said: string, head: string, verb: string): boolean {
  const isWritten = /^(?:メモ|記録|書き留め|控え)/u.test(verb);
  if (isWritten && intoFile.test(said.slice(0, said.indexOf(verb)))) return true;
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
function japaneseHeads(said: string): SentenceOrder | null {
  if (isAsked(said) || isMomentary(said)) return null;
  const start = leadIn(said);
  const hence = japanese.pattern("hence").exec(said);
  if (hence !== null) {
    const tells =
      /(?:私|僕|俺)(?:が|は)/u.test(said) ||
      japanese.pattern("supposes").test(said) ||
      lettersIn(said) < 6;
    if (!tells && (japanese.pattern("command end").test(said) || hence.index <= start + 3))
      return keeping("rule", upTo(said, start));
  }
  const head = japanese.standing.find(({ pattern }) => pattern.test(said.slice(start)));
  return head === undefined ? null : headed(head.kind, upTo(said, start));
}
