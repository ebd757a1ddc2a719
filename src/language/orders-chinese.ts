/** The grammar of orders to remember in Chinese. Pure. */
import text from "./lists/orders-chinese.txt" with { type: "text" };
import {
  type SentenceOrder,
  at,
  fact,
  grammarOf,
  headOf,
  isAsked,
  lettersIn,
  matterMin,
  unspacedKind,
} from "./orders-common.ts";
import { isReason } from "./orders-clause.ts";
import { saysNothing, tellsWho } from "./orders-patterns.ts";
import { isThingWithRemark } from "./orders-things.ts";

const { pattern, heads } = grammarOf(text);
const chineseKeep = pattern("keep");
const chineseLead = pattern("lead");
const chineseTail = pattern("tail");
const chineseScope = pattern("scope");
const chineseCopula = pattern("copula");
const notMine = pattern("not mine");
const politeEnd = pattern("polite end");
const thanksHead = pattern("thanks");
const chineseHence = pattern("hence");
export const chineseLabels = heads("label");
const chineseStanding = heads("standing");

/** An order to remember; null where the verb recalls, denies or asks. */
export function chineseOrder(said: string): SentenceOrder | null {
  const match = chineseKeep.exec(said);
  if (match === null) return null;
  const { index, 0: verb } = match;
  const head = said.slice(0, index);
  const rest = said.slice(index + verb.length);
  // 你能记住…吗还是…
  if (/^(?:你|您)?(?:能|可以|会)/u.test(head) && /吗(?:[，,]|还是|或)/u.test(rest)) return null;
  const isOnlyAsked = isAsked(said) && !/可以|能|麻烦|请|帮/u.test(head) && !politeEnd.test(rest);
  if (isOnlyAsked || notMine.test(head)) return null;
  return takenBefore(head) ?? ordered(said, { index, verb, head, rest });
}

/** 千万别把 X 记下来. */
function deniesKeeping(said: string): boolean {
  const head = said.slice(0, chineseKeep.exec(said)?.index ?? 0);
  return notMine.test(head.replace(/(?:把|将).*$/u, "")) && !/我们?$/u.test(head);
}

/** 把 X 记下来. */
function takenBefore(head: string): SentenceOrder | null {
  const [, before = "", taken = ""] = chineseLead.test(head)
    ? []
    : (/^(.*?)(?:把|将)(.{2,})$/u.exec(head) ?? []);
  if (taken === "" || isOfOther(taken) || notMine.test(before)) return null;
  const outer = { ...fact, kind: "fact", before: 0 } as const;
  if (saysNothing(taken)) return { ...outer, matter: null };
  const matter = at(head.length - taken.length, head.length);
  return lettersIn(taken) < matterMin ? null : { ...outer, matter };
}

/** 把 X 抽出来，另外记住: the object of another verb. */
function isOfOther(taken: string): boolean {
  const [, lead = null] = /[，,]([^，,]*)$/u.exec(taken) ?? [];
  return lead !== null && chineseLead.test(lead);
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
  const [tail = ""] = chineseTail.exec(rest) ?? [];
  const start = index + verb.length + tail.length;
  const matter = said.slice(start);
  const outer = { ...fact, before };
  if (lettersIn(matter.replace(thanksHead, "")) < matterMin) return pointed(said, start, before);
  if (isAside(rest, matter)) return { ...outer, kind: "fact", matter: null };
  if (saysNothing(matter)) return isAsked(said) ? null : { ...outer, kind: "fact", matter: null };
  const isAct = /记得|記得|忘/u.test(verb) && !/[：:]/u.test(tail) && !chineseCopula.test(matter);
  if (isAct || asks(matter)) return null;
  return { ...outer, kind: unspacedKind(matter), matter: at(start, said.length) };
}

const asks = (matter: string): boolean =>
  /^(?:怎么|如何|什么|谁|哪|为什么|的)/u.test(matter) && !tellsWho(matter);

/** Has its object above: what stands behind it is a reason, a remark, or where it holds. */
const isAside = (rest: string, matter: string): boolean =>
  isReason(matter) || isThingWithRemark(rest) || chineseScope.test(rest);

/** An order with nothing said behind it: a number alone is, else it points. */
function pointed(said: string, start: number, before: number): SentenceOrder | null {
  const rest = said.slice(start);
  const outer = { ...fact, before, kind: "fact" } as const;
  if (lettersIn(rest) > 0 && !thanksHead.test(rest) && !saysNothing(rest))
    return /\d/u.test(rest) ? { ...outer, matter: at(start, said.length) } : null;
  return { ...outer, matter: null, points: /[：:]\s*$/u.test(said) ? "below" : "above" };
}

function chineseClause(head: string): number {
  if (chineseLead.test(head)) return 0;
  for (const { index, 0: mark } of [...head.matchAll(/[，,；;：:、—–-]+\s*/gu)].reverse())
    if (chineseLead.test(head.slice(index + mark.length))) return index;
  return -1;
}

/** Sentences that hold by their head. */
export function chineseHeads(
  said: string,
  isMomentary: (matter: string) => boolean,
): SentenceOrder | null {
  if (isAsked(said) || deniesKeeping(said)) return null;
  const hence = chineseHence.exec(said);
  if (hence !== null) {
    const start = hence[0].search(/从现在|从今|以后|今后|往后|此后|日后|之后都|下次/u);
    const rest = said.slice(hence[0].length);
    const isPutOff =
      /^再(?:说|看|做|处理|讨论|改|弄|考虑|来|加|优化)|^(?:可能|也许|会不会|我会|我们会)/u.test(
        rest,
      );
    if (lettersIn(rest) < 3 || isPutOff || isMomentary(rest)) return null;
    return { ...fact, kind: "rule", before: 0, matter: at(start, said.length) };
  }
  const bare = said.replace(/^(?:好的?|谢谢|请|另外|对了|还有|也|嗯)[，,。！!\s]*/u, "");
  const behind = bare.replace(/^[^，,]{2,20}(?:时|的时候|之前|以前|之后|以后)[，,]\s*/u, "");
  const head = isMomentary(said)
    ? undefined
    : chineseStanding.find(({ pattern }) => pattern.test(bare) || pattern.test(behind));
  return head === undefined ? null : headOf(said, said.length - bare.length, head.kind);
}
