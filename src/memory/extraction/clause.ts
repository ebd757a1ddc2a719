/**
 * One sentence of a prompt, laid open: its topic label, its fillers, how it starts. Everything later asks this
 * view and never parses the sentence again. Pure.
 */
import { identifiersOf, isTool, valuesOf, wordsOf } from "../language/index.ts";
import type { Sentence } from "./sentences.ts";

export interface Clause {
  readonly sentence: Sentence;
  /** `payout lock` of "payout lock: keep the redis lock"; generic labels ("note", "decision") are empty. */
  readonly label: string;
  /** What the label said, even when generic: "decision" makes a decision of what follows. */
  readonly rawLabel: string;
  /** The sentence without label and fillers; still verbatim words. */
  readonly body: string;
  /** `body` with quotations blanked: what cues are looked for in. */
  readonly masked: string;
  /** Starts with "and", "also", "btw", "oh": a new thought. */
  readonly isNewThought: boolean;
  /** Starts with "no," "actually", "sorry", "wait": it corrects what was said. */
  readonly isCorrection: boolean;
  /** Starts with "it", "they", "that", "call it", "put it": needs a subject from elsewhere. */
  readonly needsSubject: boolean;
}

const filler =
  /^(?:(?:ok(?:ay)?|so|just|perfect|nice|thanks|thank you|thx|ty|hmm+|hm|ah+|oh|uh|um|and|also|plus|btw|by the way|fyi|hey|hi|hello|well|yeah|yep|yes|nope|sorry|wait|actually|lol|haha|please|pls|plz|but|alright|sure|ugh|anyway|understood|one more thing|heads up|for the record|just so you know|quick note|small note|note to self|good morning|my bad|oops|hm ok|no worries)(?=[\s,.:;!–—-]|$)[\s,.:;!–—-]*|(?:right|correct|exactly|indeed|later|done|fine|great|good|cool|morning|back at it|no|no wait|no stop)(?:[,.:;!–—-][\s,.:;!–—-]*|$)|that'?s (?:wrong|not right|incorrect|not true|not it|false)(?:[,.:;!–—-][\s,.:;!–—-]*|$)|no (?=sorry|wait|actually)|no (?=it'?s |its |that'?s |thats )|(?:as )?(?:i|we) (?:said|told you|mentioned)(?: before| already| earlier)?[,:]?\s+(?:that )?)/i;

const newThought = /^(?:and|also|plus|btw|by the way|oh|one more thing|another thing|fyi)\b/i;
const correction =
  /^(?:ok(?:ay)?[,.! ]+|ah+[,.! ]+|oh+[,.! ]+|hmm+[,.! ]+|wait[,.! ]+)?(?:no[,.;:!]|nope\b|no (?:sorry|wait|stop|i mean|its|it's|that's|thats|we)\b|actually\b|sorry\b|wait\b|wrong\b|not quite\b|correction\b|i meant\b|my bad\b|oops\b)/i;
const pronounStart =
  /^(?:(?:it|its|it's|it’s|they|they're|theyre|their|them|that|thats|that's|this|these|those|he|she|which|same|the same|both)\b|(?:call|name|put|set|make|bump|move|raise|lower|keep|pin|cap|limit|change|switch|increase|decrease|reduce|leave|store|use|run|do|delete|drop|treat) (?:it|them|that|this|these|those|both)\b)/i;

/** Words before an order that do not change what it is about. */
const adverbs =
  /^(?:from (?:now|here) on|going forward|in (?:the )?future|always|never|please|just|now|then)[, ]+/i;

/** At most this many fillers are taken off: "ok so yeah btw, …". */
const fillersMax = 6;

export function clauseOf(sentence: Sentence): Clause {
  const start = sentence.text.replace(/^[\s–—-]+/, "");
  const bare = withoutFillers(start);
  const { label, rawLabel, rest } = splitLabel(bare);
  const body = trimTail(withoutFillers(rest));
  return {
    sentence,
    label,
    rawLabel,
    body,
    masked: mask(body),
    isNewThought: newThought.test(start) || label !== "",
    isCorrection: correction.test(start),
    needsSubject: pronounStart.test(body.replace(adverbs, "")),
  };
}

function withoutFillers(text: string): string {
  let rest = text;
  for (let n = 0; n < fillersMax; n += 1) {
    const next = rest.replace(filler, "");
    if (next === rest) return rest;
    if (next.trim() === "") return "";
    rest = next;
  }
  return rest;
}

/** Labels that say what kind of sentence follows, not what it is about. */
const genericLabel =
  /^(?:(?:a|an|one|my|the|just|quick|small|new|another|general|final|last) )*(?:note|notes|rule|rules|decision|update|updates|question|questions|reminder|info|context|background|fyi|ps|p\.s|summary|conclusion|answer|reason|result|change|correction|preference|preferences|convention|conventions|policy|remember|important|todo|next|also|btw|right|then|so|basically|meaning|idea|plan|status|fact|facts|tip|hint|follow up|followup|heads up|from now on|going forward|keep in mind|please remember|remember this|don'?t forget)(?: (?:after|for|from|on|about|to) (?:this|that|now|today|you|all|us|self|future))?$/i;
const genericLabelWord =
  /\b(?:note|notes|rule|rules|decision|update|updates|question|reminder|info|change|convention|policy|preference)\b/gi;

interface Labelled {
  readonly label: string;
  readonly rawLabel: string;
  readonly rest: string;
}

/** Splits "topic: statement". A label has at most five words, no verb of its own and is not an address or a time. */
function splitLabel(text: string): Labelled {
  const none = { label: "", rawLabel: "", rest: text };
  const match = /^([^\n:.,;?!"`()]{2,60}):\s+(?=\S)/.exec(text);
  const raw = match?.[1]?.trim() ?? "";
  if (match === null || raw === "") return none;
  const rest = text.slice(match[0].length);
  if (wordsOf(raw).length > 5) return introduces.test(raw) ? { ...none, rest } : none;
  if (genericLabel.test(raw)) return { label: "", rawLabel: raw.toLowerCase(), rest };
  if (statesSomething.test(raw) || orders.test(raw)) return none;
  const label = raw.replace(genericLabelWord, "").replace(/\s+/g, " ").trim();
  return { label, rawLabel: raw.toLowerCase(), rest };
}

/** "so you know who you're dealing with: …": words that only announce what follows. */
const introduces =
  /\b(?:you know|let you know|for you to know|remember|tell you|to be clear|in short|remind you)\b/i;
/** "check that this works: …": what follows is to be done, not to be known. */
const orders =
  /^(?:(?:please|pls|now|then|can you|could you) )*(?:check|run|try|test|verify|execute|see|find|show|explain|fix|debug|look at|read|open|paste|use|do) (?:that|this|it|if|whether|why|the following|these|me|my|what|out)\b/i;
const statesSomething =
  /\b(?:is|are|was|were|use|uses|need|needs|want|wants|must|should|will|always|never|remember|prefer|decided|we|i|you|add|fix|write|show|run|said|says|because)\b/i;

const tail =
  /(?:[\s,]+(?:pls|please|plz|btw|thx|thanks|ok|okay|lol|haha|though|tho|again|right|bye|k|:\)|;\)|xd|🙂|👍))+[\s.!]*$/iu;
/** "… and rerun the smoke tests": a task that hangs on a statement. */
const taskTail =
  /,?\s+(?:and|then)\s+(?:then |please |pls )?(?:re)?(?:run|test|check|commit|push|deploy|show|update|fix|restart|build|lint|add (?:a|the|some) test|tell me|let me know|try|verify|go on|continue)\b[^,;]{0,60}$/i;

const trimTail = (text: string): string => {
  const bare = text
    .trim()
    .replace(tail, "")
    .replace(/[\s,;:–—-]+$/, "");
  const cut = bare.replace(taskTail, "");
  return wordsOf(cut).length >= 3 ? cut : bare;
};

/** Blanks quotations of two words and more and code, so that no cue is found in somebody else's words. */
const mask = (text: string): string =>
  text.replace(
    /\[redacted:[\w-]{1,60}\]|"[^"\n]{0,300}"|“[^”\n]{0,300}”|`[^`\n]{0,200}`|(?<=^|\s)'[^'\n]{3,200}'(?=$|[\s.,;:!?])/g,
    (quoted) =>
      !quoted.startsWith("[") && wordsOf(quoted).length < 2 ? quoted : " ".repeat(quoted.length),
  );

/** Things that make a statement concrete: values, identifiers, tools, names in mid-sentence, acronyms. */
export function concreteTokens(text: string): readonly string[] {
  return [
    ...valuesOf(text)
      .filter(({ text: value }) => !/^(?:one|two)$/i.test(value))
      .map(({ canonical }) => canonical),
    ...identifiersOf(text),
    ...wordsOf(text).filter((word) => isTool(word)),
    ...namesIn(text),
  ];
}

const notNames = new Set(
  "i i'm i'll i've i'd the a an ok and but so no yes it we you they he she this that if when use always never please btw also todo fixme note".split(
    " ",
  ),
);

/** Capitalised words that do not open a sentence, and acronyms anywhere; lower case. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}_./#@-])(\p{Lu}[\p{L}\p{N}]{1,30})(?![\p{L}\p{N}_])/gu)]
    .filter(
      (match) =>
        /^\p{Lu}{2,}/u.test(match[1] ?? "") ||
        (match.index > 0 &&
          !/(?:^|[.!?:]\s+)$/.test(text.slice(Math.max(0, match.index - 3), match.index))),
    )
    .map((match) => (match[1] ?? "").toLowerCase())
    .filter((word) => !notNames.has(word));
