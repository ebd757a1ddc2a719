/** Which category a thought belongs to, and whether it holds everywhere or in its project only. Pure. */
import type { Category } from "#domain";
import { isTool } from "../language/index.ts";
import type { Kind } from "./judge.ts";
import type { Thought } from "./thoughts.ts";

/** Where a thought of each kind goes; `remember` is settled by what the words are about. */
const categoryByKind: Readonly<Record<Exclude<Kind, "remember">, Category>> = {
  self: "profile",
  preference: "preferences",
  rule: "preferences",
  decision: "events",
  change: "events",
  naming: "entities",
  cause: "cases",
  pattern: "patterns",
  person: "entities",
  fact: "entities",
  note: "entities",
};

/** Importance by kind, 1 to 5: what was asked for, then what steers work, then what is good to know. */
const importanceByKind: Readonly<Record<Kind, number>> = {
  remember: 5,
  self: 4,
  preference: 4,
  rule: 4,
  decision: 4,
  change: 3,
  naming: 3,
  cause: 3,
  pattern: 3,
  person: 3,
  fact: 3,
  note: 2,
};

export const importanceOf = (thought: Thought): number => importanceByKind[thought.kind];

export function categoryOf(thought: Thought): Category {
  const text = textOf(thought);
  if (thought.kind === "remember") return categoryOfWords(text);
  if (thought.kind === "rule" && codebaseRule.test(text) && !order.test(text)) return "patterns";
  return categoryByKind[thought.kind];
}

