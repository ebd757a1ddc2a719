/** The files transcripts are read from, as a port, and the real one. */
import { open, stat } from "node:fs/promises";
import { err, ok, type Result } from "#kit";

export type TranscriptError =
  | { readonly type: "transcript.missing"; readonly path: string }
  | { readonly type: "transcript.unreadable"; readonly path: string; readonly detail: string };

export interface TranscriptFile extends AsyncDisposable {
  /** Bytes at the time of opening; the client may be appending. */
  readonly size: number;
  /** Fills `into` from `position` on; returns the bytes read, 0 at the end. May throw. */
  readonly read: (into: Uint8Array, position: number) => Promise<number>;
}

export interface TranscriptIo {
  readonly open: (path: string) => Promise<Result<TranscriptFile, TranscriptError>>;
}

/** Transcripts on disk, opened read-only. Only regular files: opening a pipe would wait for a writer for ever. */
export const transcriptFiles: TranscriptIo = {
  open: async (path) => {
    try {
      const facts = await stat(path);
      if (!facts.isFile()) return unreadable(path, "not a regular file");
      const handle = await open(path, "r");
      return ok({
        size: facts.size,
        read: async (into, position) =>
          (await handle.read(into, 0, into.length, position)).bytesRead,
        [Symbol.asyncDispose]: () => handle.close(),
      });
    } catch (error) {
      return isMissing(error)
        ? err({ type: "transcript.missing", path })
        : unreadable(path, String(error)); // stat and open are what throws here.
    }
  },
};

const unreadable = (path: string, detail: string) =>
  err({ type: "transcript.unreadable", path, detail } as const);

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || error.code === "ENOTDIR");
