/**
 * Passwords in typed prose that no label announces: "Pelican!Harbor88", "admin / Maulbeere_42!", "8f3k-29dm-44lq".
 * Told from ids, versions, references and code by what they are made of, and only in lines that read as sentences.
 * Linear. A login and its password in one sentence are told as well.
 */
import {
  type Detector,
  type Haystack,
  hits,
  holds,
  matchAt,
  sentenceTail,
  type Shape,
  type Span,
  valuesOf,
} from "./spans.ts";
import { isLabelled, numberedName, numberedNames, passwordLabels } from "./words.ts";

export const detectProse: Detector = (hay) => [
  ...marked(hay),
  ...paired(hay),
  ...named(hay),
  ...grouped(hay),
];

const tokenCharsMax = 48;
const blockChars = 256;
/** Ends a token: a mark, or a letter of a script that writes words without a space between. */
const edge = /[\s"'`“”„«»‘’(){}[\]<>|=,;:/\\，。；：、「」（）！？\u3040-\u30ff\u3400-\u9fff]/u;
const inner = /(?<=[\p{L}\p{N}])(?<![\u3040-\u30ff\u3400-\u9fff])[!#$%&*]{1,3}(?=[\p{L}\p{N}])/gu;

/** Small and capital letters, digits, marks. */
const sortsIn = (value: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!#$%&*?_^~+-]/u].filter((sort) => sort.test(value)).length;
const letters = (value: string): number => value.match(/\p{L}/gu)?.length ?? 0;

/** Addresses, files, cells of a sheet, percent-encoded text, classes within classes, issues, anchors and methods. */
const isReference = (value: string): boolean =>
  /@|\.\p{L}|!\$?[A-Z]{1,3}\$?\d+$|\$(?:\d|\p{Lu}\p{Ll}+\d?)$|^\p{L}{0,2}&|\*(?!\d{2})/u.test(
    value,
  ) ||
  /^[\p{L}\p{N}_-]+#(?:[\d-]+|\p{Ll}[\p{L}\p{N}_-]*|\p{L}+\d{1,2})$/u.test(value) ||
  /%(?:2[\da-f]|3[a-f]|40|5[b-f]|60|7[b-e]|[c-f][\da-f]%)/iu.test(value);

const isPicked = (value: string): boolean =>
  value.length >= 8 && letters(value) >= 5 && sortsIn(value) === 4 && !isReference(value);

/** A mark between letters and digits of both cases; less will do where the line speaks of getting in. */
function marked({ text }: Haystack): readonly Span[] {
  const isProse = createProse(text);
  const found: Span[] = [];
  let reached = 0;
  for (const { index } of text.matchAll(inner)) {
    if (index < reached) continue;
    const start = startOf(text, index);
    const end = endOf(text, index);
    reached = end;
    const value = text.slice(start, end).replace(/[.?!]+$/u, "");
    if (value.length > tokenCharsMax || isOfAddress(text, start, end) || !/\p{N}/u.test(value))
      continue;
    const isIt =
      isPicked(value) || (letters(value) >= 5 && value.length >= 8 && isLetIn(text, start));
    if (isIt && isProse(index)) found.push({ start, end: start + value.length, kind: "password" });
  }
  return found;
}

/** A part of an address, or of its query. */
const isOfAddress = (text: string, start: number, end: number): boolean =>
  /[=/]/u.test(text[start - 1] ?? "") || text[end] === "=";

function startOf(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= tokenCharsMax && !edge.test(text[start - 1] ?? "")) start -= 1;
  return start;
}
function endOf(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at <= tokenCharsMax && !edge.test(text[end] ?? "")) end += 1;
  return end;
}

/** "… log in with X": a way in, and right before the value what joins it. */
const wayIn = new RegExp(
  String.raw`(?:log(?:s|ged|ging)?[ -]?in|sign[ -]?in|get in|unlock|opens?|decrypt|encrypt|ssh|sudo|root|admin` +
    String.raw`|wlan|wi-?fi|vpn|anmeld|einlogg|zugang|entsperr|öffne|connexion|connecte|accès|accede|acceso|entra` +
    String.raw`|acesso|вход|войти|логин|ログイン|登录)[^\n]{0,48}(?:[ \t](?:with|using|typing|is|and|mit|und|ist` +
    String.raw`|avec|et|est|con|y|es|com|e|é|è|с|и)|[:：/]|->|→)[ \t]["'\x60«“„]?$`,
  "iu",
);
const isLetIn = (text: string, start: number): boolean =>
  wayIn.test(text.slice(Math.max(0, start - 80), start));

/** True if the surroundings read as a sentence: words, and nothing that only code has. */
function createProse(text: string): (at: number) => boolean {
  const known = new Map<number, boolean>();
  return (at) => {
    const block = Math.floor(at / blockChars);
    const verdict = known.get(block) ?? readsAsProse(text, block * blockChars);
    known.set(block, verdict);
    return verdict;
  };
}
const unspacedMin = 4;
function readsAsProse(text: string, from: number): boolean {
  const around = text.slice(Math.max(0, from - blockChars / 2), from + 1.5 * blockChars);
  const words = around.match(/(?<![^\s"'(“„])\p{L}{2,20}(?![^\s.,;:!?'")”])/gu)?.length ?? 0;
  const unspaced = around.match(/[\u3040-\u30ff\u3400-\u9fff]/gu)?.length ?? 0;
  return (
    (words >= 2 || unspaced >= unspacedMin) &&
    !/[{};]|\)\s*[.{]|=>|==|::|&&|\|\||<\/?\w|^\s*(?:at|import|#include)\s/mu.test(around)
  );
}

/** A mark inside, or one at the end of what no name is: "Maulbeere_42!", "w4shingLine!". */
const isMarked = /[!#$%&*?](?=[\p{L}\p{N}])|(?:_|\p{L}\d\p{L}).*[!#$%&*?]$/u;

/** "viewer / X" */
const pair = /(?<=[\p{L}\p{N}_.\]-]) \/ ["'`]?([^\s"'`,;:()<>/\\|=]{6,48})/uy;
const pairedCharsMin = 8;

function paired(hay: Haystack): readonly Span[] {
  const { text } = hay;
  return hits(hay, [" / "]).flatMap((at): readonly Span[] => {
    const value = (matchAt(pair, text, at)?.[1] ?? "").replace(/[.?]+$/u, "");
    const isLong = value.length >= pairedCharsMin;
    const isIt = isLong && (isNamedAt(text, at, value) || isChosenAt(text, at, value));
    if (!isIt && !isOfService(value, text.slice(Math.max(0, at - 80), at))) return [];
    const start = text.indexOf(value, at);
    return [{ start, end: start + value.length, kind: "password" }];
  });
}

/** A name and a number where the sentence speaks of getting in. */
const isNamedAt = (text: string, at: number, value: string): boolean =>
  (numberedNames.test(value) || (numberedName.test(value) && isAccountAt(text, at))) &&
  isLoginAt(text, at, at + value.length + 3);

const isChosenAt = (text: string, at: number, value: string): boolean =>
  !isReference(value) &&
  (isAddressAt(text, at)
    ? sortsIn(value) >= 3 && /\p{N}/u.test(value)
    : sortsIn(value) === 4 && isMarked.test(value));

/** An account's name in small letters: "log in works on Chrome / Firefox.120" has none. */
const isAccountAt = (text: string, end: number): boolean =>
  /(?:^|[\s(])[\p{Ll}\d][\w.+-]{1,30}$/u.test(text.slice(Math.max(0, end - tokenCharsMax), end));

/** "ftp is shop": a service that lets users in, and one of them. */
const serviceAhead = new RegExp(
  String.raw`(?<![\p{L}\p{N}/.-])(?:s?ftps?|ssh|vpn|vnc|rdp|telnet|smtp|imap|webdav|wlan|wi-?fi|nas)` +
    String.raw`(?:[ \t](?:is|ist|est|es|é|это|login)|[ \t]?[:：])` +
    String.raw`[ \t](?!(?:down|up|on|off|slow|dead|back)$)[\w.@+-]{2,40}$`,
  "iu",
);
const isOfService = (value: string, ahead: string): boolean =>
  /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\p{N})/u.test(value) && serviceAhead.test(ahead);

/** A way in before the pair, or right behind it where the verb stands last: "log in as", "melde dich mit", "登录". */
const isLoginAt = (text: string, start: number, end: number): boolean =>
  loginAhead.test(text.slice(Math.max(0, start - 80), start)) ||
  /^[\s,，、]{0,2}(?:登录|登入|で(?:ログイン|入))/u.test(text.slice(end, end + 12));
const loginAhead = new RegExp(
  String.raw`(?:log(?:s|ged|ging)?[ -]?in|sign(?:ed)?[ -]?in|melde?t? (?:dich|euch|sich|mich)|anmeld\p{L}*` +
    String.raw`|einlogg\p{L}*|(?:re)?connecte\p{L}*(?:-(?:toi|vous))?|accède\p{L}*|entra\p{L}{0,2}` +
    String.raw`|inicia\p{L}* sesión|accede\p{L}*|acess\p{L}*` +
    String.raw`|(?:faz|faça) login|logu?[ae]\p{L}* com|(?:во|за)(?:йди|йти|йдите)|залогин\p{L}*|登录|登入|用` +
    String.raw`|ログイン)[^\n]{0,60}$`,
  "iu",
);

/** A mail address before the slash leaves no doubt of what stands behind it. */
const isAddressAt = (text: string, end: number): boolean =>
  /[\w.+-]@[\w-]+(?:\.[\w-]+)+$/u.test(text.slice(Math.max(0, end - tokenCharsMax), end));

/** "use X as root password", "X is the password" */
const joints = (
  " as | als | comme | como | come | как | в качестве |作为|作為|当作|當作|をパスワード| is the | ist das | est le |" +
  " es la | é a "
).split("|");
/** "Als Passwort rein", "as password and press enter"; "as the password hash" is a thing of the work. */
const called = new RegExp(
  String.raw`[ \t]\p{L}{1,8}(?:[ \t]\p{L}{2,12}){0,3}[ \t](?:pw|pwd|pass(?:word|wort|phrase)?|kennwort|mdp` +
    String.raw`|mot de passe|contraseña|senha|парол[ья])(?=[ \t]*(?:[.,;!?)\n]|$` +
    String.raw`|(?:for|of|on|to|in|für|von|pour|de|para|per|от|в|now|and|und|et|y|e|и|here|there|hier|dort)[ \t]` +
    String.raw`|(?:(?:h?in)?ein|rein|an|durch|\p{L}{3,12}en)(?!\p{L})))` +
    String.raw`|(?:[作当當][为為作])(?:登录)?(?:密码|密碼|口令)(?!哈希|散列)|をパスワード(?:として|に)`,
  "iuy",
);

function named(hay: Haystack): readonly Span[] {
  return hits(hay, joints).flatMap((at): readonly Span[] => {
    const end = /[ \t]/.test(hay.text[at - 1] ?? "") ? at - 1 : at;
    const start = startOf(hay.text, end);
    const value = hay.text.slice(start, end);
    if (value.length < 8 || value.length > tokenCharsMax || sortsIn(value) < 3) return [];
    if (!/\p{N}|[!#$%&*?^~+]/u.test(value) || /[_@]|\.\p{Ll}/u.test(value)) return [];
    return matchAt(called, hay.text, at) === null ? [] : [{ start, end, kind: "password" }];
  });
}

/** Codes for getting back in: groups of one length that mix letters and digits, or eight groups of six digits. */
const groups = /(?<![\w-])(?!GHSA-)(?:[a-z\d]{4,6}-){2,7}[a-z\d]{4,6}(?![\w-])/giu;

const grouped = ({ text }: Haystack): readonly Span[] =>
  [...text.matchAll(groups)].flatMap(({ 0: value, index: start }): readonly Span[] => {
    const parts = value.split("-");
    const isEven = parts.every((part) => part.length === parts[0]?.length);
    // A digit before a letter: "blake2" is a name with a number.
    const mixed = parts.filter((part) => /\d[a-z]/iu.test(part)).length;
    const isKey = parts.length === 8 && /^[\d-]{55}$/u.test(value);
    if (!isEven || (mixed < 2 && !isKey)) return [];
    return [{ start, end: start + value.length, kind: "secret" }];
  });

/** A login and its password in one sentence: "user admin pass X", "the login is anna and the password X". */
export const detectLogins: Detector = (hay) => [...valuesOf(hay, [announced]), ...told(hay)];

/** "Zugangsdaten: anna / X", "login (for the box) is root / X" */
const loginWords: readonly string[] =
  "zugang credential credencia identifiants creds login acceso acesso доступ 账号".split(" ");
const announced: Shape = {
  anchors: loginWords,
  pattern: new RegExp(
    String.raw`(?:${loginWords.join("|")})\p{L}{0,10}(?:[ \t](?:for|on|of|to|für|auf|vom|pour|du|de|del|para|do|для)` +
      String.raw`(?:[ \t][\p{L}\p{N}'’._-]{1,24}){1,4}?)?(?:[ \t]{0,2}\([^()\n]{1,40}\))?` +
      String.raw`(?:[ \t]{0,2}[:：]|[ \t](?:is|are|ist|sind|est|sont|es|son|é|são|это))?` +
      String.raw`[ \t]{1,3}(?!(?:is|are|ist|sind|at|in)[ \t])[\w.@+-]{2,60}[ \t]{0,3}[/|][ \t]{0,3}(\S{6,80})`,
    "iuy",
  ),
  kind: "password",
  tail: sentenceTail,
  isIt: (value) => isLabelled(value, "password"),
};

/** Words for a password that mean other things as well, unless a login stands before them. */
const passWords: readonly string[] = ["pass", "pw", "pwd", ...passwordLabels];

/** Every word that `loginBefore` begins with holds one of these. */
const loginStems: readonly string[] = (
  "user login log-in account benutzer konto nutzer utilisateur compte identifiant usu cuenta conta " +
  "логин пользовател юзер учётк 用户 账号 账户 帐号 登录"
).split(" ");

const lookBehind = 70;
/** Behind "user" these go on with the sentence: "the user must pass". */
const noNames =
  "and|or|but|must|can|cannot|could|may|might|should|shall|will|would|has|have|had|does|did|do|to|who" +
  "|changed|changes|forgot|reset|resets|entered|enters|typed|types" +
  "|that|which|then|if|when|for|from|in|on|of|und|oder|muss|kann|soll|et|ou|doit|peut|y|o|debe|puede";

/** A login and its name, right before the word for the password. */
const loginBefore = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_])(?:user(?:name)?|login|log-?in|account|benutzer(?:name)?|konto|nutzer` +
    String.raw`|utilisateur|compte` +
    String.raw`|identifiant|usuario|cuenta|usuário|conta|логин|пользователь|юзер|учётка)|用户名?|账号|账户|帐号|登录名)` +
    String.raw`(?:[ \t]{0,2}[:：=是为]|[ \t]{1,2}(?:is|ist|est|es|é|è|heißt` +
    String.raw`|lautet))?[ \t]{0,2}["'\x60]?(?!(?:${noNames})\b)[\w.@+-]{1,40}["'\x60]?` +
    String.raw`[ \t]{0,2}[,;，、/]?[ \t]{0,2}(?:(?:and|with|und|mit|et|avec|y|con|e|com|и|с|和)[ \t]{1,2})?` +
    String.raw`(?:(?:the|its|my|his|her|their|das|dem|sein|le|la|el|su|son|o|a)[ \t]{1,2})?$`,
  "iu",
);
/** "the pass X": the noun, not what one does. */
const nounBefore =
  /(?<![\p{L}\p{N}_])(?:my|his|her|their|our|your|its|the|admin|root)[ \t]{1,2}(?:[\w-]{1,20}[ \t]{1,2})?$/iu;
/** The word's ending, "is" or a mark or a blank, and the value. */
const valueBehind = new RegExp(
  String.raw`\p{L}{0,6}?(?:[ \t]{0,2}[:：=是为][ \t]{0,3}` +
    String.raw`|[ \t]{1,2}(?:(?:is|ist|lautet|est|es|é|è|это)[ \t]{1,2}(?:(?:still|now|noch|jetzt)[ \t]{1,2})?)?` +
    String.raw`|(?<=[码碼令]))` +
    String.raw`["'\x60]?([^\s"'\x60,;，、；。]{6,120})`,
  "uy",
);

function told(hay: Haystack): readonly Span[] {
  const { text } = hay;
  const isLoginNamed = loginStems.some((stem) => holds(hay, stem));
  let reached = 0;
  return hits(hay, isLoginNamed ? passWords : ["pass"])
    .toSorted((a, b) => a - b)
    .flatMap((at): readonly Span[] => {
      if (at < reached) return [];
      const label = passWords
        .filter((one) => hay.lower.startsWith(one, at))
        .toSorted((a, b) => b.length - a.length)[0];
      if (label === undefined) return [];
      reached = at + label.length;
      const before = text.slice(Math.max(0, at - lookBehind), at);
      const isPaired = isLoginNamed && loginBefore.test(before);
      if (!isPaired && !(label === "pass" && nounBefore.test(before))) return [];
      // "passes", "passive": another word.
      if (label === "pass" && /[\p{L}\p{N}_]/u.test(text[at + label.length] ?? "")) return [];
      const found = spansOf(matchAt(valueBehind, text, at + label.length));
      return isPaired ? found : found.filter((span) => isDrawnUp(text.slice(span.start, span.end)));
    });
}

/** Nothing says that it is a password but an article before "pass". */
const isDrawnUp = (value: string): boolean =>
  value.length >= 8 &&
  [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!#$%^&*+?~]/u].filter((sort) => sort.test(value)).length >= 3;

function spansOf(match: RegExpExecArray | null): readonly Span[] {
  const raw = match?.[1] ?? "";
  const value = raw.replace(sentenceTail, "");
  if (match === null || !isLabelled(value, "password")) return [];
  const start = match.index + match[0].length - raw.length;
  return [{ start, end: start + value.length, kind: "password" }];
}
