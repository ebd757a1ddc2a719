/** The memory that a bench asks: the built program in a home of its own, or a stand-in where only the counting is tested. */

/** A payload as the client hands it to its hooks. */
export type Payload = Readonly<Record<string, unknown>> & { readonly cwd: string };

/** A memory as `list --json` prints it. */
export interface ListedMemory {
  readonly uri: string;
  readonly l0: string;
  readonly l1: string | null;
}

/** A call of one of the program's tools by the agent of a session. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  readonly cwd: string;
  readonly atMs: number;
}

export interface Subject {
  /** The developer's home: projects and transcripts lie in it. */
  readonly home: string;
  /** Hands an event over; returns the text that enters the model's context, or nothing. */
  readonly hook: (payload: Payload, atMs: number) => Promise<string>;
  /** Calls a tool as the session's agent does; returns the text of the answer. */
  readonly callTool: (call: ToolCall) => Promise<string>;
  /** Descriptions of the tools, and the instructions, as the agent reads them. */
  readonly tools: () => Promise<string>;
  /** Waits until everything that was accepted has been processed. */
  readonly flush: () => Promise<void>;
  readonly memories: () => Promise<readonly ListedMemory[]>;
  /** Takes old transcripts in; returns the report as it was printed. */
  readonly importFrom: (folder: string, atMs: number) => Promise<string>;
  /** Remembers the state as it is; `back` puts it there again. */
  readonly save: () => Promise<void>;
  readonly back: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Every file of the saved state, unpacked: what may never be found in one is looked for here. */
  readonly stored: () => readonly Uint8Array[];
}
