/** Orders to forget in eight languages: what a typed sentence says that it is to be forgotten. Pure. */

/** Heads of a polite request, which is no question. */
const heads =
  "(?:can|could|would|will) you|(?:kannst|könntest) du|(?:tu peux|peux-tu|pourrais-tu)|¿?(?:puedes|podrías)|" +
  "(?:você )?(?:pode|poderia)|можешь|можете";
/** Words of courtesy before the order. */
const lead =
  String.raw`^(?:(?:ok(?:ay)?|thanks|no|well|please|pls|and|also|so|now|you can|you may|bitte|danke|nein|und|` +
  String.raw`merci|non|et|s'il te plaît|por favor|gracias|y|obrigad[oa]|e|спасибо|нет|` +
  String.raw`пожалуйста|и|${heads})[\s,.!]+)*`;
const isRequest = new RegExp(
  String.raw`${lead}(?<=(?:${heads})\s+)|^能(?:不能)?忘|忘れて(?:もらえ|いただけ|くれ)ます?か`,
  "iu",
);
/** Phrases that say that words are meant: "that …", "the rule …", "what I told you about …". */
const talk =
  String.raw`(?<talk>(?:(?:about|everything about|all about)\s+)?(?:the|that|this|my|our)\s+(?:rule|fact|memory|note|` +
  String.raw`order|instruction|preference|decision)s?\s*(?:that|about|on|of|:|,)?\s*|` +
  String.raw`what (?:i|we) (?:said|told you|wrote)(?: earlier)?(?: about| on)?\s+|that\s+)?`;

/** `order` and `talk` of one language, and the rest of the sentence. */
const spoken = (order: string, said: string): RegExp =>
  new RegExp(String.raw`${lead}(?:${order})\s+(?<talk>${said})?(?<rest>.+)$`, "iu");

const orders: readonly RegExp[] = [
  new RegExp(String.raw`${lead}(?:forget|unlearn)\s+${talk}(?<rest>.+)$`, "iu"),
  spoken(
    "(?:vergiss|vergesst|vergessen sie|(?:das |es |bitte |wieder )*vergessen)(?: bitte)?(?: wieder)?,?",
    "(?:dass|daß|die regel,?(?: dass| zu| über)?|was ich (?:dir )?(?:über|zu)|alles über) ",
  ),
  spoken(
    "oublie[rsz]?",
    "que |qu'|la règle (?:que |sur )?|ce que (?:je t'ai|j'ai) dit (?:sur |de )?",
  ),
  spoken(
    "olvid(?:ar?|e)",
    "que |la regla (?:de |sobre )?(?:que )?|lo que (?:te )?dije (?:de |sobre )?",
  ),
  spoken(
    "esque[cç](?:er?|a)",
    "que |a regra (?:de |sobre )?(?:que )?|o que (?:eu )?(?:te )?disse (?:de |sobre )?",
  ),
  spoken("(?:забудь(?:те)?|забыть),?", "что |о том, что |правило (?:о |про )?|всё про "),
  /^(?:请|好的?[，,]?|能不能|能)?(?:忘记|忘掉|忘了)(?<talk>关于|规则)?(?<rest>.{3,}?)吗?$/u,
  new RegExp(
    String.raw`^(?<rest>.{3,}?)(?<talk>という(?:こと|ルール)|こと|の(?:こと|ルール))?(?:は|を)(?:もう)?` +
      String.raw`忘れて(?:ください|下さい|(?:くれ|もらえ|いただけ)(?:ますか)?|ほしい)?(?:[。！!？?]*|、.*)$`,
    "u",
  ),
];

/** French and Portuguese deny before the verb, the others behind it. */
const kept = new RegExp(
  String.raw`(?:n'|ne l')oublie|no (?:lo |te )?olvid|n[ãa]o (?:se )?esque|не забуд|(?:别|不要|(?<!能)不能)忘|` +
    String.raw`^\S*\s*(?:nicht|nie|niemals|pas|jamais)(?!\p{L})`,
  "iu",
);

