/** Orders to remember where words stand without spaces: Japanese here, Chinese in a file of its own. Pure. */
import { atTheEnd } from "./orders-patterns.ts";
import {
  at,
  fact,
  type Head,
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

const polite =
  String.raw`(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|もらえ(?:ます|る|ない|ません|たら|ると)?(?:か|嬉しい|助かる)?|いただけ(?:ます|ると|ません|` +
  String.raw`れば)?(?:か|助かります|幸いです|嬉しいです)?|頂け(?:ます|ると)?(?:か)?|くれ(?:ます|る|ない|ると)?(?:か|助かる)?|ちょうだい|頼む|頼みます|` +
  String.raw`お願い(?:します|いたします)?|助かります)`;
const keeping = String.raw`(?:お(?:いて|け|こう|きましょう|いた方がいい|くように|くこと)|といて|とけ|いて)`;
/** Another task behind the order. */
const next = "(?:それから|その後|そのあと|次に|続いて|で、|では)";
const japaneseKeep = new RegExp(
  String.raw`(?:覚えて|おぼえて|記憶して|(?<=情報を)(?:保存|記録)して|(?:記録|履歴)に残して|` +
    String.raw`記憶に留めて|メモ(?:って|して|に残して|を取って|しと)|控えて|書き留めて|念頭に(?:置|お)いて|頭に(?:入れて|置いて|叩き込んで)|` +
    String.raw`心に(?:留めて|刻んで)|心得て|肝に銘じて|(?:メモリ|メモリー|記憶|メモ|長期記憶)(?:に|へ)(?:保存|記録|追加|残|入れ|書)(?:して|し|て|いて)?|忘れないで|` +
    String.raw`忘れないように(?:して)?|忘れずに|忘れんといて)` +
    String.raw`(?:(?:${keeping})?(?:${polite})?(?:ね|よ|な)?[。！!\s]*$|(?:${keeping})?(?:${polite})?(?:ね|` +
    String.raw`よ)?\s*[：:]|(?:${keeping})?${polite}[、，](?=.{4})|` +
    String.raw`(?:${keeping})?(?:${polite})?[、，](?=${next})|(?:${keeping})(?:${polite})?(?:ね|よ)?[？?]?$|` +
    String.raw`(?:${keeping})?${polite}[？?]$)`,
  "u",
);
const japaneseTrail = new RegExp(
  String.raw`(?:という(?:こと|の|点|ルール|決まり)?|って(?:いう(?:こと|の))?(?:こと)?|こと|点|の|なので|ので|から|と|を|は|も|、|，|,|\s|しっかり|ちゃんと|必ず|` +
    String.raw`ぜひ|よく|どうか|ずっと|きちんと|忘れずに|忘れないように|` +
    String.raw`念のため|次回(?:から|まで|以降)?(?:のため)?(?:に|も)?|次のため(?:に)?|今後(?:のため|の参考)?(?:に|も)?|` +
    String.raw`これから(?:のため)?(?:に|も)?|将来(?:のため)?(?:に)?|後(?:で|のため)(?:に)?(?:使う)?|あとで使う|このプロジェクトでは?)+$`,
  "u",
);
const japanesePointer = new RegExp(
  String.raw`^(?:あと|それと|それから|ちなみに|では|じゃあ|OK|ok|了解|はい|ありがとう(?:ございます|ございました)?|助かりました|いいですね|完璧|そして|また|なお|すみません|` +
    String.raw`ところで|お願い|ぜひ|必ず|しっかり|(?:これ|それ|この|その|あの|あれ|以上|上記|上|先ほど|さっき|以下|次|下記|ここまで|今の)(?:ら)?(?:の)?(?:こと|点|件|` +
    String.raw`情報|ルール|設定|内容|コマンド|決まり|手順|話|ポート|値|名前|方針|規則|約束|やり方|注意点|もの|ブロック)?(?:を|は|も|だけは|について)?|[\s、，。,！!・])*$`,
  "u",
);
const japaneseLead =
  /^(?:(?:あと|それと|それから|ちなみに|では|じゃあ|OK|了解|はい|ありがとう(?:ございます|ございました)?|助かりました|なお|すみません|ところで)[、。，！!\s]+)+/u;

/** "忘れないで、X": the order first. */
const orderFirst = new RegExp(
  String.raw`^(?:忘れないで|忘れずに|(?:覚えて|おぼえて|記憶して|メモして)(?:おいて|いて)?|覚えといて)(?:ね|よ)?[、，]\s*` +
    `(?=.{4})(?!${next})(?!.*(?:て|ください|下さい)(?:ね|よ)?[。！!]*$)`,
  "u",
);
const everywhereFirst =
  /^(?:(?:すべて|全て|全部|あらゆる|どの)の?(?:プロジェクト|リポジトリ|レポジトリ)|全(?:プロジェクト|リポジトリ)|どこでも)(?:共通|用|向け)?(?:で|に)?(?:は|も)?[、，\s]*/u;

/** An order to remember; null where the verb recalls or asks, or names an act for once. */
function japaneseOrder(said: string): SentenceOrder | null {
  const first = orderFirst.exec(said);
  if (first !== null) return behind(said, first[0].length);
  const match = japaneseKeep.exec(said);
  if (match === null || /(?:ほし|欲し)くな/u.test(said.slice(match.index))) return null;
  const { index, 0: verb } = match;
  const head = said.slice(0, index).replace(japaneseTrail, "").replace(everywhereFirst, "");
  const start = japaneseLead.exec(said)?.[0].length ?? 0;
  const isTurned = new RegExp(`^${next}`, "u").test(said.slice(index + verb.length));
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
  if (lettersIn(own.slice(start)) < matterMin || isActOrQuestion(said, own, verb)) return null;
  return { ...fact, kind: unspacedKind(own), matter: at(start, own.length), before: 0 };
}

function behind(said: string, end: number): SentenceOrder {
  const rest = said.slice(end);
  return lettersIn(rest) < matterMin
    ? { isOutright: true, kind: "fact", matter: null, points: "below", before: 0 }
    : { ...fact, kind: unspacedKind(rest), matter: at(end, said.length), before: 0 };
}

function isActOrQuestion(said: string, head: string, verb: string): boolean {
  if (/[？?]$/u.test(said)) return /(?:どう|何|なに|いつ|どこ|誰|だれ)[^、]*$/u.test(head);
  if (!/忘れ/u.test(verb)) return false;
  if (atTheEnd.test(head) && !/(?:必ず|毎|常に)/u.test(head)) return true;
  const isAct = /(?:する|して|し|り|き|み|ぎ|い)(?:こと|の|を)?$/u.test(head);
  return isAct && !/(?:必ず|毎|前に|後に|常に|時は|ときは)/u.test(head);
}

const japaneseLabels: readonly Head[] = [
  {
    kind: "rule",
    pattern: new RegExp(
      String.raw`^(?:新しい|私の|うちの|チームの?|プロジェクトの?|共通|重要な?|絶対の?|コーディング)*` +
        String.raw`(?:ルール|規則|決まり(?:ごと)?|規約|約束事|原則|お約束)(?:[一二三\d]{1,2})?\s*[：:]\s*`,
      "u",
    ),
  },
  {
    kind: "decision",
    pattern:
      /^(?:最終|今日の|チームの?|設計)*(?:決定(?:事項)?|決まったこと|方針|結論|決めたこと)\s*[：:]\s*/u,
  },
  {
    kind: "fact",
    pattern: new RegExp(
      String.raw`^(?:(?:今後|次回|将来|後々)の(?:参考|ため)(?:まで)?(?:に|として)?|次回(?:のため|用|以降)に?|備忘(?:録)?|覚え書き|メモ|参考まで(?:に)?|` +
        String.raw`覚えておくこと|覚えておいて(?:ほしい|欲しい)(?:こと|点)|` +
        String.raw`後で使うメモ|重要|補足メモ|リマインダー|忘れないように|あとのために)\s*(?:[：:、，,]|です[。、が]*|ですが、)\s*`,
      "u",
    ),
  },
];

const japaneseHence =
  /(?:今後|これから|以後|以降|次から|次回から|今日から|今から|次回以降)(?:は|も|、|ずっと|ここでは|このプロジェクトでは|.{0,12}必ず)/u;
const commandEnd = new RegExp(
  String.raw`(?:て|で|ください|下さい|こと|ように(?:して)?|ましょう|しよう|お願い(?:します)?|くれ|ほしい(?:です)?|禁止|厳禁|統一(?:する|します)?|使う|書く|する|` +
    String.raw`しない|にする|な)(?:ね|よ|です)?[。！!]*$`,
  "u",
);

/** "以後は変換されるでしょ": expects, and orders nothing. */
const supposes =
  /(?:でしょ(?:う)?|だろ(?:う)?|かな|かも(?:しれない|しれません)?|はず(?:です|だ)?)(?:ね|よ)?[。！!]*$/u;

const japaneseStanding: readonly Head[] = [
  {
    kind: "rule",
    pattern: new RegExp(
      String.raw`^(?!.*(?:もう(?:一度|いちど)|失敗|エラー)).{0,24}(?:必ず|常に|いつも|毎回|絶対(?:に)?|決して|二度と).{2,}(?:てください|て下さい|でください|` +
        String.raw`で下さい|ないで|すること|しないこと|ないこと|て|して)(?:ね|よ)?[。！!]*$`,
      "u",
    ),
  },
  {
    // 〜を絶対に変更しない: a verb that somebody does, not 動作しない or 成功しない.
    kind: "rule",
    pattern: new RegExp(
      String.raw`^.{2,60}[をはに](?:絶対(?:に)?|決して|二度と)(?:.{0,20}を)?(?!(?:動作|起動|機能|成功|発生|完了|応答|反応|表示|実行)しない)` +
        String.raw`(?:[\p{sc=Han}]{1,4}しない|触らない|触れない|消さない|使わない|変えない|書かない)[。！!]*$`,
      "u",
    ),
  },
  {
    // 〜を使うのはやめて: the end of a habit; not これを消すのはやめて.
    kind: "rule",
    pattern: new RegExp(
      String.raw`^(?!.*(?:これ|それ|あれ|この|その|あの|今の)).{3,60}(?:使う|書く|入れる|付ける|つける|追加する|コミットする|プッシュする|` +
        String.raw`作る|出す|呼ぶ|使用する|利用する)のは(?:もう|絶対(?:に)?|今後)?` +
        String.raw`(?:やめて|止めて|控えて)(?:ください|下さい|ほしい(?:です)?|くれ)?(?:ね|よ)?[。！!]*$`,
      "u",
    ),
  },
  {
    kind: "fact",
    pattern:
      /^(?:私|僕|俺|個人的|基本).*(?:方|ほう)が(?:好き|いい|好み|好ましい)(?:です|だ)?(?:ね|よ)?[。！!]*$/u,
  },
  { kind: "fact", pattern: /(?:を好みます|が好みです|派です)[。！!]*$/u },
  {
    kind: "decision",
    pattern: /(?:ことに|に決|採用|統一|決定).*(?:た|ました|ています)[。！!]*$/u,
  },
  { kind: "technique", pattern: /^.{0,10}(?:コツ|ポイント|秘訣|裏技)は.{2,}/u },
  {
    kind: "cause",
    pattern: /^(?!.*(?:不明|わから|分から)).{0,14}(?:根本(?:的な)?原因|真因|本当の原因)は.{2,}/u,
  },
];

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
