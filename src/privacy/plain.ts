/**
 * Passwords that are ordinary words: "pass: gorilla", "das WLAN-Passwort ist gorilla", "bob/marble is the login".
 * Nothing about the word tells, so the sentence must: a label, what it is for, "is" or a mark, and one word that ends
 * the clause and says nothing of a password's state, type or place. Each look is bounded.
 */
import { passwordLabels, tellsOfPassphrase } from "./words.ts";
import { lineBefore, valuesOf, type Detector, type Shape } from "./spans.ts";
import { isHarmless, isPlainWord } from "./values.ts";

export const detectPlain: Detector = (hay) => valuesOf(hay, shapes);

/** Words said of passwords, of their fields and in forms: states, types, places. */
const said: ReadonlySet<string> = new Set(
  (
    "works worked working fails geht funktioniert marche fonctionne funciona работает " +
    "wrong incorrect correct right bad good equal weak strong safe secure unsafe insecure long short longer " +
    "shorter random unique same different identical visible plain plaintext clear cleartext text base blank " +
    "null nullable mandatory obsolete outdated public private secret secrets unknown known lost gone back " +
    "here there below above okay fine new old complete incomplete full partial slow fast clean dirty hard " +
    "easy tricky enough value values valor wert valeur true false yes none never always again missing broken " +
    "optional stale rotated reset readable case sensitive insensitive minimum maximum only first last also " +
    "both next previous auto automatic generated dynamic static pending later soon tomorrow today ready done " +
    "open closed active inactive online offline local remote simple complex data input output part field " +
    "fields form label policy fallback manager length rules validation strength rotation change hashing hash " +
    "hashes authentication auth login logout prompt recovery hint check checks generator resets grant " +
    "protection protected less based column columns box dialog page screen flow flows test tests failed " +
    "failing passed passing unit lint build typecheck green fail fails error errors success array date file " +
    "path uuid json enum union record password passwords see ask with from into this that what when which " +
    "where your mine ours theirs confirm confirmation repeat enter encryption rule access attempts attempt " +
    "reuse expiry salt pepper falsch richtig leer schwach stark sicher unsicher lang kurz pflicht pflichtfeld " +
    "klartext gleich anders neu alt weg da unbekannt bekannt notwendig nötig erforderlich gültig ungültig " +
    "sichtbar verloren vergessen geheim korrekt inkorrekt einmalig fertig zufällig siehe folgt fehlt kaputt " +
    "abgelaufen mindestens maximal identisch hier unten vide faux bon mauvais invalide valide obligatoire " +
    "facultatif optionnel faible fort court requis nul perdu oublié inconnu identique sûr expiré manquant " +
    "absent différent périmé vacía vacia incorrecta incorrecto correcta obligatoria débil debil fuerte válida " +
    "inválida invalida opcional nula larga corta segura única igual distinta nueva vieja mala secreta " +
    "necesaria texto falta errada errado vazia fraca forte obrigatória obrigatoria correta curta longa " +
    "diferente nova velha visível necessária falsa обязательно обязателен необходим неверный неверен верный " +
    "пустой пуст неправильный правильный слабый сильный сложный простой короткий длинный скрыт скрытый " +
    "сохранён сохранен зашифрован хеширован истёк истек забыт нужен необязательно необязателен новый старый " +
    "другой отсутствует неизвестен известен одинаковый"
  ).split(" "),
);

/** Participles tell what was done to a password. */
const participle = new RegExp(
  String.raw`^(?:\p{L}{3,}(?:ed|ing|able|ible|less)|ge\p{L}{2,}(?:t|en)|\p{L}{2,}ge\p{L}{2,}(?:t|en)` +
    String.raw`|(?:ver|er|ent|zer|be|hinter)\p{L}{2,}t|\p{L}+iert|\p{L}{2,}(?:ad|id)[oa]s?)$`,
  "u",
);

/** The same in French; in Portuguese a noun may end so. */
const frenchParticiple = /^\p{L}{2,}(?:és?|ées?)$/u;

/** May a word of letters be a password, for all that is known of it? */
function mayBeChosen(word: string, isFrench = false): boolean {
  const lower = word.toLowerCase();
  if (isFrench && frenchParticiple.test(lower)) return false;
  // German nouns have a capital, and no participle has.
  if (!/^\p{Lu}/u.test(word) && participle.test(lower)) return false;
  return mayStandBesideLogin(word);
}

