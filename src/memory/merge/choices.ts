/**
 * What a statement chooses and what it turns down: "tabs over spaces", "pnpm, never npm", "drop chart.js and go with
 * visx", "redis is out". The turned-down words are how a later statement names what it replaces. Pure.
 */
import { memoised } from "#kit";
import { canonicalWord, isStopWord, wordsOf } from "../language/index.ts";

export interface Choice {
  readonly chosen: readonly string[];
  readonly rejected: readonly string[];
}

/** A choice names its sides within this many words. */
const sideWordsMax = 2;

const between =
  /\s(?:(?<!\b(?:took|takes|taking|take|hand|handed|hands|all|moved?|switch(?:ed)?|carry|carried|spread|went) )over|instead of|rather than|in place of|as opposed to)\s|,?\s(?:and |but )?(?:never|not)\s/gi;

/** Pairs of chosen and rejected words. */
export const choicesIn = memoised((text: string): readonly Choice[] => {
  const found: Choice[] = [];
  for (const match of text.matchAll(between)) {
    const chosen = sideWords(wordsOf(text.slice(0, match.index)).slice(-4), "end");
    const rejected = sideWords(
      wordsOf(text.slice(match.index + match[0].length)).slice(0, 4),
      "start",
    );
    if (chosen.length > 0 && rejected.length > 0) found.push({ chosen, rejected });
  }
  return found;
});

/** Words between the sides and what they belong to. Not all stop words: "Go" is a language. */
const joints = new Set(
  "a an the our my your any to of for with on in by at as it is are was".split(" "),
);

const sideWords = (around: readonly string[], side: "start" | "end"): readonly string[] => {
  const content = around.filter((word) => !joints.has(word)).map((word) => canonicalWord(word));
  return side === "end" ? content.slice(-sideWordsMax) : content.slice(0, sideWordsMax);
};

const token = String.raw`((?:the |our |any )?[\p{L}\p{N}#@][\p{L}\p{N}_./@-]{0,60}(?: [\p{L}\p{N}][\p{L}\p{N}_./@-]{0,40})?)`;

/** Ways to say that something is no more; the group is what. */
const ends: readonly RegExp[] = [
  String.raw`\b(?:drop|drops|dropped|dropping|ditch|ditched|retire|retired|deprecate|deprecated|abandon|abandoned|remove|removed|kill|killed|replace|replaced|replaces|replacing|without|stop using|stopped using|left|got rid of|get rid of|done with|gave up on|no more|no longer(?: use| using| on| with)?|instead of|rather than|(?:move|moved|moving|migrate|migrated|migrating|switch|switched|switching|we are|we're)(?: \p{L}+){0,4} (?:off|away from|from)|(?:took|takes|taking|inherits?|inherited)(?: over)?(?: \p{L}+){0,4} from|was|used to be|not|never)\s+` +
    token,
  String.raw`\b(?:no|nobody|no one|not|never|don'?t|doesn'?t|isn'?t|aren'?t)(?: \p{L}+){0,3}? ` +
    token +
    String.raw` any ?more\b`,
  token +
    String.raw`\s+(?:is|are|was|were|has been|have been|'s|turned out|proved)?\s*(?:now |finally |all |too |a )*(?:gone|out|dead end|dead|dropped|removed|retired|deprecated|replaced|history|slow|small|big|low|high|short|long|expensive|heavy|left|leaves|quit|dies|wasn'?t enough|wasnt enough|isn'?t enough|not enough|maxes out|also maxes out|goes away|unmaintained|abandoned|gets removed|gets replaced|being removed|end of life|eol|retired|quit|off|archived|overkill|frozen|legacy|read.?only|noisy|generous|painful|fragile|expired|ran out|runs out|leaks|leaked|didn'?t scale|doesn'?t scale|didn'?t work|contract ended|ended|got too \p{L}+|too \p{L}+|licen[cs]e ran out|collides|moved (?:to|on|teams)|changed teams|resigned|sick|on (?:leave|parental|maternity|paternity|holiday)|can go|can die|can be removed|no longer|anymore)\b`,
].map((source) => new RegExp(source, "giu"));

/** Words after which a statement names what it chose. */
const chosenAfter =
  /\b(?:use|uses|using|used|go with|going with|went with|adopt|adopted|chose|choose|picked|pick|stick with|stay on|stays on|standardi[sz]ed? on|are on|we're on|is on|runs? on|via|through|with|we(?! (?:use|go|went|adopt|chose|choose|pick|stick|stay|standardi|run|are)))\s+(?:the |our |a )?([\p{L}\p{N}@][\p{L}\p{N}_./@-]{0,60})/giu;

/** Canonical words that the statement chose. */
export const chosenIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(chosenAfter)]
      .map((match) => (match[1] ?? "").toLowerCase())
      .filter((word) => !isStopWord(word))
      .map((word) => canonicalWord(word)),
  );

/** Canonical words that the statement says are no more: "jest is gone", "move off jest". */
export const endedIn = memoised((text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const pattern of ends)
    for (const match of text.matchAll(pattern))
      for (const word of wordsOf(match[1] ?? ""))
        if (!isStopWord(word)) found.add(canonicalWord(word));
  return found;
});

/** Canonical words that the statement turns down: ended, or the worse side of a choice. */
export const rejectedIn = (text: string): ReadonlySet<string> =>
  new Set([...endedIn(text), ...choicesIn(text).flatMap(({ rejected }) => rejected)]);
