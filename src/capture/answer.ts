/** The one document a hook may print. Pure. */
import { answeredEvents } from "#domain";
import { captureLimits } from "./limits.ts";

/** Where a person reads a message. */
const shownTo: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);

/** The JSON that injects `context` and shows `message` to the user, or an empty string when there is nothing to say. */
export function renderAnswer(clientEvent: string, context: string, message = ""): string {
  if (!answeredEvents.includes(clientEvent)) return "";
  const isShown = message !== "" && shownTo.has(clientEvent);
  const shown = isShown ? { systemMessage: message } : {};
  const document = fitted(
    context,
    (additionalContext) =>
      JSON.stringify({
        ...shown,
        hookSpecificOutput: { hookEventName: clientEvent, additionalContext },
      }),
    ({ length }) => length - captureLimits.outputCharsMax,
  );
  return document !== "" || !isShown ? document : JSON.stringify(shown);
}

/**
 * What `render` makes of a context that is shortened until the document is not over its limit; empty when nothing fits.
 */
export function fitted(
  context: string,
  render: (context: string) => string,
  over: (document: string) => number,
): string {
  let kept = context;
  while (kept.trim() !== "") {
    const document = render(kept);
    const excess = over(document);
    if (excess < 0) return document;
    kept = shorter(kept, excess);
  }
  return "";
}

/** Leaves out lines before the last one, which closes the block; a single endless line is dropped. */
function shorter(text: string, excessChars: number): string {
  const lines = text.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  let dropped = 0;
  while (lines.length > 0 && dropped <= excessChars) dropped += (lines.pop() ?? "").length + 1;
  return lines.length === 0 ? "" : [...lines, last].join("\n");
}
