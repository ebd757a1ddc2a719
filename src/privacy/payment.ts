/**
 * Keys to money: numbers of cards and accounts, and what restores a wallet. Numbers of payment cards and bank accounts
 * (IBAN), known by their checksums. One number in ten passes the one of a card by accident, so that it also has to
 * begin as one, and to be written or named as one.
 */
import { type Detector, type Haystack, hits, matchAt, type Span } from "./spans.ts";

/** Thirteen to nineteen digits, as a whole or in groups; not part of a word, a decimal, a path or a longer number. */
const digits = /(?<![\w./#+-]|\d[ \u00a0])\d(?:[ \u00a0.-]?\d){12,18}(?![\w-]|[ \u00a0.]?\d)/g;
const groups = /^(?:\d{4}([ \u00a0.-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \u00a0.-])\d{6}\2\d{4,5})$/;
/** Beginnings of cards by the number of their digits. */
const cardBeginnings: ReadonlyMap<number, RegExp> = new Map([
  [13, /^(?:4|5[06-8]|6)/],
  [14, /^3(?:0[0-5]|[689])/],
  [15, /^(?:3[47]|5[06-8]|6)/],
  [16, /^(?:4|5[0-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6|3(?:52[89]|5[3-8]))/],
  [17, /^(?:5[06-8]|6)/],
  [18, /^(?:5[06-8]|6)/],
  [19, /^(?:4|5[06-8]|6)/],
]);
/** A number of these lengths without groups may be a card's that is not named so. */
const usualDigits: ReadonlySet<number> = new Set([14, 15, 16]);

const namesCard = new RegExp(
  String.raw`card|\bcc\b|\bpan\b|visa|master|amex|american express|maestro|discover|diners|unionpay|jcb|credit` +
    String.raw`|debit|kredit|karte|carte|tarjeta|cart[ãa]o|карт|カード|卡`,
  "i",
);
const namesOther = new RegExp(
  String.raw`(?:[\w"'\x60]\s{0,2}[:=]\s{0,2}["'\x60]?` +
    String.raw`|\b(?:orders?|invoices?|tickets?|\w{0,20}ids?|refs?|reference|tracking|skus?|builds?|jobs?|requests?` +
    String.raw`|traces?|spans?|users?|batch|runs?|messages?|events?|time(?:stamp)?|epoch|at|offset|seed|serial|lot` +
    String.raw`|part|items?|products?|accounts?|n[or]\.?|numbers?|imei|isbn|ean|gtin|phone|tel)\s{1,2})$`,
  "i",
);
const aroundChars = 40;

/** Country codes of accounts with how many characters theirs have. */
const lengths: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);
const account = /(?<![A-Za-z0-9])([A-Z]{2})\d{2}(?=[ \u00a0-]?[A-Z0-9]{2})/gi;
const accountCharsMax = 45;

export const detectPayment: Detector = (hay) => [...cardsIn(hay), ...accountsIn(hay)];

const cardsIn = ({ text }: Haystack): readonly Span[] =>
  [...text.matchAll(digits)].flatMap(({ 0: found, index }): readonly Span[] => {
    const bare = found.replaceAll(/\D/g, "");
    const isOne = cardBeginnings.get(bare.length)?.test(bare) === true && passesLuhn(bare);
    if (!isOne || !isWrittenAsCard(text, found, index)) return [];
    return [{ start: index, end: index + found.length, kind: "card-number" }];
  });

function isWrittenAsCard(text: string, found: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - aroundChars), at);
  const isBare = /^\d+$/.test(found);
  if (!isBare && !groups.test(found)) return false;
  if (namesCard.test(before)) return true;
  if (!isBare) return true;
  const after = text.slice(at + found.length, at + found.length + aroundChars);
  return (
    namesCard.test(after.split("\n", 1)[0] ?? "") ||
    (usualDigits.has(found.length) && !namesOther.test(before))
  );
}

/** The last digit of a card is right: every second one doubled, the sum is a multiple of ten. */
function passesLuhn(bare: string): boolean {
  let sum = 0;
  for (let n = 0; n < bare.length; n += 1) {
    const digit = Number(bare[bare.length - 1 - n]);
    const doubled = n % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const accountsIn = ({ text }: Haystack): readonly Span[] =>
  [...text.matchAll(account)].flatMap(({ 1: country = "", index }): readonly Span[] => {
    const length = lengths.get(country.toUpperCase());
    const whole = length === undefined ? null : beginningOf(text, index, length);
    const isOne =
      whole !== null && !isAlphanumeric(text[index + whole.length]) && passesMod97(whole);
    return isOne ? [{ start: index, end: index + whole.length, kind: "iban" }] : [];
  });

/** So many letters and digits from a position on, in groups or not; null when something else stands between. */
function beginningOf(text: string, from: number, count: number): string | null {
  let left = count;
  for (let at = from; at < from + accountCharsMax; at += 1) {
    if (isAlphanumeric(text[at])) left -= 1;
    else if (!/[ \u00a0-]/.test(text[at] ?? "") || !isAlphanumeric(text[at - 1])) return null;
    if (left === 0) return text.slice(from, at + 1);
  }
  return null;
}

const isAlphanumeric = (char: string | undefined): boolean => /^[A-Za-z0-9]$/.test(char ?? "");

/** The check digits of an account are right: with the first four at the end and letters as numbers, 1 modulo 97. */
function passesMod97(written: string): boolean {
  const bare = written.replaceAll(/[^A-Za-z0-9]/g, "");
  let rest = 0;
  for (const char of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

// Keys of wallets, and secrets made of words: what restores a wallet, and passphrases.

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

const phraseBeginnings = ["seed", "recovery", "mnemonic", "backup", "wallet", "secret"];
