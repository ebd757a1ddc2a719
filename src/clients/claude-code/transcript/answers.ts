/**
 * Reads the user's words in the place of a tool's result: answers to questions, a comment on a
 * plan, words with a refusal. The client wraps them in sentences of its own, which are known here
 * and nowhere else.
 */
import { type Answered, optionsOf } from "#domain";
import { isRecord, type Json, parseJson } from "#kit";

/** A question of the agent with what the user answered; of a plan, its title with the comment on it. */
export type Choice = Answered;

/** Further answers of one call are left out: the client asks four questions at most. */
const choicesMax = 20;
const charsMax = 4_000;

export function choicesIn(record: Json, output: string): readonly Choice[] {
  const result = asRecord(record["toolUseResult"]);
  const answers = asRecord(result?.["answers"]);
  if (answers !== null && Array.isArray(result?.["questions"]))
    return choicesOf(answers, result["questions"], asRecord(result["annotations"]));
  if (asked.test(output)) return pairsIn(output);
  const comment = planApproved.test(output) ? commentOn(output) : null;
  return comment === null ? [] : [choice(titleOf(asText(result?.["plan"]) ?? output), comment)];
}

const asked = /^(?:User has answered your questions|Your questions have been answered):/;
const planApproved = /^(?:The )?[Uu]ser has approved/;

function choicesOf(
  answers: Json,
  questions: readonly unknown[],
  notes: Json | null,
): readonly Choice[] {
  return Object.entries(answers)
    .slice(0, choicesMax)
    .flatMap(([question, given]) => {
      const answer = asText(given) ?? asList(given).filter(isText).join(", ");
      const note = asText(asRecord(notes?.[question])?.["notes"]) ?? "";
      const said = note === "" || note === answer ? answer : `${answer}; ${note}`;
      const asked = questions.find((one) => asText(asRecord(one)?.["question"]) === question);
      return said === "" ? [] : [choice(question, said, optionsOf(asked))];
    });
}

const isText = (value: unknown): value is string => typeof value === "string";

const choice = (question: string, answer: string, options: readonly string[] = []): Choice => ({
  options,
  question: question.slice(0, charsMax),
  answer: answer.slice(0, charsMax),
});

/** `"question"="answer"` as older clients left it to the model's eyes only. */
const pairsIn = (output: string): readonly Choice[] =>
  [...output.slice(0, 4 * charsMax).matchAll(/"([^"\n]{1,2000})"="([^"\n]{1,2000})"/g)]
    .slice(0, choicesMax)
    .map(([, question = "", answer = ""]) => choice(question, answer));

/** `commentOn` gives the text between the approval and the plan, when it is the user's. */
function commentOn(output: string): string | null {
  const plan = output.indexOf("\n## ");
  const before = plan === -1 ? output : output.slice(0, plan);
  const said =
    /\buser(?:'s)?(?: also)? (?:said|added|commented|feedback|comments?|notes?)[^:\n]{0,40}:\s*([\s\S]+)$/i.exec(
      before,
    )?.[1];
  return said === undefined || said.trim() === "" ? null : withoutNote(said);
}

const titleOf = (plan: string): string => /^#+ (.+)$/m.exec(plan)?.[1]?.trim() ?? "the plan";

const refused =
  /^(?:Error: )?The user doesn't want to (?:proceed with this tool use|take this action)/;
const saying = "the user said:";
/** The client's own words in the place of the user's, before unanswered questions. */
const clarifying = /^The user wants to clarify these questions/;

/**
 * `refusalIn` gives the user's words at the refusal of a call; null when nothing was said, or the
 * call was not refused.
 */
export function refusalIn(output: string): string | null {
  if (!refused.test(output)) return null;
  const at = output.indexOf(saying);
  if (at === -1) return null;
  const said = withoutNote(output.slice(at + saying.length));
  return said === "" || clarifying.test(said) ? null : said;
}

/** Answers given before the user turned back to clarify the rest. */
export function clarifiedIn(output: string): readonly Choice[] {
  if (!refused.test(output) || !output.includes("The user wants to clarify these questions"))
    return [];
  return [
    ...output
      .slice(0, 4 * charsMax)
      .matchAll(/^\s*- "([^\n]{1,2000})"\s*\n\s*Answer: ([^\n]{1,2000})$/gm),
  ].map(([, question = "", answer = ""]) => choice(question, answer.trim()));
}

/** Without what the client says to the model behind the user's words. */
const withoutNote = (text: string): string => {
  const note = text.indexOf("\n\nNote: The user's next message");
  return (note === -1 ? text : text.slice(0, note)).trim().slice(0, charsMax);
};

// Narrowing of unknown JSON, for the parser of this room. A wrong shape reads as absent; nothing throws.

export const asRecord = (value: unknown): Json | null => (isRecord(value) ? value : null);

export const asText = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses one JSON object; null when it is anything else or no JSON at all. */
export const parseRecord = (text: string): Json | null => asRecord(parseJson(text));