/** The same right behind "user: X", where no state of a password is told. */
function mayStandBesideLogin(word: string): boolean {
  const lower = word.toLowerCase();
  const charsMin = /\p{sc=Han}/u.test(word) ? 2 : 4;
  if (word.length < charsMin || word.length > 32 || isHarmless(word) || isPlainWord(word))
    return false;
  if (/\p{Ll}\p{Lu}/u.test(word) || said.has(lower)) return false;
  return !labelWords.some((label) => lower.startsWith(label));
}

const labelWords = passwordLabels.filter((label) => !label.includes(" "));

const word = String.raw`["'\x60“„«「]?(\p{L}{4,32})(?![\p{L}\p{N}_-])["'\x60”“»」]?`;
/** The clause is over. */
const end =
  String.raw`(?=[ \t]{0,3}(?:$|\n|[,;!)，。、；][ \t]*(?=\S)|[,;!)，。、；]$|[.](?:\s|$)|です|だ(?:\s|$|。)` +
  String.raw`|[ \t](?:for|on|für|auf|pour|para|em|en|and the|und der|und die|und das)[ \t]` +
  String.raw`|[ \t](?:if you need|in case|falls|au cas|por si|caso|на случай)(?!\p{L})` +
  String.raw`|[ \t](?:btw|fyi|by the way|übrigens|au fait|por cierto|aliás|кстати)(?!\p{L})))`;
/** The person or thing that it is for. */
const purpose =
  String.raw`(?:[ \t](?:for|of|to|on|in|at|from|vom|von|für|des|der|zum|zur|im|am|du|de|pour|` +
  String.raw`sur|del|para|do|da|dos|no|na|от|для|на|к)` +
  String.raw`(?:[ \t][\p{L}\p{N}'’._@-]{1,24}){1,5}?|[ \t](?:admin|root|wi-?fi|wlan|db|vpn|ssh|ftp|demo|staging|prod))`;
const mark = String.raw`[ \t]{0,2}[:：=][ \t]{0,3}`;
const copula =
  String.raw`[ \t]{1,2}(?:is|was|used to be|(?:(?:was|is|got) )?(?:changed|set|reset) to|` +
  String.raw`ist|war|lautet|lautete|heißt|est|c['’]est|était|es|era|é|è|это)` +
  String.raw`(?:[ \t](?:now|just|simply|still|only|previously|früher|jetzt|nun|einfach|noch|maintenant|ahora|agora|` +
  String.raw`simplemente|теперь))?` +
  String.raw`[ \t]{1,2}`;
/** Behind these the value stands in Latin letters; a native word tells a state as a rule. */
const latin = String.raw`["'\x60“「]?([A-Za-z]{4,32})(?![\w-])["'\x60”」]?`;
const unspaced = String.raw`[ \t]{0,2}(?:是|为|為|は)[ \t]{0,2}[:：]?[ \t]{0,2}`;

/** Purpose, joint, word. */
const statement = String.raw`\p{L}{0,10}(?:${purpose})?(?:${mark}|${copula})${word}${end}`;
const unspacedStatement = String.raw`\p{L}{0,2}(?:${mark}|${unspaced})${latin}${end}`;
/** "La clave es constancia" is about a key to something else. */
const markedOrFor = String.raw`\p{L}{0,2}(?:${purpose}(?:${mark}|${copula})|${mark})${word}${end}`;
/** Behind a label as it is, without an ending. */
const short = String.raw`(?![\p{L}\p{N}_])(?:${purpose})?(?:${mark}|${copula})${word}${end}`;
/** Passphrases: three ordinary words and more, perhaps with numbers, without one that makes them a sentence. */
const phrase =
  String.raw`\p{L}{0,3}(?:${purpose})?(?:${mark}|${copula})["'\x60“„«]?` +
  String.raw`((?:\p{N}{1,6}[ \t])?\p{L}{3,12}(?:[ \t](?:\p{L}{3,12}|\p{N}{1,6})){2,8}[!?]?)` +
  String.raw`(?=["'\x60”»]?[ \t]{0,3}(?:$|\n|[.](?:\s|$)|[,;]))`;

