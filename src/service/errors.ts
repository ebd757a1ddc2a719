/** Everything a caller can do wrong, or be too early for. The server maps each type to a status in one table. */
export type ServiceError =
  | { readonly type: "memory.not-found"; readonly uri: string }
  | {
      readonly type: "memory.ambiguous";
      readonly uri: string;
      readonly candidates: readonly string[];
    }
  | { readonly type: "memory.is-directory"; readonly uri: string }
  | { readonly type: "memory.uri-invalid"; readonly uri: string }
  | { readonly type: "memory.empty" }
  /** What is left without the secret says nothing. */
  | { readonly type: "memory.only-secret" }
  | { readonly type: "memory.private" }
  | { readonly type: "memory.changed"; readonly uri: string }
  | { readonly type: "memory.pending"; readonly uri: string }
  | { readonly type: "memory.category-fixed"; readonly uri: string }
  | { readonly type: "undo.nothing" }
  | { readonly type: "undo.no-step"; readonly id: number }
  | { readonly type: "as-of.future" }
  | { readonly type: "as-of.not-learnt"; readonly uri: string }
  | { readonly type: "as-of.of-team"; readonly uri: string }
  | { readonly type: "revision.not-found"; readonly uri: string }
  | { readonly type: "review.not-found"; readonly id: number }
  | { readonly type: "guard.not-found"; readonly id: number }
  /** Nothing in the words could be held against a command. */
  | { readonly type: "guard.unclear"; readonly words: string }
  | { readonly type: "moment.unknown"; readonly around: string }
  | { readonly type: "config.unknown-key"; readonly message: string }
  | { readonly type: "config.value"; readonly message: string }
  | { readonly type: "config.locked"; readonly key: string }
  | { readonly type: "config.unreadable"; readonly message: string }
  | { readonly type: "memory.forgotten" }
  /** An agent saves in a run whose prompts a program sends. */
  | { readonly type: "session.headless" }
  /** An agent saves in a turn of which something is private, or nothing is to be kept. */
  | { readonly type: "session.private" }
  | { readonly type: "session.not-found"; readonly sessionId: string }
  | {
      readonly type: "session.ambiguous";
      readonly sessionId: string;
      readonly candidates: readonly string[];
    }
  | { readonly type: "injection.not-found"; readonly id: number }
  | { readonly type: "project.unknown"; readonly project: string }
  | { readonly type: "project.ambiguous"; readonly project: string }
  | { readonly type: "project.same"; readonly project: string }
  | { readonly type: "project.no-folder"; readonly folder: string }
  | { readonly type: "project.no-merge" }
  | { readonly type: "code.no-repository"; readonly folder: string }
  | { readonly type: "cursor.invalid" }
  | { readonly type: "service.read-only" };
