/** Questions about the ability to remember that end without a question mark: "can you remember things or not". Pure. */

/** "… or not", "… or do I have to say it again". */
const alternative = new RegExp(
  String.raw`(?:\s|,)(?:or (?:not|no|what|nah)|` +
    String.raw`(?:or (?:do|does|should|must|will|is|are|can|have) (?:i|we|you|it|that) .{0,80})|` +
    String.raw`oder (?:nicht|nich|ned|was|nein)|oder (?:muss|soll|kann|geht|ist) .{0,80}|ou (?:pas|non)|` +
    String.raw`ou (?:est-ce|faut-il|dois-je|je dois|il faut) .{0,80}|o (?:no|qué)|o (?:tengo|hay|debo) que .{0,80}|` +
    String.raw`ou (?:não|nao)|ou (?:tenho|preciso) .{0,80}|или (?:нет|не)|или (?:мне|надо|нужно) .{0,80})[.!\s]*$`,
  "iu",
);

/** An object that is none in particular. */
const anyObject = new RegExp(
  String.raw`^\s*(?:de |d'|das |dos |d[aeo]s? )?(?:things?|stuff|anything|something|everything|sachen|dinge|` +
    String.raw`etwas|irgendwas|choses|quelque chose|cosas|algo|coisas|что-то|что-нибудь|вещи)(?!\p{L})(?!\s*[:：])`,
  "iu",
);
const askedOfYou = new RegExp(
  String.raw`(?:^|[\s,])(?:can|could|will|do|would|are|kannst|könntest|können|peux|pourrais|pouvez|puedes|` +
    String.raw`podrías|puede|` +
    String.raw`pode|poderia|consegue|можешь|можете)(?!\p{L})`,
  "iu",
);
/** "Merkst du dir …": the verb of a question stands first. */
const verbFirst = /^\s*(?:merkst|behältst|notierst|speicherst|erinnerst) du(?!\p{L})/iu;

interface Parts {
  /** From the sentence's start, or the clause's, to the order. */
  readonly before: string;
  /** The order and what is behind it. */
  readonly order: string;
  /** What is behind the order. */
  readonly rest: string;
}

/** Does it ask whether something can be remembered? */
export const asksAbility = ({ before, order, rest }: Parts): boolean =>
  (askedOfYou.test(before) && (alternative.test(rest) || anyObject.test(rest))) ||
  verbFirst.test(order);