/** "What I said about …", with what stands before and behind its subject; `just`: in the running session. */
const whatISaid: readonly RegExp[] = (
  [
    [
      "(?:what|everything|all)(?: that)? (?:i|we)(?: have|'ve)? (?<just>just )" +
        "(?:said|told you|wrote)(?: about| on| of)? ",
    ],
    [
      "(?:what|everything)(?: that)? (?:i|we) (?:said|told you|wrote)(?: about| on)? ",
      "(?<just> (?:just now|a (?:moment|minute) ago))",
    ],
    [
      "(?:what|everything|all)(?: that)? (?:i|we)(?: have|'ve)? " +
        "(?:said|told you|wrote|mentioned)(?: earlier)? (?:about|on|of|regarding) ",
      "(?: again)?",
    ],
    [
      "(?:das,? |alles,? )?was ich (?:dir )?(?<just>(?:gerade|eben|soeben|vorhin)(?: erst)? )?(?:über|zu|von) ",
      "(?: gesagt| geschrieben| erzählt| erwähnt)(?: habe?)?",
    ],
    [
      "(?:tout )?ce que (?:je t'ai|je vous ai|j'ai|(?<just>je viens de)(?: te| vous)?) " +
        "(?:dit|dire|écrire|écrit|raconté) " +
        "(?:sur |du |des |d'|de |à propos d[eu]s? )",
    ],
    [
      "(?:todo )?lo que (?:te )?(?:(?<just>acabo de )(?:decir|contar|escribir)(?:te)?|" +
        "(?:he )?(?:dije|dicho|conté|escribí)) " +
        "(?:sobre|del?|acerca del?) ",
    ],
    [
      "(?:tudo )?o que (?:eu )?(?:te )?(?:(?<just>acabei de )(?:dizer|falar|contar|escrever)|" +
        "disse|falei|contei|escrevi) " +
        "(?:sobre|d[eoa]s?) ",
    ],
    [
      String.raw`(?:вс[её]|то)?,?\s*(?:что )?я (?:тебе )?(?<just>только что )?(?:тебе )?` +
        "(?:сказала?|написала?|говорила?|рассказала?) (?:про|об?) ",
    ],
    [
      "(?:关于)?(?:我?(?<just>刚才|刚刚)|我)(?:跟你|对你)?(?:说|讲|提)(?:过|到)?的?(?:关于)?",
      "(?:的(?:话|事|内容))?吗?",
    ],
    ["(?<just>さっき|先ほど|たった今|今)(?:言った|話した|書いた)", "(?:のこと)?"],
    ["", "について(?<just>さっき|先ほど|たった今|今)?(?:言った|話した|書いた)"],
  ] as const
).map(([before, behind = ""]) => new RegExp(`^${before}(?<about>.+?)${behind}$`, "iu"));

export interface Forgetting {
  /** The words to be forgotten, up to the end of its clause. */
  readonly words: string;
  /** True for what is called words or a rule: "forget the tests" may mean to leave them out. */
  readonly isOfWords: boolean;
  /** True for all that the user said about it: in the running session, or ever. */
  readonly isJustSaid: boolean;
  readonly isSaid: boolean;
}

const clauseEnd = /[,;:，；：]|\s[—–-]{1,2}\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s/u;

/**
 * Reads an order to forget; null when the sentence orders nothing of the kind, or only points. `typed`: the sentence
 * with the words that `sentence` masks as reported, as "I just said" reports; as long.
 */
export function forgottenIn(sentence: string, typed = sentence): Forgetting | null {
  const said = sentence.replaceAll("’", "'").trim();
  if (kept.test(said) || (/[?？]\s*$/u.test(said) && !isRequest.test(said))) return null;
  const order = orders.map((shape) => shape.exec(said)?.groups).find((groups) => groups);
  return order === undefined ? null : meantBy(order, said, typed.replaceAll("’", "'").trim());
}

function meantBy(
  { talk = "", rest = "" }: Readonly<Record<string, string>>,
  said: string,
  typed: string,
): Forgetting | null {
  // The Japanese order stands behind its words.
  const length = said.startsWith(rest) ? rest.length : -rest.length - talk.length;
  const told = whatISaidIn(length > 0 ? typed.slice(0, length) : typed.slice(length));
  const meant = told ?? { about: withoutMark(rest).split(clauseEnd)[0] ?? "", isJust: false };
  if (meant.about === "" || kept.test(rest) || isPointer.test(meant.about)) return null;
  return {
    words: meant.about,
    isOfWords: told !== null || talk !== "",
    isJustSaid: meant.isJust,
    isSaid: told !== null,
  };
}

const withoutMark = (text: string): string => text.replace(/[.!。！?？]+$/u, "").trim();

/** Subject of what the user has said, up to the end of its clause; null for other words. */
function whatISaidIn(said: string): { readonly about: string; readonly isJust: boolean } | null {
  const rest = withoutMark(said);
  const [words = ""] = rest.split(clauseEnd);
  const groups = [words, rest]
    .flatMap((text) => whatISaid.map((shape) => shape.exec(text)?.groups))
    .find((found) => found !== undefined);
  const about = groups?.["about"]?.split(clauseEnd)[0];
  return about === undefined ? null : { about, isJust: groups?.["just"] !== undefined };
}

const isPointer = new RegExp(
  String.raw`^(?:it|this|that|them|about it|about that|das|es|ça|cela|esto|eso|isso|это|这个?|那个?|これ|それ)` +
    String.raw`(?:\s+(?:for now|please|again|one))?$`,
  "iu",
);
