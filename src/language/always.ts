/**
 * Heads of standing orders: "always" and "never" with an imperative in the languages beside English, and in all of
 * them the duty ("you must never …", "make sure you always …") and the habit that is to end ("stop using …"). Pure.
 */
/** `end`: what may not follow a word; `notImperative`: words that are none, as a pattern. */
export const alwaysOtherIn = (notImperative: string, end: string): readonly RegExp[] => [
  ...englishDuties(notImperative, end),
  ...otherDuties,
  ...habitsToEnd,
  ...insteadHere,
  // Immer … -en, Nie … -en; Verwende immer.
  new RegExp(
    String.raw`^(?:bitte )?(?:immer|nie|niemals|grundsätzlich|generell)\s(?!noch|wieder|wenn|das|die|der|` +
      String.raw`ein).{3,200}\p{L}{2,}(?:en|ern|eln)[.!]*$`,
    "iu",
  ),
  // Niemals die Datei … ändern: an infinitive, and no participle ("nie die Datei gelesen").
  new RegExp(
    String.raw`^(?:[Bb]itte )?(?:[Ii]mmer|[Nn]ie(?:mals)?|[Gg]rundsätzlich|[Gg]enerell)\s` +
      String.raw`(?:die|das|der|den|dem|ein\p{L}*)` +
      String.raw`\s.{3,200}\s(?!\p{L}*ge\p{L}+en|\p{L}+(?:sprungen|standen|brochen|schrieben|nommen|worfen)(?!\p{L}))` +
      String.raw`\p{Ll}+(?:en|ern|eln)[.!]*$`,
    "u",
  ),
  new RegExp(
    String.raw`^(?!ich|du|er|sie|es|wir|das|die|der)\p{L}{2,}(?<!t)(?: (?:bitte|mir|dabei|hier|` +
      String.raw`in diesem projekt|dafür))* (?:immer(?! noch| wieder)|nie(?:mals)?)\s`,
    "iu",
  ),
  // Toujours -er, ne jamais -er; Utilise toujours, n'utilise jamais.
  /^(?:toujours|(?:ne )?jamais)\s\p{L}+(?:er|ir|re)\s/iu,
  new RegExp(
    String.raw`^(?:ne |n')?(?!je|j|tu|il|elle|on|nous|c|ça|cela|le|la|les)\p{L}{3,}(?:e|s|ez|is)(?:-(?:le|la|` +
      String.raw`les|toi))? (?:toujours|jamais)\s(?!pas)`,
    "iu",
  ),
  new RegExp(
    `^(?:por favor,? )?(?:siempre|nunca|jamás|sempre|jamais) (?!(?:${notImperative})${end})\\p{L}+`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?!(?:no|não) \p{L}+ (?:siempre|sempre)\s)(?:no |não )?` +
      String.raw`(?!el|la|los|yo|esto|eso|eu|isso|ele|ela|isto)\p{L}{2,}(?:a|e|as|es|á|é|ar|er|` +
      String.raw`ir)(?:lo|la)? (?:siempre|nunca|sempre)\s(?!falla|falha)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:пожалуйста,? )?(?:всегда|никогда не)\s(?:\p{L}+\s)?\p{L}+(?:й|йте|и|ите|ь|ьте|ть|ться|йся|` +
      String.raw`йтесь|ти)(?!\p{L})`,
    "iu",
  ),
];

/** After "you should always": tells what happens to be seen. */
const perceived = "be able|be seeing|see|get|find|expect|know|feel|notice|receive|hear|want|need";

/** The part that is to be so each time. */
const englishDuties = (notImperative: string, end: string): readonly RegExp[] => [
  new RegExp(
    String.raw`^(?:please )?(?:(?:make|be) (?:very |absolutely )?sure(?: that)?|ensure(?: that)?|see to it that|` +
      String.raw`i(?:'d| would)? (?:want|need|expect|like|ask)(?: from)?|you|we|it is (?:very )?important that)` +
      String.raw`(?: (?:you|we|to|should|must|shall|need to|have to|are to|ought to|please|really|also))*` +
      String.raw` (?:always|never(?: ever| again)?|under no circumstances)(?: to)? ` +
      `(?<=(?:sure|ensure|that|you to|should|must|shall|to|need to) .{0,40})` +
      `(?!(?:${perceived}|${notImperative})${end})`,
    "iu",
  ),
  new RegExp(
    `^(?:please )?(?:(?:make|be) sure|ensure)(?: that)? (?:every new|each new|every time|each time|whenever)${end}`,
    "iu",
  ),
  new RegExp(
    String.raw`^you (?:must not|mustn't|may not|are not (?:allowed|permitted) to|are not to|` +
      String.raw`are never (?:allowed )?to|` +
      String.raw`are forbidden to|should not ever|shouldn't ever|must only ever) ` +
      `(?!have|be|see|need|like|know|notice|believe|want|care|realize)`,
    "iu",
  ),
  /^i (?:never(?: ever)? want|don't ever want|do not ever want) to see (?!this|that|it|these|those|the)/iu,
];

const otherDuties: readonly RegExp[] = [
  // Du sollst nie …; stell sicher, dass du immer …; ich will nie wieder … sehen.
  new RegExp(
    String.raw`^(?:bitte )?(?:du|ihr|sie|wir) (?:sollst|sollt|sollen|solltest|solltet|sollten|musst|müsst|müssen|` +
      String.raw`darfst|dürft|dürfen)(?: (?:bitte|auch|hier|dabei|mir|wirklich))* ` +
      String.raw`(?:immer|stets|nie|niemals|nie wieder|nie mehr|auf keinen fall|unter keinen umständen) ` +
      String.raw`(?!.*\p{L}(?:\s(?:haben|sein|sehen|bekommen|können))[.!]*$)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:bitte )?(?:stell(?:e|t)?(?: bitte)? sicher|sorge?(?: bitte)?(?: immer)? dafür|` +
      String.raw`achte?(?: bitte)?(?: immer| stets)? darauf|pass(?: bitte)?(?: immer)? auf),? dass ` +
      String.raw`(?:.{0,60}?\s)?(?:immer|stets|nie|niemals|jedes mal|jede[rs]? neue)(?!\p{L})`,
    "iu",
  ),
  /^(?:bitte )?(?:achte|pass|sorge?)(?: bitte)? (?:immer|stets) (?:darauf|auf|dafür),? dass /iu,
  new RegExp(
    String.raw`^ich (?:will|möchte) (?:nie (?:wieder|mehr)|niemals(?: wieder)?) (?!das|dies|so|es)` +
      String.raw`.{3,200} (?:sehen|finden|lesen)[.!]*$`,
    "iu",
  ),
  // Tu ne dois jamais …; assure-toi de toujours …; ne … plus jamais.
  new RegExp(
    String.raw`^(?:s'il te plaît,? )?(?:tu|vous|on) (?:ne )?(?:dois|devez|doit|devrais|devriez|devrait|peux|pouvez)` +
      String.raw`(?: (?:vraiment|aussi))? (?:toujours|jamais) (?!voir|avoir|être|recevoir)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:assure-toi|assurez-vous|veille|veillez|fais en sorte|faites en sorte|pense|pensez)(?: bien)? ` +
      String.raw`(?:de |d'|à |que (?:tu |vous )?)(?:.{0,40}?\s)?(?:(?:ne )?(?:toujours|jamais)|à chaque fois)(?!\p{L})`,
    "iu",
  ),
  /^(?:ne |n')\p{L}+ plus jamais \p{L}+/iu,
  // Nunca debes …; asegúrate de … siempre; no vuelvas a …
  new RegExp(
    String.raw`^(?:(?:siempre|nunca|jamás|sempre) (?:debes|deberías|debe|deben|tienes que|você deve|deve|deveria)|` +
      String.raw`(?:tú |usted |você |vocês )?(?:debes|deberías|debe|tienes que|deve|devem|deveria|precisa|tem que)` +
      String.raw`(?: \p{L}+(?:ar|er|ir))? (?:siempre|nunca|jamás|sempre|jamais)|` +
      String.raw`no debes? (?:\p{L}+(?:ar|er|ir) )?nunca|` +
      String.raw`você (?:nunca|sempre|jamais) (?:deve|deveria|pode)) (?!ver|haber|tener|estar|ter|ser)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:por favor,? )?(?:asegúr[ae](?:te|se)|asegurate|procura|certifi(?:que|ca)-(?:se|te)|garanta|` +
      String.raw`garante|` +
      String.raw`assegure(?:-se)?|tenha certeza) (?:de |que )?(?:que )?(?:.{0,40}?\s)?` +
      String.raw`(?:siempre|nunca|cada vez|sempre|jamais|toda vez)(?!\p{L})`,
    "iu",
  ),
  /^(?:por favor,? )?(?:no vuelvas? a|não volt[ea]s? a) (?!hacerlo|fazer isso)\p{L}+r \p{L}+/iu,
  // Ты никогда не должен …; следи, чтобы всегда …
  new RegExp(
    String.raw`^(?:ты|вы) (?:(?:всегда|никогда не) (?:должен|должна|должны|обязан\p{L}*)|` +
      String.raw`(?:должен|должна|должны|обязан\p{L}*) (?:всегда|никогда не)) `,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:пожалуйста,? )?(?:убедись|убедитесь|следи(?:те)?|позаботься|проследи(?:те)?)(?: за тем)?,? ` +
      String.raw`(?:что(?:бы)?) (?:.{0,40}?\s)?(?:всегда|никогда|каждый раз)(?!\p{L})`,
    "iu",
  ),
];

/** One thing at hand, or what runs now: a stop, not the end of a habit. */
const atHand = {
  en: String.raw`(?!(?:the|this|that|these|those|it|my|your|our|now|here|for now)(?!\p{L}))`,
  fr: String.raw`(?!(?:le|la|les|l'|ce|cet|cette|ces|ça|mon|ma|mes)(?!\p{L}))`,
  es: String.raw`(?!(?:el|la|los|las|es[ea]s?|est[ea]s?|eso|esto|o|a|os|as|ess[ea]s?|isso|isto)(?!\p{L}))`,
  ru: String.raw`(?!(?:это|этот|эту|эти)(?!\p{L}))`,
} as const;
/** With one of these, whatever it is done to. */
const eachTime =
  String.raw`(?=.*(?<!\p{L})(?:every|each|always|all the time|ever|without asking|jede[nrsm]?|chaque|cada|` +
  String.raw`todos?|todas?|кажд\p{L}+)(?!\p{L}))`;

/** "Stop using lodash", "stop adding comments to every line"; not "stop running the server". */
const habitsToEnd: readonly RegExp[] = [
  new RegExp(String.raw`^(?:please )?(?:stop|quit|no more|avoid) using ${atHand.en}\S`, "iu"),
  new RegExp(
    String.raw`^(?:please )?(?:stop|quit) (?!(?:running|trying|working|doing|waiting|being|making|talking|thinking|` +
      String.raw`looking|going|executing|building|starting|streaming|logging|recording|listening)(?!\p{L}))` +
      String.raw`\p{L}{2,}ing (?:${atHand.en}\S+ |${eachTime})\S`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:bitte )?hör(?:e|t)? (?:bitte |endlich )?(?:(?:damit )?auf),? ` +
      String.raw`(?:(?!(?:der|die|das|den|dies\p{L}*|jetzt|hier)(?!\p{L}))|${eachTime})` +
      String.raw`\S.{2,160} zu \p{L}+en[.!]*$`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:s'il te plaît,? )?(?:arrête|arrêtez|cesse|cessez) (?:de |d')` +
      String.raw`(?!(?:exécuter|lancer|faire|essayer|attendre|travailler|tourner)(?!\p{L}))\p{L}+(?:er|ir|re) ` +
      String.raw`(?:${atHand.fr}|${eachTime})\S`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:por favor,? )?(?:dej[ae]|para|pare|parem|deixe) de ` +
      String.raw`(?!(?:ejecutar|correr|hacer|intentar|esperar|rodar|executar|fazer|tentar|trabajar|` +
      String.raw`trabalhar)(?!\p{L}))` +
      String.raw`\p{L}+(?:ar|er|ir) (?:${atHand.es}|${eachTime})\S`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:пожалуйста,? )?(?:перестань|перестаньте|прекрати|прекратите|хватит) ` +
      String.raw`(?!(?:делать|запускать|пытаться|ждать|работать)(?!\p{L}))\p{L}+ть ` +
      String.raw`(?:${atHand.ru}|${eachTime})\S`,
    "iu",
  ),
];

/**
 * "Don't use X, use Y in this repo": a ban with what to take in its place, for as long as the project lasts. Without
 * where it holds it may mean the line at hand.
 */
const insteadHere: readonly RegExp[] = [
  [
    "(?:in|for|across|throughout) (?:this|our|the (?:whole|entire)) " +
      "(?:(?:mono)?repo|repository|project|code ?base|workspace)",
    String.raw`(?:do not|don't|never) use [^,;.]{1,60}[,;]? (?:but )?(?:please )?(?:use|prefer|take|go with)`,
  ],
  [
    "in (?:diesem|unserem|dem ganzen) (?:projekt|repo|repository)",
    String.raw`(?:verwende|benutze|nutze|nimm) (?:\S+ ){0,4}?(?:kein\p{L}*|nicht) [^,;.]{1,60}` +
      "[,;] (?:sondern|verwende|benutze|nutze|nimm)",
  ],
  [
    "dans (?:ce|notre) (?:projet|dépôt|repo)",
    "n'utilise pas [^,;.]{1,60}[,;] (?:mais )?(?:utilise|prends)",
  ],
  [
    "en (?:este|nuestro) (?:proyecto|repo|repositorio)",
    "no uses [^,;.]{1,60}[,;] (?:sino )?(?:usa|utiliza)",
  ],
  [
    "n(?:este|o nosso) (?:projeto|repo|repositório)",
    "não uses? [^,;.]{1,60}[,;] (?:mas )?(?:usa|use|utilize)",
  ],
  [
    "в (?:этом|нашем) (?:проекте|репозитории)",
    "не используй [^,;.]{1,60}[,;] (?:а )?(?:используй|бери)",
  ],
].map(
  ([where, ban]) =>
    new RegExp(
      `^(?=.*(?<!\\p{L})${where}(?!\\p{L}))(?:${where},? )?(?:please |bitte )?${ban} \\S`,
      "iu",
    ),
);
