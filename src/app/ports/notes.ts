/** What Claude Code loads of its instruction files for a folder, statement by statement. */
import type { NoteLine, NotesPort } from "#domain";
import { createNotesReader, type NotesFile } from "#claude-code";
import { noteStatements } from "#memory";

export function createNotesPort(): NotesPort {
  const reader = createNotesReader();
  // A list of files that did not change is the same list.
  const known = new WeakMap<readonly NotesFile[], readonly NoteLine[]>();
  return {
    linesFor: (place) => {
      const files = reader.filesFor(place);
      const before = known.get(files);
      if (before !== undefined) return before;
      const lines = files.flatMap(({ path, text, atMs }) =>
        noteStatements(text).map(({ line, text: said }): NoteLine => ({
          file: path,
          line,
          text: said,
          atMs,
        })),
      );
      known.set(files, lines);
      return lines;
    },
  };
}
