/** Tells what a user says of an answer from what they state themselves. Pure. */
import { beyondLeads, readWords, startsWithPronoun } from "#language";
import { unspacedLetters } from "#kit";
import { worthOf } from "../exchange/traits.ts";

const courtesy = new RegExp(
  String.raw`^(?:(?:thanks?(?: you)?|thx|great|nice|perfect|cool|ok(?:ay)?|awesome|good(?: job| work|` +
    String.raw` morning)?|done|yes|no|yep|morning|hi|hello|that works(?: now)?|it works(?: now)?|works|lgtm|` +
    String.raw`looks good|all good|well done|danke|super|prima|passt|das funktioniert|funktioniert|läuft|merci|` +
    String.raw`parfait|ça marche|génial|gracias|perfecto|funciona|genial|obrigad[oa]|perfeito|ótimo|funcionou|` +
    String.raw`спасибо|отлично|работает|хорошо|ok|very much|a lot|so much|beaucoup|muito|muchas|` +
    String.raw`всё)[\s,.!]*)+$|^(?:好的?|谢谢(?:你|了)?|不错|可以了|行|太好了|没问题|ありがとう(?:ございます|ございました)?|助かりました|完璧です?|いいですね|` +
    String.raw`了解(?:です|しました)?|OK|动起来了|成功了|动いた|動きました|うまくいきました)[。！!,，、.\s]*$`,
  "iu",
);

/** "Usamos LF.", "port 7432": a word and a name or a value. */
const namesInTwoWords = /^\P{L}*\p{L}+\s+(?:\S*\d|\p{Lu}[\p{Lu}\d]|\S*\p{Ll}\p{Lu})\S*$/u;

/** Says something by itself. */
export const isSubstantial = (text: string): boolean =>
  !courtesy.test(text.trim()) &&
  (namesInTwoWords.test(text) ||
    (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0) >= 3 ||
    (unspacedLetters(text) >= 2 && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 5));

/** The limits of a reaction's worth, and of its length in words. */
const reactionWorthMax = 0.125;
const reactionWordsMax = 9;

