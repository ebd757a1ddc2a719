/** Tolerant readers for the client's JSON: a missing or mistyped field is null, never an error. */
import { bothEnds, cutAtWord, msPerSecond, type Json, listOf, recordOf, textField } from "#kit";
import {
  answeredText,
  commandLine,
  editingTools,
  leftRunning,
  optionsOf,
  planText,
  printsFiles,
  type PrivacyGate,
  questionsIn,
} from "#domain";

export const booleanOf = (payload: Json, field: string): boolean => payload[field] === true;

/**
 * `sinceAnswerOf` gives the age of the last answer, in ms, as a start says it; null when it does
 * not, or says nonsense.
 */
export function sinceAnswerOf(payload: Json): number | null {
  const seconds = payload["seconds_since_last_response"];
  return typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)
    ? Math.round(seconds * msPerSecond)
    : null;
}

// Keeps of one tool use name, files, target, outcome, and at most 2 KB of head and tail of what it printed; of
// questions to the user and of plans 4 KB. Never file contents: not of a reading tool, not of a shell command that
// prints files or secrets, not of `.env`-like files. Text in tool output that addresses an assistant is dropped: it
// is the classic way to plant an instruction.

export interface ToolRecord {
  readonly toolUseId: string | null;
  readonly tool: string;
  readonly target: string | null;
  readonly files: readonly string[];
  readonly edits: boolean;
  readonly outcome: "ok" | "error";
  readonly text: string | null;
  readonly agentId: string | null;
}

interface ToolRecordInput {
  readonly payload: Json;
  readonly boring: readonly string[];
  readonly gate: PrivacyGate;
  /** Gate plus removal of what this turn's private part held. */
  readonly scrub: (text: string | null) => string | null;
}

const textCharsMax = 2_048;
/** Question and answer of the user, or a plan. */
const saidCharsMax = 4_096;
const targetCharsMax = 300;
const filesMax = 20;

export function toolRecord(input: ToolRecordInput): ToolRecord {
  const { payload, gate, scrub } = input;
  const tool = (textField(payload, "tool_name") ?? "unknown").slice(0, 120);
  const toolInput = recordOf(payload["tool_input"]);
  const named = filesOf(toolInput);
  // A path that the gate would change is left out: half a path names nothing.
  const files = named.filter((path) => scrub(path) === path);
  const target = scrub(targetOf(toolInput));
  const failed =
    textField(payload, "error") !== null || payload["hook_event_name"] === "PostToolUseFailure";
  const command = textField(toolInput, "command");
  // The error of a tool that runs no command is the client's word.
  const isOfClient = failed && command === null;
  const keepsText =
    !editingTools.has(tool) &&
    !named.some((path) => gate.isSecretPath(path)) &&
    (isOfClient || (!input.boring.includes(tool) && !readsFiles(tool, command, gate)));
  return {
    toolUseId: textField(payload, "tool_use_id"),
    tool,
    target: target === null ? null : cutAtWord(commandLine(target), targetCharsMax),
    files,
    edits: editingTools.has(tool),
    outcome: failed ? "error" : "ok",
    text: keepsText
      ? (saidText(tool, payload, scrub) ?? keptText(scrub(responseText(payload))))
      : null,
    agentId: textField(payload, "agent_id"),
  };
}

/**
 * True for fetched pages and for shell commands that print files or secrets: their output is text of others, or not to
 * be kept.
 */