/** The local classifier for "remember …": what the words look like; entities when nothing speaks. */
export function categoryOfWords(asked: string): Category {
  // "don't forget that Tom owns billing" forbids nothing.
  const text = asked.replace(
    /^(?:please |pls )?(?:don'?t forget|do not forget|never forget)\b(?: that\b)?/i,
    "",
  );
  if (/\b(?:i'?m|my name|i work|i live|i sit|call me)\b/i.test(text)) return "profile";
  if (/\b(?:root cause|caused by|turns? out|the (?:bug|problem|issue) was)\b/i.test(text))
    return "cases";
  if (/\b(?:decided|agreed|chose|chosen|go with|switched|migrated|released|shipped)\b/i.test(text))
    return "events";
  if (
    /\b(?:always|never|prefer|don'?t|do not|must|should|only use|instead of)\b|\bto \p{L}+\b/iu.test(
      firstWords(text),
    )
  )
    return "preferences";
  if (/\b(?:the trick|pattern|rule of thumb)\b/i.test(text)) return "patterns";
  return "entities";
}

const firstWords = (text: string): string => text.slice(0, 80);

/** A rule about how the code or the releases are, rather than an order to the assistant. */
const codebaseRule =
  /\b(?:must|required|mandatory|every|all new|new [\p{L}-]+s?\b|deploys?|releases?|migrations?|columns?|flags?|fails?|budget|limit|checklist|ci|api)\b/iu;
const order = /^(?:please |pls )*(?:always|never|don'?t|do not|use|avoid)\b/i;

/**
 * True for what concerns the person or the way of working everywhere: who they are, how answers, dates and commits
 * are to look, tastes. Words such as "in this repo" keep it in the project.
 */
export function isGlobal(thought: Thought): boolean {
  const text = textOf(thought);
  if (
    /\b(?:in |for )?all (?:of )?my (?:projects|repos)\b|\b(?:in|for|across) (?:all|every|any) (?:projects?|repos?|repositories)\b/i.test(
      text,
    )
  )
    return true;
  if (thought.kind === "person") return isColleague(text);
  if (local.test(text)) return false;
  if (thought.kind === "self") return true;
  if (!["preference", "rule", "remember"].includes(thought.kind)) return false;
  return (aboutWorkingStyle.test(text) && !aboutCode.test(text)) || taste.test(text);
}

/** Who somebody is holds in every project; what they want of this one, or do in it, does not. */
const isColleague = (text: string): boolean =>
  namesSomebody(text) &&
  colleague.test(text) &&
  !wish.test(text) &&
  !place.test(text) &&
  !replacement.test(text);

const namesSomebody = (text: string): boolean =>
  [...text.matchAll(/(?<![\p{L}\p{N}_./#@-])\p{Lu}\p{Ll}{1,20}(?![\p{L}\p{N}])/gu)].some(
    ([word]) => !isTool(word.toLowerCase()),
  );

const colleague =
  /\((?:he|she|they|our|the|my|from|in|works?|leads?|owns?|head)\b|\bfrom (?:the )?(?:security|finance|legal|design|product|ops|sales|support|marketing|platform|infra|data|qa|hr|compliance|accounting|[\p{L}-]+ team)\b|\b(?:leads?|head of|is on.?call|holds the pager|gets the pager|signs off|is responsible for|takes care of|handles|in charge of)\b|\bis (?:our|the|my) (?:[\p{L}-]+ ){0,3}\p{L}+/iu;
const wish =
  /\b(?:wants?|needs?|requires?|insists?|asked|asks|prefers?|hates|likes|took over|takes over)\b/i;
const place =
  /\b(?:in|for|on|of) (?:this|the) (?:repo|repository|project|codebase|package|module|service)\b|\b(?:this|that) (?:repo|project|service|job|file|module|table)\b/i;
/** What stands in the code of one project. */
const aboutCode =
  /\b(?:code |inline )?comments?\b|\bdocstrings?\b|\b(?:columns?|tables?|fields?|endpoints?|variables?|functions?|classes|date-fns|dayjs|moment)\b/i;

const local =
  /\b(?:in|for|on|of|inside) (?:this|our|the) (?:repo|repository|project|codebase|package|module|service|app|api|workspace|monorepo|team)\b|\b(?:this|our) (?:repo|project|codebase|package|module|service)\b|\b(?:in|around) here\b|^here\b|\bwe\b|\bour\b/i;
const aboutWorkingStyle =
  /\b(?:answers?|repl(?:y|ies)|responses?|explain|explanations?|bullets?|bullet points?|verbose|concise|terse|(?:commit )?messages?|commits?|co-?author|emojis?|dates?|iso|timestamps?|english|german|french|spanish|polish|language|tone|small talk|apolog|summar|headings|short|brief|in detail|the why)\b/i;
/** "I prefer tabs": a taste travels with the person. */
const taste = /\bi(?:'d| would)?(?: \w+)? (?:prefer|like|love|hate|dislike|can'?t stand|skim)\b/i;

const textOf = (thought: Thought): string =>
  thought.clauses.map(({ sentence }) => sentence.text).join(" ");

/** The words say that something earlier no longer holds. */
export const replaces = (thought: Thought): boolean =>
  thought.kind === "change" ||
  thought.clauses.some(({ isCorrection }) => isCorrection) ||
  replacement.test(textOf(thought));

const replacement =
  /\b(?:no longer|any ?more|instead(?: of|$|[,.])|rather than|from now on|from today|as of (?:now|today)|effective|now that|no more|gets? removed|unmaintained|end of life|eol|since \p{L}+ (?:left|retired|quit|moved|joined)|(?<!right |for |by |until )now(?! and then)|can be \S*\d|out, \S+ in|the new|is (?:our |my )?new|can go|in place of|went on|on (?:parental|maternity|paternity|sick|medical)|is (?:sick|out until|out since)|changed teams?|resigned|quits?|fired|archived|overkill|(?:is|are|was|were|got|gets|became|becomes|turned out) too \p{L}+|too much work|contract ended|\S+ (?:->|→|=>) \S+|(?:is|are) off\b|went from \S+ to|ha(?:nd|nds|nded) (?:\S+ ){0,3}to|(?:didn'?t|doesn'?t|does not|did not) scale|(?:ran|runs|running) out|expired|leaks (?:memory|like)|as of|(?:is|are|was|were|go(?:es)?|went|wants? .{2,30}) (?:back )?(?:up|down) to|down to|gets? (?:upgraded|dropped|replaced|updated|moved|cut)|got (?:upgraded|dropped|replaced|updated|moved|cut|slower|faster|more|bigger)|(?:is|are) \S+ again|(?:grow|grew|shrink|shrank|extend|expand)(?:s|ed)? to|from (?:next|this coming|monday|tuesday|wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|december|tomorrow|q[1-4])|after the (?:rebrand|upgrade|migration|merger|move|audit|pentest|rewrite|outage|reorg)|wasnt enough|isn'?t enough|is enough|are enough|we left|gave us|less .{2,30} please|goes to|go to|going forward|(?:is|are|was|were) (?:now )?(?:gone|out|dead|dropped|deprecated|retired|replaced)|moved|slip(?:s|ped)|postponed|delayed|took over|takes over|replaces|replaced|switch(?:ed|ing)? (?:\S+ ){0,3}(?:to|from|over)|mov(?:e|ed|ing) (?:\S+ ){0,4}(?:to|off|from|away)|migrat(?:e|ed|ing)|drop(?:ped|ping)?|ditch(?:ed|ing)?|go(?:es)? to|changed? (?:to|from|my mind)|bump(?:ed)?|raised?|lower(?:ed)?|(?:is|are|'s|its) now|now (?:is|are|uses?|runs?|lives?|goes|needs?|wants?)|left|at all|wasn'?t enough|not enough|too (?:slow|small|big|long|short|low|high|expensive|much|many)|put it (?:at|to)|set it to|since the|after (?:the|this|that) incident|scrap that|forget what i said|i was wrong|changed?|update|we'?re off|not .{2,30} but|standardi[sz]e on|back to)\b/iu;