/** True for words that only take up what was said before: "ah, that makes sense", "yes, that one it is". */
export function isReaction(text: string): boolean {
  const said = text.trim();
  const bare = beyondLeads(said).trim();
  if (wordsIn(bare) > reactionWordsMax || /\p{N}|`/u.test(said)) return false;
  if (agrees.test(said)) return true;
  if (names.test(said) || readWords(said).identifiers.length > 0) return false;
  if (wordsIn(bare) <= 1 && unspacedLetters(bare) < 4) return true;
  const place = { by: "user", index: 0, count: 2, answersQuestion: false } as const;
  return worthOf(said, place) < reactionWorthMax && takesUp.test(bare) && !states.test(bare);
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;

/** A number, code, or a name within the sentence. */
const names = /\p{N}|`|(?<=[\p{L},] )\p{Lu}\p{L}/u;

/** "It runs nightly" states something of its own. */
const states = /^(?:it|they|he|she|es|sie|er|il|elle|ils|elles)(?!\p{L})/iu;

/** Pronouns for what was said. */
const takesUp = new RegExp(
  String.raw`(?<!\p{L})(?:that|this|it|das|dies|es|ça|cela|c'est|eso|esto|lo|isso|isto|это|так)(?!\p{L})|` +
    "这|那|それ|これ|そう",
  "iu",
);

/** Says that its writer has understood, or agrees. */
const agrees = new RegExp(
  String.raw`(?<!\p{L})(?:good to know|(?:makes|sounds|looks) (?:sense|good|right|like)|(?:i|we) (?:see|agree|understand)|` +
    String.raw`got it|good (?:find|catch|point|call|idea)|you(?:'re| are) right|exactly|gut zu wissen|` +
    String.raw`(?:macht|ergibt) sinn|versteh[e]?|verstanden|stimmt|genau|klingt gut|bon à savoir|je (?:vois|comprends)|` +
    String.raw`compris|bien vu|logique|exact|bueno saberlo|tiene sentido|entiendo|entendido|exacto|bom saber|` +
    String.raw`faz sentido|entendi|exato|понятно|ясно|логично|точно|полезно знать)(?!\p{L})|` +
    "了解です|了解しました|承知しました|原来如此|明白|懂了|有道理|なるほど|わかりました|分かりました",
  "iu",
);

/**
 * True for what is ordered to be remembered and only agrees, or names only something said: "the cause", "for the other
 * endpoints".
 */
export const pointsBack = (matter: string): boolean =>
  !names.test(matter) &&
  (nounAlone.test(matter.trim()) || !/\p{L}/u.test(matter.replace(agrees, "")));

const noun =
  String.raw`(?:the|these|those|all|every|our|my|other|future|die|der|das|den|dem|alle|le|la|les|l'|tous les|` +
  String.raw`toutes les|el|los|las|todos los|todas las|o|a|os|as|todos os|todas as|других|все|всех)(?:\s*[\p{L}-]+)`;
const nounAlone = new RegExp(
  `^(?:${noun}{1,2}|(?:for|für|pour|para|pra|для)\\s+${noun}{1,3})[.!]*$`,
  "iu",
);

/** "Forget that, the header is X": takes back what was said, and states something new. */
const turn = new RegExp(
  String.raw`^(?:(?:no|nope|nein|non|não|нет)[,\s]+)?(?:(?:forget|scratch|ignore|drop) (?:that|this|it)|never ?mind(?: that)?|` +
    String.raw`vergiss (?:das|es)|egal|oublie[sz]?[ -](?:ça|cela)|olvid[ae] (?:eso|esto)|olvídalo|esque[cç][ae] isso|` +
    String.raw`забудь(?:те)? (?:это|об этом))\s*[,;:.!—–-]+\s+(?=\S)`,
  "iu",
);

export const withoutTurn = (text: string): string => text.replace(turn, "");

const numbers: readonly RegExp[] = [
  /(?<![\p{L}\d])(?:two|2|zwei|deux|dos|duas|dois|две|два)(?![\p{L}\d])/iu,
  /(?<![\p{L}\d])(?:three|3|drei|trois|tres|três|три)(?![\p{L}\d])/iu,
  /(?<![\p{L}\d])(?:four|4|vier|quatre|cuatro|quatro|четыре)(?![\p{L}\d])/iu,
];

/** The parts of "two things: X, and Y"; empty where they are not as many as the order says. */
export function countedIn(order: string, text: string): readonly string[] {
  const count = /[:：]\s*$/u.test(order) ? numbers.findIndex((one) => one.test(order)) + 2 : 1;
  const splits = [/\s*;\s*(?:(?:and|und|et|y|e|и)\s+)?/iu, /\s*,\s*(?:(?:and|und|et|y|e|и)\s+)?/iu];
  const parts = splits.map((split) => text.split(split)).find(({ length }) => length === count);
  return count > 1 && parts?.every(isSubstantial) === true ? parts : [];
}

/** Points at two sentences: "remember both". */
export const pointsAtTwo = (order: string): boolean =>
  /(?<!\p{L})(?:both|beides|les deux|ambos|ambas|las dos cosas|as duas coisas|оба|и то,? и другое)(?!\p{L})/iu.test(
    order,
  );

/** "Note that this can be set as well": points at the task, and keeps nothing. */
export const isRemark = (head: string, matter: string): boolean =>
  startsWithPronoun(matter) &&
  !/^(?:s?he|they|both)(?!\p{L})/iu.test(matter) &&
  noticed.test(head) &&
  !ahead.test(head);
/** "Note for later, it's on port 9": put by for another time. */
const ahead = /(?<!\p{L})(?:for|für|pour|para|pra|для|a)(?!\p{L}).*[,:]\s*$/iu;
const noticed =
  /(?<!\p{L})(?:not(?:e|ice|ez?|a)|mind|beachte\p{L}*|bedenk\p{L}*|noter|cuenta|mente|учти\p{L}*)(?!\p{L})|注意|留意/iu;