/** Neither a part of a name in code, nor quoted. */
const free = /(?:^|[^\p{L}\p{N}_.$"'`<>{/-]|\p{L}-)$/u;
/** At the head of a clause, or somebody's. "The tests pass: unit" has a verb, "the pass is slow" another noun. */
const owned = new RegExp(
  String.raw`(?:^[ \t>*-]*|[,;(|/][ \t]*|` +
    String.raw`(?<!\p{L})(?:my|our|your|his|her|admin|root|user|db|wifi|wlan|vpn|demo|und|and)[ \t])$`,
  "iu",
);
const noun = new RegExp(
  String.raw`${owned.source}|(?<!\p{L})(?:the|mein|dein|unser|das|le|mon|el|mi|a)[ \t]$`,
  "iu",
);
const client =
  /(?<!\p{L})(?:api|client|app|shared|webhook|signing|jwt|oauth|consumer|bot|hmac)[ \t-]$/iu;

/** Labels that others stand before without a space. */
const compound = /wor|wör|[\u3040-\u30ff\u3400-\u9fff]/u;

/** A label and what stands behind it; `before`: what has to stand before it. */
const labelled = (anchors: readonly string[], behind: string, before?: RegExp): Shape => ({
  anchors,
  pattern: new RegExp(`(?:${anchors.join("|")})${behind}`, "iuy"),
  kind: "password",
  before,
  isIt: isChosen,
});

/** Characters of a line behind a label that are looked at. */
const lineCharsMax = 300;

function lineAt(text: string, at: number): string {
  const [behind = ""] = text.slice(at, at + lineCharsMax).split("\n", 1);
  return `${lineBefore(text, at)}${behind}`;
}

/** Braces, calls, tags, and a comma at the end of a line that is a name and a value. */
const isCode = (line: string): boolean =>
  /[{}<>]|\w\(|=>|;[ \t]*$|^[ \t]*["']?\w+["']?[ \t]*:[ \t]*\S+,[ \t]*$/u.test(line);

function isChosen(value: string, { 0: all, index, input }: RegExpExecArray): boolean {
  const isFrench = /[ \t'’](?:est|était)[ \t]/u.test(all);
  const isBeside = besideLogin.test(input.slice(Math.max(0, index - loginCharsMax), index));
  const isIt = isBeside ? mayStandBesideLogin(value) : mayBeChosen(value, isFrench);
  return isIt && !isCode(lineAt(input, index));
}
const loginCharsMax = 80;
const besideLogin = new RegExp(
  String.raw`(?<!\p{L})(?:user(?:name)?|login|usuario|usuário|benutzer(?:name)?|utilisateur|` +
    String.raw`пользователь|логин|用户名?|ユーザー名?)` +
    String.raw`[ \t]?[:=：][ \t]?[\w.@+-]{2,40}[ \t]*[,;]?\s{1,3}$`,
  "iu",
);

function isPhrase(value: string, { index, input }: RegExpExecArray): boolean {
  const words = value.match(/\p{L}+/gu) ?? [];
  const isTold = words.length < 3 || words.some((one) => !mayBeChosen(one) && one.length > 3);
  return !isTold && !glue.test(value) && !isCode(lineAt(input, index));
}
const glue = new RegExp(
  String.raw`(?<!\p{L})(?:the|and|for|must|should|can|may|will|has|have|from|with|not|too|was|are|our|you|your|` +
    String.raw`when|its|per|at|least|than|words?|characters?|und|der|die|das|für|mit|von|muss|soll|nicht|aus|les|` +
    String.raw`des|une|pour|avec|doit|dans|los|las|una|por|con|para|debe|que)(?!\p{L})`,
  "iu",
);

const passwordNoun = String.raw`(?:password|passwort|kennwort|mot de passe|mdp|contraseña|clave|senha|парол(?:ем|ь|я))`;
const joiners = "and|with|und|mit|et|avec|y|con|e|com|и|а|с";
const article = "the |its |a |my |an |dem |das |le |la |el |su |sua ";
/** One word, or several that are joined: "zeugin-blau". */
const joinedWord = String.raw`["'\x60“„«「]?(\p{L}{4,32}(?:-\p{L}{2,20}){0,3})(?![\p{L}\p{N}_-])["'\x60”“»」]?`;
/** A particle, an infinitive or a courtesy ends the clause too: "melde dich … an". */
const orderEnd =
  String.raw`(?:${end}|(?=[ \t](?:to[ \t]|\p{Ll}{3,}en[.!]?(?:\s|$)|(?:ein|an|rein|please|pls|bitte|stp|svp|por favor` +
  String.raw`|пожалуйста|${joiners}|i|we|it|komm\p{L}{0,2}|klappt|geht|je|on)(?:\P{L}|$))))`;
const login = String.raw`[\w.@+-]{2,40}`;
/** No name of an account. */
const noAccount =
  String.raw`(?!(?:user|login|e-?mail|name|benutzer|konto` +
  String.raw`|utilisateur|usu[aá]rio|cuenta|логин|пользоват)|no[ \t])`;
const noLogins =
  "page|form|screen|flow|button|view|route|endpoint|redirect|failure|error|tests?|attempts?|" +
  "with|via|and|or|is|fails?|works?";

const sentences: readonly Omit<Shape, "isIt" | "kind">[] = [
  {
    // "Log in as admin with the password penguin", "use password dolphin for the demo user", "с root и паролем X".
    anchors: [
      "with ",
      "using ",
      "use ",
      "has ",
      "as ",
      "mit ",
      "als ",
      "avec ",
      "con ",
      "com ",
      "с ",
      "под ",
    ],
    pattern: new RegExp(
      String.raw`\p{L}{1,5}[ \t](?:user |benutzer )?(?:${noAccount}${login},?[ \t]` +
        String.raw`(?:(?:${joiners})[ \t])?)?(?:${article})?` +
        String.raw`${passwordNoun}[ \t]${joinedWord}${orderEnd}`,
      "iuy",
    ),
    before: /(?:^|\P{L})$/u,
  },
  {
    // "username bob password falconer", "el usuario es admin y la clave es girasol"
    anchors: (
      "user|login|sign in |log in |signed in |logged in |usuario|usuário|benutzer|utilisateur|identifiant" +
      "|логин|пользовател|учётк"
    ).split("|"),
    pattern: new RegExp(
      String.raw`(?:user(?:name)?|(?:sign|log)(?:ged|ed)? in (?:with|as)|login|identifiant|логин|пользователь|учётка|` +
        String.raw`usuario|usuário|benutzer(?:name)?|utilisateur)(?:[ \t](?:is|ist|est|es|é|это))?[:：]?[ \t]` +
        String.raw`(?!(?:${noLogins})\b)${login},?[ \t](?:(?:${joiners})[ \t])?(?:${article})?` +
        String.raw`(?:${passwordNoun}|pass|pwd?)(?:${mark}|${copula}|[ \t])${joinedWord}${end}`,
      "iuy",
    ),
    before: /(?<!(?:the|an?|each|every|this|der|o|le)[ \t])$/iu,
  },
  {
    // "use admin and pumpkin as the password"
    anchors: joiners.split("|").map((one) => ` ${one} `),
    pattern: new RegExp(
      String.raw`[ \t]\p{L}{1,5}[ \t]${joinedWord}[ \t](?:as|als|comme|como|как)[ \t](?:${article})?${passwordNoun}` +
        String.raw`(?!\p{L}|[ \t]\p{L}{4})`,
      "iuy",
    ),
    before: new RegExp(
      String.raw`(?<!\p{L})(?:use|log[ -]?in|sign in|user|account|nimm|nutze|anmeld|benutzer|connecte|utilise` +
        String.raw`|compte|usa|entra|cuenta|usuario|conta|entre|usuário|логин|войди|используй)` +
        String.raw`[^\n]{0,50}[ \t][\w.@+-]{2,40}$`,
      "iu",
    ),
  },
  {
    // "用 root 和密码 南瓜王 登录": with blanks around it a native word is no state.
    anchors: ["密码", "密碼", "口令"],
    pattern:
      /(?:密码|密碼|口令)[ \t「“]{1,2}(\p{sc=Han}{2,12}|[A-Za-z]{4,32})[ \t」”]{1,2}(?:来)?登[录入]/uy,
  },
  {
    anchors: ["密码", "密碼", "口令"],
    pattern: /(?:密码|密碼|口令)[是为:：][ \t]?(\p{sc=Han}{2,8})[。.！!]?(?=\s|$)/uy,
    before: /(?:账[号户]|帐号|用户名?)[是为:：]?[ \t]?[\w.@-]{2,40}[，,、 ]{1,2}$/u,
  },
  {
    anchors: ["パスワード"],
    pattern: /パスワード[ \t「]{0,2}([A-Za-z]{4,32})[ \t」]{0,2}で(?:ログイン|入|接続)/uy,
  },
  {
    // "login root / pineapple", "Zugangsdaten: admin / Zitrone"
    anchors: ["login", "credentials", "creds", "zugang", "identifiants", "credenciales", "acesso"],
    pattern: new RegExp(
      String.raw`\p{L}{4,16}(?:[ \t]?[:：]|[ \t](?:is|are|ist|sind|est|sont|es|são))?[ \t](?!(?:${noLogins})\b)` +
        String.raw`${login}[ \t]{0,2}[/|][ \t]{0,2}${word}${end}`,
      "iuy",
    ),
  },
  {
    // "credentials are bob and marble"
    anchors: ["credentials are", "creds are", "login is", "zugangsdaten sind", "identifiants sont"],
    pattern: new RegExp(
      String.raw`\p{L}{4,16}[ \t](?:are|is|sind|sont)[ \t](?!(?:${noLogins})\b)` +
        String.raw`(?!${[...said]
          .filter((one) => one.length > 3)
          .slice(0, 60)
          .join("|")})${login}` +
        String.raw`[ \t](?:and|und|et|with|mit|avec)[ \t]${word}${end}`,
      "iuy",
    ),
  },
  {
    // "change the password from walrus to octopus"
    anchors: ["password", "passwort", "kennwort", "contraseña", "senha", "mot de passe"],
    pattern: new RegExp(
      String.raw`${passwordNoun}(?:[ \t](?:of|for|on|von|für|de|del|du)(?:[ \t][\p{L}\p{N}._-]{1,24}){1,3})?[ \t]` +
        String.raw`(?:from|von|de)[ \t]${word}[ \t](?:to|auf|zu|à|a|para)[ \t]${word}${end}`,
      "iuy",
    ),
  },
  {
    // "set the password of the demo user to lantern"
    anchors: ["set ", "change ", "setze ", "ändere ", "mets ", "cambia ", "muda "],
    pattern: new RegExp(
      String.raw`\p{L}{3,6}[ \t](?:the |my |its |das |le |la |a )?${passwordNoun}(?:${purpose})?[ \t]` +
        String.raw`(?:to|auf|à|a|para)[ \t]${word}${end}`,
      "iuy",
    ),
    before: /(?:^|\P{L})$/u,
  },
  {
    // "bob/marble is the login for the demo"
    anchors: ["/", ":"],
    pattern: new RegExp(
      String.raw`[/:][ \t]?(\p{L}{4,32})[ \t](?:is|are|ist|sind|est|sont|es)[ \t]` +
        String.raw`(?:the|our|my|das|die|unser|les?|el|la)[ \t]` +
        String.raw`(?:[\p{L}-]{2,12}[ \t])?(?:login|credentials|creds|zugang|zugangsdaten|password|` +
        String.raw`identifiants|acceso)`,
      "iuy",
    ),
    before: /(?:^|[\s"'`(])[\w.@+-]{2,40}[ \t]?$/u,
  },
];

const shapes: readonly Shape[] = [
  {
    // Three words or more, joined: "its password is maple-tractor-window, printer …".
    anchors: passwordLabels,
    pattern: new RegExp(
      String.raw`\p{L}{3,16}[ \t](?:is|ist|lautet|est|es|é|è|это)[ \t]["'\x60“„«]{0,2}` +
        String.raw`(\p{Ll}{4,20}(?:-\p{Ll}{4,20}){2,6})(?![\p{L}\p{N}_-])`,
      "uy",
    ),
    kind: "password",
    isIt: (value) => value.split("-").every((one) => mayBeChosen(one)),
  },
  {
    // A sentence of small words that is somebody's passphrase: "my vault passphrase is copper lantern drifts …".
    anchors: ["passphrase is ", "passphrase = "],
    pattern: new RegExp(
      String.raw`(?<=(?<!\p{L})(?:my|our|his|her|their)(?:[ \t][\p{L}\p{N}-]{2,20}){0,2}[ \t])passphrase (?:is|=) ` +
        String.raw`["'\x60“„«]{0,2}((?:\p{Ll}{2,12} ){3,11}\p{Ll}{2,12})(?=[ \t]?["'\x60.,;!?\n]|$)`,
      "uy",
    ),
    kind: "password",
    isIt: (value) => !tellsOfPassphrase.test(value) && mayBeChosen(value.split(" ")[0] ?? ""),
  },
  labelled(
    passwordLabels.filter((label) => label !== "clave" && !compound.test(label)),
    statement,
    free,
  ),
  labelled(["密码", "密碼", "口令", "パスワード"], unspacedStatement),
  // Compounds: "Adminpasswort".
  labelled(["passwor", "kennwort"], statement, /(?:^|[^_.$"'`<>{/-]|\p{L}-)$/u),
  labelled(["clave"], markedOrFor, free),
  labelled(["pass"], short, owned),
  labelled(["pwd", "pw"], short, noun),
  labelled(["secret"], short, client),
  {
    ...labelled(["passphrase", "phrase secrète", "frase secreta", "frase de paso"], phrase),
    isIt: isPhrase,
  },
  ...sentences.map(({ anchors, pattern, before }): Shape => {
    return { anchors, pattern, before, kind: "password", isIt: isChosen };
  }),
];
