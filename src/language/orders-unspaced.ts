/** Orders to remember in Chinese and Japanese, where words stand without spaces. Pure. */
import type { SentenceOrder } from "./orders-common.ts";
import { chineseHeads, chineseLabels, chineseOrder } from "./orders-chinese.ts";
import { labelledOrder } from "./orders-common.ts";
import { japaneseHeads, japaneseLabels, japaneseOrder } from "./orders-japanese.ts";

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
