/**
 * Signs in the wording of a prompt: does it ask about this project, about the world, or about what stands on the
 * screen? Each is general English; what is learnt from examples is only their weight (models/calibrations.json). Pure.
 */
import { readWords } from "#language";

export interface PromptSigns {
  /** "we", "our", "us", "the team". */
  readonly we: number;
  /** Points at what is known or agreed: "again", "still", "here", "this repo", "did we", "supposed to". */
  readonly refers: number;
  /** Asks for one value: "which", "who", "when", "how many", "what port". */
  readonly specific: number;
  /** Asks for leave or advice: "should I", "is it ok", "may I". */
  readonly advice: number;
  /** Reports something that goes wrong. */
  readonly symptom: number;
  /** Opens like a question for a reference book: "what does … do", "explain the difference", "meaning of". */
  readonly general: number;
  /** "How do I …", "show me how": the world's ways, unless "we" or "here" turns it. */
  readonly howTo: number;
  /** Wants a text made or changed that it brings along: translate, convert, one-liner, haiku. */
  readonly transform: number;
  /** Is about the last answer or the code at hand: "that edit", "this function", "you just". */
  readonly local: number;
  /** Small talk, a bare yes, an order to go on. */
  readonly chatter: number;
  /** Names a language or standard as its subject ("in Python", "with flexbox"). */
  readonly worldly: number;
  /** Private life: "my daughter", "for dinner". */
  readonly personal: number;
  /** Starts new work: "add", "write", "set up". */
  readonly creates: number;
}

