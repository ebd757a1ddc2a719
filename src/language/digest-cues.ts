/**
 * How a digest knows what was done, what is open and what need not be told, in the languages that people work in.
 */
import { cue, either, listsOf } from "./lists.ts";
import text from "./lists/digest.txt" with { type: "text" };

const lists = listsOf(
  text,
  "done",
  "done, any place",
  "promise",
  "promise, any place",
  "open",
  "open, any place",
  "nothingOpen",
  "nothingOpen, any place",
  "offer",
  "offer, any place",
  "greeting",
  "please",
  "please, any place",
  "standing",
  "standing, any place",
  "pickUp",
  "again",
  "task",
);

/** The end of a word in any script with spaces. */
const wordEnd = String.raw`(?![\p{L}\p{N}])`;

export const digestCues = {
  /** The agent says that something was done or found, or holds now. */
  done: cue(lists.done, lists["done, any place"]),
  /** What is only announced. */
  promise: cue(lists.promise, lists["promise, any place"]),
  /** What is left, fails or waits. */
  open: cue(lists.open, lists["open, any place"]),
  /** "No failing tests remain": names what is open, and says that it is not. */
  nothingOpen: cue(lists.nothingOpen, lists["nothingOpen, any place"]),
  /** Politeness at the end of an answer. */
  offer: cue(lists.offer, lists["offer, any place"]),
  /** Words before the matter: greetings, consent, politeness, "can you". */
  leadIn: new RegExp(
    String.raw`^(?:(?:${either(lists.greeting)})(?=[\s,.!:;–—-]|$)|` +
      String.raw`(?:${either(lists.please)})(?=[\s,:]|$)|` +
      String.raw`(?:${either(lists["please, any place"])}))[\s,.!:;–—，。！、-]*`,
    "iu",
  ),
  /** A rule for all work is no title of one piece of it. */
  standing: new RegExp(
    `^(?:(?:${either(lists.standing)})${wordEnd}|${either(lists["standing, any place"])})`,
    "iu",
  ),
  /** All that a message says when it only lets the agent go on. */
  pickUp: new RegExp(String.raw`^(?:${either(lists.pickUp)})[\s.!。！]*$`, "iu"),
  /** Verbs that order work. */
  task: new RegExp(
    String.raw`^(?:(?:re)?(?:${either(lists.again)})|${either(lists.task)})\b(?!-\p{L})`,
    "iu",
  ),
} as const;
