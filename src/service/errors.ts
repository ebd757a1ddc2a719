/** Everything a caller can do wrong, or be too early for. The server maps each type to a status in one table. */
export type ServiceError =
  | { readonly type: "memory.not-found"; readonly uri: string }
  | { readonly type: "memory.is-directory"; readonly uri: string }
  | { readonly type: "memory.uri-invalid"; readonly uri: string }
  | { readonly type: "memory.empty" }
  | { readonly type: "memory.private" }
  | { readonly type: "memory.forgotten" }
  | { readonly type: "session.not-found"; readonly sessionId: string }
  | { readonly type: "project.unknown"; readonly project: string }
  | { readonly type: "project.ambiguous"; readonly project: string }
  | { readonly type: "cursor.invalid" }
  | { readonly type: "service.read-only" };