const patterns: Readonly<Record<Exclude<keyof PromptSigns, "chatter">, RegExp>> = {
  we: /\b(?:we|we're|we've|we'd|we'll|our|ours|us|team|teammates?|colleagues?)\b(?! know)/iu,
  refers:
    /\b(?:again|still|already|current(?:ly)?|these days|nowadays|anymore|any more|no longer|previous(?:ly)?|last time|earlier|remember|recall|remind|decid\w*|agreed?|settled|chose|picked|supposed|convention|policy|rules?|guidelines?|standard way|usual(?:ly)?|historically|originally|learn(?:ed|t)|seen (?:this|that|it|something)|before\s*\?)\b|\bhere\b(?!['’]s)|\bthis (?:repo|repository|project|codebase|service|app|team|package|cluster|board|module|product)\b|\b(?:did|have|had|do|are|were|should|can|could|may) we\b/iu,
  specific:
    /^(?:(?:so|and|ok|hey|hi|btw|um|also|quick question)[,:]?\s+)*(?:which|who|whose|whom|when|where|at what|in which|on which|to whom|from which|how (?:long|many|much|often|big|large|far|old|frequently|soon|late|early|strict|verbose))\b|^(?:so |and |ok |hey )*what (?!is\b|are\b|was\b|were\b|does\b|do\b|did\b|if\b|about\b|happens\b|would\b|could\b|can\b|should\b|have\b|has\b|else\b|now\b)[a-z]|[,:;.] ?(?:which|who|when|where|how (?:long|many|much|often)|what(?:'s| is| are)? (?:the|our|its|it)\b)[^.]*\?/iu,
  advice:
    /\b(?:should (?:i|we|it|this|the)|may (?:i|we)|can (?:i|we) (?:just |still |already )?(?:use|deploy|ship|merge|push|delete|drop|skip|release|add|rely|turn|switch|store|put|call|change)|is (?:it|that|this) (?:ok|okay|fine|allowed|safe|acceptable|possible|alright)|(?:ok|okay|fine|safe|acceptable|allowed) (?:here|to|if)|am i allowed|do (?:i|we) (?:still )?(?:need|have) to|do we (?:still )?need|better to|worth (?:it|adding|using))\b/iu,
  symptom:
    /\b(?:fail(?:s|ed|ing|ure)?|error(?:s|ed)?|crash(?:es|ed|ing)?|broken?|breaks?|blow(?:s|n)? up|complain(?:s|ing)|killed|dies|died|reject(?:s|ed)|time(?:s|d)? ?out|slow|wrong|missing|off by|stuck|hangs?|hung|leak(?:s|ing)?|duplicate[ds]?|twice|flaky|won't|wont|doesn't|doesnt|can't connect|out of memory|oom|panic(?:s|ked)?|red|drops?|dropped|lost|stale|blank|empty|jitters?|drifts?)\b/iu,
  general:
    /^(?:(?:so|and|ok|hey|hi|btw|um|also|quick question|out of curiosity)[,:]?\s+)*(?:what(?:'s| is| are| does| do|s)\s+(?:(?:a|an|the)\s+)?(?:difference|meaning|definition|point|purpose|time complexity|complexity|syntax|equivalent|best way)|what does .{1,60}\b(?:do|mean|stand for|return)\b|what(?:'s| is| are) (?:an? |(?!the|our|my|your|this|that|its|it)\w+(?: \w+)?\s*\??$)|explain (?:what|how|why|the difference|the concept|to me)|define\b|describe (?:what|how)|tell me about|compare\b|difference between|why (?:is|are|do|does) (?!the|our|my|this|that|it|we)\w+|who (?:invented|wrote|won|is the)|how (?:does|do) (?!we|our|i\b|you\b)(?:an? )?\w+|is .{1,40}\b\w{2,12}er than\b|(?:in|with) \w+, (?:what|how))/iu,
  howTo:
    /\bhow (?:do|can|would|should|could) (?:i|you|one)\b|\bhow to\b|\bshow me (?:how|an example)\b|\bis there a (?:way|command|shortcut)\b|\bgive me an example\b|\bexample of\b|\bwhat(?:'s| is) the (?:syntax|command|flag|shortcut|regex|one-liner)\b/iu,
  transform:
    /\b(?:translate|convert|transpose|calculate|compute|paraphrase|proofread|decode|encode|pretty-?print|summari[sz]e (?:this|the following|that|what)|rewrite (?:this|the following)|format this)\b|\b(?:one-?liner|haiku|poem|limerick|joke|song|regex|snippet|ascii art|lorem ipsum|fizzbuzz|uuid)\b|\bhow many .{1,30} in (?:a|an|one)\b|```|https?:\/\/|\bcurl -/iu,
  local:
    /\b(?:th(?:is|e|at|ese|ose)) (?:last |previous |above |same |whole |selected |highlighted )?(?:function|method|variable|class|file|line|lines|loop|block|edit|change|diff|import|imports|import statement|parameter|argument|type|interface|comment|typo|snippet|lint|warning|indentation|semicolon|header|footer|title|heading|padding|margin|font)\b|\byou (?:just|said|did|wrote|suggested|changed|made)\b|\b(?:undo|redo|rename|reformat|revert (?:that|it|this|the last)|above error|last (?:edit|change|message|answer)|indent|inline|extract)\b/iu,
  worldly:
    /\b(?:in|with|using|of|for|from) (?:plain |vanilla |modern |raw )?(?:typescript|javascript|python|rust|go|golang|java|kotlin|swift|ruby|php|c\+\+|c#|sql|bash|zsh|css|html|flexbox|react|vue|svelte|angular|node|numpy|pandas|git|vim|excel|latex|regex|english|french|german|spanish|italian|japanese|dutch|portuguese|latin)\b|\b(?:python|bash|sql|css|regex|javascript|typescript|ruby|shell) (?:one-?liner|snippet|function|script|query|expression)\b/iu,
  personal:
    /\bmy (?:wife|husband|partner|kids?|daughter|son|mother|mum|mom|dad|father|cat|dog|laptop|phone|back|neck|birthday|weekend|lunch|dinner|landlord|car|bike|chair|flat|house|garden)\b|\b(?:recipe|weather|football|movie|birthday|dinner|holiday in|bored)\b/iu,
  creates:
    /^(?:(?:please|ok|now|and|then|let's|lets|can you|could you|i want to|i need to|we need to|help me)[, ]+)*(?:add|write|create|implement|build|set up|setup|install|introduce|draft|scaffold|wire|port|migrate|integrate|plan|design|prepare|review)\b/iu,
};

/** 1 where the sign is there, 0 where not. Reads at most the first 600 and last 300 characters. */
export function promptSigns(prompt: string): PromptSigns {
  const text = (
    prompt.length > 900 ? `${prompt.slice(0, 600)} ${prompt.slice(-300)}` : prompt
  ).trim();
  const has = (name: keyof typeof patterns): number => (patterns[name].test(text) ? 1 : 0);
  return {
    we: has("we"),
    refers: has("refers"),
    specific: has("specific"),
    advice: has("advice"),
    symptom: has("symptom"),
    general: has("general"),
    howTo: has("howTo"),
    transform: has("transform"),
    local: has("local"),
    chatter: isChatter(text) ? 1 : 0,
    worldly: has("worldly"),
    personal: has("personal"),
    creates: has("creates"),
  };
}

const chatterWords: ReadonlySet<string> = new Set(
  (
    "please ok okay yes yep yeah no nope sure great nice perfect cool thanks thank you thx hi hello hey good fine " +
    "done " +
    "right awesome lgtm looks look sounds sound go on ahead continue proceed next stop wait try retry again do it " +
    "that " +
    "this both all now then and the first second option one two a b c d works working worked so far keep going carry " +
    "morning evening much very well job love hmm hm ah oh lol wow ship exactly correct agreed never mind nevermind"
  ).split(" "),
);
const chatterWordsMax = 8;
/** An order whose object is the whole project needs no memory: "run the tests", "rebuild", "lint again". */
const bareOrder =
  /^(?:please |ok |now |and |then |just )*(?:re-?)?(?:run|start|build|lint|format|check|test|execute|launch)(?: (?:the|all|it|again|tests?|everything|them|lint\w*|build|suite|server|dev|app|unit|type ?check\w*|please|once more|now)){0,4}[.! ]*$/iu;

function isChatter(text: string): boolean {
  if (bareOrder.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.length <= chatterWordsMax && words.every((word) => chatterWords.has(word));
}

/** Small talk, a bare order, or no word that says anything: "yes", "run the tests", "👍". */
export const isTerse = (prompt: string): boolean =>
  promptSigns(prompt).chatter === 1 || readWords(prompt).content.length === 0;
