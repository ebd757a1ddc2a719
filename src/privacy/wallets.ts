/** Keys of wallets, and secrets made of words: what restores a wallet, and passphrases. */
import { hits, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";

const base58 = "[1-9A-HJ-NP-Za-km-z]";
/** Wallet import format: 51 or 52 characters that begin with the version. */
const importKey = new RegExp(
  `(?<![A-Za-z0-9])(?=${base58}{0,50}\\d)(?:5[HJK]${base58}{49}|[KL]${base58}{51})(?![A-Za-z0-9])`,
  "g",
);
const extendedKey = /[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112}/y;

const phraseNames =
  /(?:seed|recovery|mnemonic|backup|wallet|secret)[\s_-]{0,3}(?:phrase|words|mnemonic|key)?/iy;
const phraseJoint = new RegExp(
  String.raw`(?:(?:\s{1,3}(?:for|of)\s[^\n:=]{1,40})?\s{0,3}["'\x60*]{0,3}\s{0,3}` +
    String.raw`(?:[:=]|\bis\b|\bare\b|\n){1,2}\s{0,5}["'\x60*]{0,3}\s{0,2}|[ \t]{1,3})`,
  "y",
);
/** Words of the lists that wallets draw from have three to eight letters. */
const words = /[a-z]{3,8}(?:[ \t]{1,2}[a-z]{3,8}){11,24}(?![ \t]{0,2}[\w'-])/y;
/** These are in no such list; a sentence hardly does without. */
const talk =
  /\b(?:the|and|for|are|was|but|our|must|not|your|from|which|please|shown|its|has|had|them|into|every|than)\b/;
const counts: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);

export const detectWallets: Detector = (hay) => [
  ...[...hay.text.matchAll(importKey)].map(({ 0: key, index }): Span => ({
    start: index,
    end: index + key.length,
    kind: "wallet-key",
  })),
  ...hits(hay, ["prv"]).flatMap((at): readonly Span[] => {
    const match = at === 0 ? null : matchAt(extendedKey, hay.text, at - 1);
    return match === null
      ? []
      : [{ start: match.index, end: match.index + match[0].length, kind: "wallet-key" }];
  }),
  ...phrases(hay),
  ...passphrases(hay),
];

function phrases(hay: Haystack): readonly Span[] {
  return hits(hay, phraseBeginnings).flatMap((at): readonly Span[] => {
    const name = matchAt(phraseNames, hay.text, at);
    const joint = name === null ? null : matchAt(phraseJoint, hay.text, at + name[0].length);
    if (name === null || joint === null) return [];
    const start = at + name[0].length + joint[0].length;
    const phrase = matchAt(words, hay.text, start)?.[0] ?? "";
    if (!counts.has(phrase.split(/\s+/).length) || talk.test(phrase)) return [];
    return [{ start, end: start + phrase.length, kind: "seed-phrase" }];
  });
}

const passphraseJoint =
  /passphrase(?:\s{1,2}(?:for|of|on|to)\s[\w ]{1,30}?)?(?:\s{1,2}is|\s{0,2}[:=])\s{1,2}["'`]?/iy;
const passphraseWords = /[a-z]{3,12}(?:[ -][a-z]{3,12}){2,9}(?=["'`.]?[ \t]*(?:\r?\n|$))/y;
/** Words of sentences about a passphrase. */
const remarks = new RegExp(
  String.raw`\b(?:too|never|always|only|stored|asked|used|long|short|missing|wrong|needed|required|optional` +
    String.raw`|choose|set|ask|see|some|any|something|when|where|while|with|without|read|kept|taken|derived|hashed` +
    String.raw`|what|that|this|there|here|then|now|yet|still|again|also|just|than|more|most|least|words|random` +
    String.raw`|empty|invalid|correct or|unknown|changed|given|typed|entered|cached|printed|logged|shared|same` +
    String.raw`|different|new|old|valid|strong|weak|enough)\b`,
);

/** "The passphrase is velvet anchor prairie" */
function passphrases(hay: Haystack): readonly Span[] {
  return hits(hay, ["passphrase"]).flatMap((at): readonly Span[] => {
    const joint = matchAt(passphraseJoint, hay.text, at);
    const start = at + (joint?.[0].length ?? 0);
    const phrase = joint === null ? null : matchAt(passphraseWords, hay.text, start);
    if (phrase === null || talk.test(phrase[0]) || remarks.test(phrase[0])) return [];
    return [{ start, end: start + phrase[0].length, kind: "password" }];
  });
}

const phraseBeginnings: readonly string[] = [
  "seed",
  "recovery",
  "mnemonic",
  "backup",
  "wallet",
  "secret",
];
