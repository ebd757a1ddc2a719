/**
 * An export as JSON lines: the same bytes for the same content. A first line says what it is, a last one that it is
 * whole. Knows neither files nor tables.
 */
import { portableFormat, type PortableRecord } from "#domain";

/** The file of records within an export folder. */
export const exportName = "continuity.jsonl";

/** Lines are handed over in pieces of about this size, so that memory does not grow with what is remembered. */
const pieceChars = 65_536;

/** Text in pieces, each ending with a line. Takes one record at a time. */
export function* exportLines(records: Iterable<PortableRecord>): Generator<string, number> {
  let piece = lineOf({ kind: "continuity", format: portableFormat });
  let count = 0;
  for (const record of records) {
    piece += lineOf(record);
    count += 1;
    if (piece.length < pieceChars) continue;
    yield piece;
    piece = "";
  }
  yield piece + lineOf({ kind: "end", records: count });
  return count;
}

const lineOf = (record: PortableRecord): string => `${JSON.stringify(record)}\n`;
