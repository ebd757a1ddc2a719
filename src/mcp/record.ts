/** Records of a session as text to show, under the URIs that search gives them. They are no memories. */
import { isRecordUri, recordAt } from "#api/client";
import type { FetchedText } from "#memory";
import { ToolFailure, type Client } from "./client.ts";

/** The record at a URI; null when the URI is not one of a record. Fails when there is none. */
export async function recordText(api: Client, uri: string): Promise<FetchedText | null> {
  if (!isRecordUri(uri)) return null;
  const record = await recordAt(api, uri);
  if (record === null) throw new ToolFailure(`No record at ${uri}.`);
  const { kind, session_id: sessionId, at, turn, ...text } = record;
  return {
    ...text,
    uri,
    category: kind,
    status: "active",
    evidence: [{ sessionId, turn, line: null, quote: "" }],
    superseded_by: null,
    links: [],
    tags: [],
    updated_at: at,
  };
}
