/**
 * claude-mem's tables in one shape, whatever its version called the columns.
 *
 * Until 3 it kept sessions, memories and overviews; since 4 observations, summaries and prompts of `sdk_sessions`,
 * whose two ids (the client's and the observer's) have had three pairs of names. Pure.
 */
import type { ForeignRow } from "#domain";
import { storedTime } from "../stored-time.ts";

export const sessionColumns = [
  "content_session_id",
  "claude_session_id",
  "session_id",
  "memory_session_id",
  "sdk_session_id",
  "project",
  "user_prompt",
  "title",
  "status",
  "started_at_epoch",
  "created_at_epoch",
  "completed_at_epoch",
] as const;

export const promptColumns = [
  "content_session_id",
  "claude_session_id",
  "prompt_number",
  "prompt_text",
  "created_at_epoch",
  "created_at",
] as const;

export const noteColumns = [
  "memory_session_id",
  "sdk_session_id",
  "session_id",
  "project",
  "merged_into_project",
  "text",
  "type",
  "title",
  "subtitle",
  "narrative",
  "facts",
  "concepts",
  "keywords",
  "files_read",
  "files_modified",
  "files_touched",
  "prompt_number",
  "created_at_epoch",
  "created_at",
] as const;

export const summaryColumns = [
  "memory_session_id",
  "sdk_session_id",
  "session_id",
  "project",
  "merged_into_project",
  "request",
  "investigated",
  "learned",
  "completed",
  "next_steps",
  "notes",
  "content",
  "files_read",
  "files_edited",
  "created_at_epoch",
  "created_at",
] as const;

/** The first of some columns that holds text. */
export function textOf(row: ForeignRow, ...columns: readonly string[]): string {
  for (const column of columns) {
    const value = row[column];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return "";
}

export function numberOf(row: ForeignRow, column: string): number | null {
  const value = row[column];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/**
 * Epoch milliseconds: of a number (seconds in some old rows) or of the ISO text beside it; null when neither makes
 * sense.
 */
export function timeOf(row: ForeignRow, ...columns: readonly string[]): number | null {
  for (const column of columns) {
    const ms = storedTime(row[column]);
    if (ms !== null) return ms;
  }
  return null;
}

/** A JSON list in a text column; a comma-separated one in old rows. */
export function listOf(row: ForeignRow, column: string): readonly string[] {
  const value = row[column];
  if (typeof value !== "string" || value === "") return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.filter((entry) => typeof entry === "string") : [];
  } catch {
    return value.split(",").map((entry) => entry.trim()); // JSON.parse is what throws here.
  }
}
