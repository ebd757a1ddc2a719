/** Things in an agent's answer that an order to remember may name: a command, a list, a cause with its cure. Pure. */
import { unspacedLetters } from "#kit";
import text from "./lists/things.txt" with { type: "text" };
import { either, filled, listsIn } from "./lists.ts";

const { any, alone, cue, places } = listsIn(text);

const code = `${alone("code")}|${alone("code, too")}`;
const aList = `${alone("list")}|${alone("list, too")}`;
const codePattern = new RegExp(code, "iu");
const listPattern = new RegExp(aList, "iu");

/** Does an order name code? */
export const namesCode = (order: string): boolean => codePattern.test(order);

/** Does an order name a list? */
export const namesList = (order: string): boolean => listPattern.test(order);

/** Nouns that alone say nothing of what they name, as part of a pattern. */
export const thing = `${code}|${aList}|${alone("told")}`;

const determiner = `(?:${alone("determiner")})`;
/** Longer orders say more than the name of a thing. */
const charsMax = 160;
/** Words behind a thing that say nothing of it: "down", "for later". */
const behind =
  String.raw`(?:\s(?:down|auf|ab|fest|nicht|aí|ai|please|pls|bitte|stp|svp|por favor|porfa|пожалуйста|in mind|` +
  String.raw`im kopf|en tête|en (?:la )?mémoire|quelque part|somewhere|irgendwo|куда-нибудь|где-нибудь|в голове|` +
  String.raw`(?:for|für|pour|para|pra|на)\s(?:\p{L}+\s){0,2}\p{L}+)){0,3}`;
const mark = String.raw`(?:[,;，、。]|\s[—–-]{1,2}\s)`;
/** One clause that names no value and no code, and is no row of steps. */
const clause = "[^\\p{N},;:，、；：`_/]{0,60}$";
const remark = `${mark}${clause}`;
/** Begins with who puts it off: "we fix them …", "разберёмся …". */
const byUs =
  String.raw`\s*(?:(?:we|i|let's|wir|ich|die|das|machen|on|nous|je|l[oa]s?|les|a gente|nós|мы|я)\s|` +
  String.raw`\p{L}+(?:mos|мся|м)\s|[\p{sc=Han}\p{sc=Hiragana}])`;

/** "That list, we do it next week": a thing, and a remark on it. */
export const isThingWithRemark = (object: string): boolean =>
  object.length <= charsMax && (withRemark.test(object) || withPutOff.test(object));
const withRemark = new RegExp(
  String.raw`^[\s,]*(?:${determiner}\s*)?(?:${code}|${aList})${behind}\s*${remark}`,
  "iu",
);
const withPutOff = new RegExp(
  String.raw`^[\s,]*${determiner}\s*\p{L}*${mark}(?=${byUs})(?=.*(?:${alone("put off")}))${clause}`,
  "iu",
);

const heldNames = `(?:${any("code")}|${any("list")})(?!\\p{L})`;
const held = new RegExp(
  `^(?:${any("hold")})\\s+(?:${determiner}\\s*|(?=\\p{sc=Cyrillic}))${heldNames}` +
    String.raw`${behind}\s*(?:[.!?]*$|${remark})` +
    // "Kannst du dir den Befehl merken?"
    String.raw`|^${determiner}\s${heldNames}(?:\sbitte)?\s(?:merken|notieren|speichern|behalten|aufschreiben)[.!?]*$`,
  "iu",
);
const namesAnyPlace = new Map([
  ["thing", [...places("code"), ...places("list")]],
  ["determiner", places("determiner")],
]);
const heldUnspaced = new RegExp(
  `(?:${filled(either(places("hold")), namesAnyPlace)})` + String.raw`(?:[。！!\s]*$|${remark})`,
  "u",
);

/**
 * "Keep that list", "guarda el comando": an order only where an answer has such a thing. `said` begins with the verb,
 * or with what leads to it where words stand without spaces.
 */
export const isHeldThing = (said: string): boolean =>
  said.length <= charsMax && (held.test(said) || heldUnspaced.test(said));

/** "The last column", "its state": names a thing and tells nothing of it. */
export function namesOnly(object: string): boolean {
  if (unspacedLetters(object) > 0) return nameOnlyUnspaced.test(object);
  // The first word may be a verb of another language: "son état".
  const isNamed = nameOnly.test(object) && !tells.test(object.replace(/^\S+\s/u, ""));
  return (isNamed && !plainVerb.test(object)) || (fewWords.test(object) && !tells.test(object));
}
/** "The freeze starts friday": a word in -s with its object behind it. */
const plainVerb =
  /\s\p{L}{3,}s\s(?!(?:of|in|on|for|per|between|across|and|or|to|from|with|when|that|which|after|before|at|by)\s)/iu;
/** "User choice", "choix de l'utilisateur". */
const fewWords =
  /^\P{L}*\p{L}+(?:\s\p{L}+|\s(?:of|de|du|des|del|do|da|von|d['’])\s?[\p{L}'’ ]{2,40})?[.!]*$/iu;
const nameOnly = new RegExp(`^(?:${determiner}|${alone("of a thing")})[^\\p{N}\`=:]{2,80}$`, "iu");
const nameOnlyUnspaced = new RegExp(
  String.raw`^(?=.*[\p{sc=Han}\p{sc=Katakana}])(?!.*[是在为叫有由归要会能都只不没])` +
    String.raw`[^\p{N}\p{sc=Latin}：:=、，,]{1,14}(?<!だ|です|ます|る|た|い|こと|と)[。！!]*$`,
  "u",
);

/** Has a finite verb. */
export const tells = new RegExp(`${alone("finite verb")}\\s`, "iu");

const cures = cue("cure");

/** Says what helps: "you need to set TZ", "il suffit de …". */
export const tellsCure = (sentence: string): boolean => cures.test(sentence);