function readsFiles(tool: string, command: string | null, gate: PrivacyGate): boolean {
  if (/^(?:WebFetch|WebSearch)$/.test(tool)) return true;
  if (command === null) return false;
  if (printsFiles(command) || gate.readsSecrets(command)) return true;
  return command.split(/[\s'"=<>]+/).some((word) => word.includes(".") && gate.isSecretPath(word));
}

function filesOf(toolInput: Json): readonly string[] {
  const named = ["file_path", "notebook_path", "path"].flatMap(
    (field) => textField(toolInput, field) ?? [],
  );
  const edits = listOf(toolInput["edits"]).flatMap(
    (edit) => textField(recordOf(edit), "file_path") ?? [],
  );
  return [...new Set([...named, ...edits])].slice(0, filesMax).map((path) => path.slice(0, 1_000));
}

const targetOf = (toolInput: Json): string | null =>
  questionsIn(toolInput) ??
  textField(toolInput, "command") ??
  textField(toolInput, "file_path") ??
  textField(toolInput, "notebook_path") ??
  textField(toolInput, "pattern") ??
  textField(toolInput, "url") ??
  textField(toolInput, "query") ??
  textField(toolInput, "path") ??
  textField(toolInput, "description");

/** The words a tool answered with, whatever shape the client wraps them in. */
function responseText(payload: Json): string | null {
  const error = textField(payload, "error");
  if (error !== null) return error;
  const response = payload["tool_response"];
  if (typeof response === "string") return response;
  const fields = recordOf(response);
  if (textField(fields, "backgroundTaskId") !== null || fields["interrupted"] === true)
    return leftRunning;
  const streams = [textField(fields, "stdout"), textField(fields, "stderr")].filter(
    (part) => part !== null,
  );
  if (streams.length > 0) return streams.join("\n");
  const blocks = listOf(fields["content"] ?? response)
    .map((block) => textField(recordOf(block), "text"))
    .filter((part) => part !== null);
  return blocks.length > 0 ? blocks.join("\n") : textField(fields, "result");
}

const answersMax = 20;

/** Words between agent and user inside a tool: nobody else's text, so that nothing is dropped of it. */
function saidText(tool: string, payload: Json, scrub: ToolRecordInput["scrub"]): string | null {
  const input = recordOf(payload["tool_input"]);
  const plan = tool === "ExitPlanMode" ? textField(input, "plan") : null;
  const said = plan === null ? answersText(tool, input, payload) : planText(plan, null);
  const safe = scrub(said)?.trim() ?? "";
  return safe === "" ? null : bothEnds(safe, saidCharsMax);
}

/** The user's answers to the agent's questions, with the options; null for any other tool. */
function answersText(tool: string, input: Json, payload: Json): string | null {
  if (tool !== "AskUserQuestion") return null;
  const response = recordOf(payload["tool_response"]);
  const questions = listOf(response["questions"] ?? input["questions"]);
  const notes = recordOf(response["annotations"]);
  const answered = Object.entries(recordOf(response["answers"] ?? input["answers"]))
    .slice(0, answersMax)
    .flatMap(([question, given]) => {
      const answer = Array.isArray(given)
        ? given.filter((one) => typeof one === "string").join(", ")
        : given;
      if (typeof answer !== "string" || answer === "") return [];
      const note = textField(recordOf(notes[question]), "notes");
      const said = note === null || note === answer ? answer : `${answer}; ${note}`;
      const asked = questions.find((one) => textField(recordOf(one), "question") === question);
      return [{ question, answer: said, options: optionsOf(asked) }];
    });
  return answered.length === 0 ? null : answeredText(answered);
}

function keptText(text: string | null): string | null {
  if (text === null) return null;
  const safe = dropInstructions(text).trim();
  return safe === "" ? null : bothEnds(safe, textCharsMax);
}

/** Words that address an assistant, or that ask to be remembered or run. */
const addressesAssistant = new RegExp(
  String.raw`\b(?:AI|LLM|assistants?|agents?|claude|copilot|chatgpt` +
    String.raw`|language models?|prompt)\b[^.\n]{0,200}\b(?:must|should|always|never|remember|save|store|run` +
    String.raw`|execute|ignore|add|note|instruct\w*)\b|\b(?:note|attention|instructions?|message)\s+(?:for` +
    String.raw`|to)\s+(?:the\s+)?(?:AI|LLM|assistants?|agents?|claude|model)|\b(?:ignore|disregard` +
    String.raw`|forget)\s+(?:all\s+|any\s+)?(?:previous|prior|above|earlier|your)\b|\b(?:remember|save|store` +
    String.raw`|record)\s+(?:this|that|the following|it)\s+(?:as|in|to|for)\b|\b(?:permanent|persistent|user` +
    String.raw`|global)\s+(?:preference|memory|memories|rule|instruction)s?\b|\bsystem\s*prompt\b|\b(?:curl` +
    String.raw`|wget)\b[^\n|]{0,200}\|\s*(?:ba|z|da)?sh\b|\balways\s+(?:curl|wget|run|execute)\b`,
  "i",
);

/** Leaves out every paragraph in which a line addresses an assistant: tool output is data, never an order. */
function dropInstructions(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => !addressesAssistant.test(paragraph))
    .join("\n\n");
}
