/** What a refusal of the API says. */

/** Why the API refused or failed: a type for programs, a line for people. */
export interface ApiFailure {
  readonly type: string;
  readonly message: string;
}

/** The failure in an answer's text; null when it is none of ours: something else answers there. */
export function failureIn(text: string): ApiFailure | null {
  try {
    const { error } = JSON.parse(text) as { error?: { type?: unknown; message?: unknown } };
    return typeof error?.type === "string" && typeof error.message === "string"
      ? { type: error.type, message: error.message }
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}
