/** Tools that read: search, get, timeline and tree. */
import { isRecordUri, recordAt } from "#api";
import { treeRoot } from "#domain";
import {
  renderFound,
  renderIndex,
  renderFetched,
  type FetchedText,
  renderTimeline,
  renderTree,
} from "#memory";
import type { z } from "zod";
import { ToolFailure, type Client } from "./client.ts";
import type { searchInput, getInput, timelineInput, treeInput } from "./schemas.ts";
import { field, timeText, type Tools } from "./tool.ts";

/** Resolves to the results as text, or to a sentence that there are none. */
export async function searchMemories(
  { clients, clock, project, session }: Tools,
  input: z.output<typeof searchInput>,
): Promise<string> {
  const nowMs = clock.nowMs();
  const api = await clients.read();
  const format = input.format ?? "index";
  const asked = {
    q: input.query.toWellFormed(),
    mode: input.mode ?? "find",
    format,
    limit: `${input.limit ?? 10}`,
    ...field("sort", input.sort),
    ...field("category", listed(input.category)),
    ...field("type", input.type),
    ...field("since", input.since === undefined ? null : timeText(input.since, nowMs)),
    ...field("until", input.until === undefined ? null : timeText(input.until, nowMs)),
    ...scopeOf(input.projects, project()),
    ...field("reader", session),
  };
  const { results, projects } = await (await api.search.$get({ query: asked })).json();
  if (results.length === 0)
    return `Nothing found${projects === null ? "" : ' in this project; try projects ["all"]'}.`;
  return format === "index" ? renderIndex(results, nowMs) : renderFound(results, nowMs);
}

/** An empty list is no filter. */
const listed = <Item>(values: readonly Item[] | undefined): Item[] | null =>
  values === undefined || values.length === 0 ? null : [...values];

/** This project and global, the named ones, or everything. */
function scopeOf(
  named: readonly string[] | undefined,
  home: string | null,
): { readonly project?: string[]; readonly home?: string } {
  const names = listed(named);
  if (names === null) return field("home", home);
  return names.includes("all") ? {} : { project: names, ...field("home", home) };
}

/** Resolves to the memories as text; URIs without a memory are named at the end. Fails when there is none at all. */
export async function fetchMemories(
  { clients, clock, project, session }: Tools,
  { uris, tier }: z.output<typeof getInput>,
): Promise<string> {
  const api = await clients.read();
  const fetched: FetchedText[] = [];
  const faults: string[] = [];
  for (const uri of new Set(uris)) {
    try {
      fetched.push(await fetchOne(api, uri, session));
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      faults.push(error.message);
    }
  }
  if (fetched.length === 0) throw new ToolFailure(faults.join("\n"));
  const ask = { tier: tier ?? "full", home: project(), nowMs: clock.nowMs() };
  return [renderFetched(fetched, ask), ...faults].join("\n");
}

/** A memory, or a record of a session, whose URI search gives as well. */
async function fetchOne(api: Client, uri: string, session: string | null): Promise<FetchedText> {
  const record = await recordText(api, uri);
  if (record !== null) return record;
  const query = { uri, use: "1" as const, ...field("reader", session) };
  return (await api.nodes.$get({ query })).json();
}

/** The record at a URI; null when the URI is not one of a record. Fails when there is none. */
async function recordText(api: Client, uri: string): Promise<FetchedText | null> {
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

const limitDefault = 20;

/** Resolves to what happened as text, oldest first, or to a sentence that nothing did. */
export async function aroundTime(
  { clients, clock, project }: Tools,
  { around, limit }: z.output<typeof timelineInput>,
): Promise<string> {
  const api = await clients.read();
  const isPlace = around !== undefined && !isTime(around);
  const home = project();
  const asked = {
    ...field("around", around === undefined ? null : placeOf(around, clock.nowMs())),
    limit: `${limit ?? limitDefault}`,
    // A memory or a session says itself where it belongs; a time does not.
    ...field("project", isPlace || home === null ? null : [home]),
  };
  const { items } = await (await api.timeline.$get({ query: asked })).json();
  return items.length === 0 ? "No events." : renderTimeline(items);
}

/** Durations and dates; session ids begin with letters and digits as well, but hold no such form. */
const isTime = (text: string): boolean =>
  /^(?:\d+\s*[a-z]{1,3}|\d{4}-\d\d(?:-\d\d.*)?|\d{12,14})$/i.test(text);

const placeOf = (around: string, nowMs: number): string =>
  isTime(around) ? timeText(around, nowMs) : around;

const entriesMax = 100;

/** Resolves to the entries of a directory as text. */
export async function listTree(
  { clients }: Tools,
  { uri }: z.output<typeof treeInput>,
): Promise<string> {
  const api = await clients.read();
  const query = { uri: uri ?? treeRoot, limit: `${entriesMax}` };
  const { items, next_cursor: more, ...tree } = await (await api.tree.$get({ query })).json();
  return renderTree(tree.uri, items, more !== null);
}
