/** Tells how a sentence forbids: for good, as a plain ban, or by naming what is to be used instead. Pure. */
import { alone, any, anyOf } from "./ban-lists.ts";
import { either } from "./lists.ts";
import { asksForWork } from "./requests.ts";

export const leave = anyOf("leave");
const lasting = anyOf("lasting");
const takes = anyOf("take");

/** "Use pnpm instead of npm" forbids npm. */
export const instead = `(?:${alone("ban, instead")}) ?`;
export const replaced = ` ?(?:${any("replaced")})`;
const anyInstead = new RegExp(either([instead, replaced]), "u");

export const isReplacing = (plain: string): boolean => anyInstead.test(plain) && takes.test(plain);

/** Is what is forbidden forbidden for more than this once, by words that only a ban makes lasting? */
export const isLastingBan = (sentence: string): boolean => {
  const plain = sentence.toLowerCase().replaceAll("’", "'");
  return lasting.test(plain) || leave.test(plain);
};

/** An order that begins with its ban ("don't push"), or names one program and another ("use pnpm, not npm"). */
export const isPlainBan = (sentence: string): boolean => {
  const plain = sentence.toLowerCase().replaceAll("’", "'");
  return (
    plainBan.test(plain) ||
    isReplacing(plain) ||
    ((germanBan.test(plain) || frenchBan.test(plain)) && asksForWork(plain))
  );
};
/** "Lance pas make deploy": French as it is spoken. */
const frenchBan = /^\p{L}+(?:-\p{L}+)? (?:pas|jamais)(?!\p{L})/u;
/** "Pushe nicht auf main": in German the denial stands behind the imperative; "make deploy geht nicht" complains. */
const germanBan = new RegExp(
  String.raw`^(?:bitte )?(?!(?:make|just|${any("programs")}) )\p{L}+ (?:\S+ ){0,4}?` +
    String.raw`(?:nichts?|nie|niemals|keine?n?)(?!\p{L})`,
  "u",
);
const plainBan = new RegExp(
  "^(?:[^,;:?]{3,80}, (?:so|also|donc|así que|então|поэтому) )?" +
    "(?:(?:please|no|and|but|also|ok|okay|hey|remember|again|bitte|por favor|пожалуйста)[,:!]? )*" +
    String.raw`(?:(?:do not|don'?t|never|stop|no more|you (?:must|should|may) (?:not|never)|(?:we )?use` +
    String.raw`|nie|niemals|nicht|keine?n?|ne|jamais|no|nunca|jamás|não|не|никогда|нельзя)(?!\p{L})` +
    "|n'|请?(?:不要|不准|别|禁止|绝不|永远不))|(?:ないで(?:ください|ね)?|禁止)[。！]?$",
  "u",
);
