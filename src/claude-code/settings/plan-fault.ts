/** Why a file cannot be planned for, with the place in its text. Thrown while planning, a value for everybody else. */
import { err, ok, type Result } from "#kit";
import { JsonFault, type JsonText, parseJsonText, positionOf } from "./json-text.ts";

export type PlanError =
  | {
      readonly type: "setup.broken-json";
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    }
  | {
      /** JSON, but not what Claude Code's files look like. */
      readonly type: "setup.unexpected-shape";
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    };

class PlanFault extends Error {
  readonly reason: PlanError;

  constructor(reason: PlanError) {
    super(reason.detail);
    this.reason = reason;
  }
}

/** Runs a plan; a fault in the text becomes an error with line and column. */
export function planned<Value>(plan: () => Value): Result<Value, PlanError> {
  try {
    return ok(plan());
  } catch (error) {
    if (error instanceof PlanFault) return err(error.reason);
    throw error;
  }
}

/** Parses a text, or faults where it is broken. */
export function parse(text: string): JsonText {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const detail = error.message;
    throw new PlanFault({ type: "setup.broken-json", ...positionOf(text, error.offset), detail });
  }
}

/** The node itself, or a fault that names what should have been of that kind. */
export function expectKind(
  text: string,
  node: JsonText,
  kind: "object" | "array",
  name: string,
): JsonText {
  if (node.kind === kind) return node;
  const detail = `${name} is not an ${kind}`;
  throw new PlanFault({ type: "setup.unexpected-shape", ...positionOf(text, node.start), detail });
}
