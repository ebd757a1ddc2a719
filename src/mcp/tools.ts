/** The tools: search, get, timeline, tree, remember and forget. */
import {
  type EndedJson,
  isRecordUri,
  recordAt,
  type RememberedJson,
  type TurnForgottenJson,
} from "#api";
import { shortIdOf, treeRoot } from "#domain";
import {
  type FetchedText,
  renderAct,
  renderFetched,
  renderFound,
  renderIndex,
  renderTimeline,
  renderTree,
  untilOf,
} from "#memory";
import type { z } from "zod";
import { type Client, ToolFailure } from "./client.ts";
import type {
  forgetInput,
  getInput,
  rememberInput,
  searchInput,
  timelineInput,
  treeInput,
} from "./schemas.ts";
import { field, timeText, type Tools } from "./answer.ts";
import { localZone } from "#kit";

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
  const answer = await (await api.search.$get({ query: asked })).json();
  const { projects } = answer;
  if (answer.results.length === 0)
    return `Nothing found${projects === null ? "" : ' in this project; try projects ["all"]'}.`;
  const own = projects?.length === 1 ? projects[0] : project();
  const results = answer.results.map((result) =>
    Object.assign(result, { place: placeIn(answer.project_names, result.project, own) }),
  );
  return format === "index" ? renderIndex(results, nowMs) : renderFound(results, nowMs);
}

/** Name of a project that is not the reader's own; null for the own one and for what holds everywhere. */
const placeIn = (
  names: Readonly<Record<string, string>>,
  project: string | null,
  own: string | null | undefined,
): string | null =>
  project === null || project === own ? null : (names[project] ?? "another project");

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

// The two that write.

const sentences = {
  created: "Remembered",
  superseded: "Remembered, replacing an older memory",
  known: "Known already",
  waits: "Not in force: it waits in `continuity review`",
} as const;

/** Findings of an agent count less than what a user asks for by name. */
const importanceDefault = 3;

/** Resolves to what became of it, where it lies, and what may say the same. */
export async function rememberLine(
  tools: Tools,
  input: z.output<typeof rememberInput>,
): Promise<string> {
  const reason = tools.whyNotKept();
  if (reason !== null)
    throw new ToolFailure(
      `Nothing was stored: ${reason}. The user can save it with \`continuity remember\`.`,
    );
  const answers: (string | ToolFailure)[] = [];
  for (const project of placesOf(tools, input.scope))
    answers.push(await savedOr(tools, input, project));
  if (answers.every((answer) => answer instanceof ToolFailure)) throw answers[0];
  return answers
    .map((answer) => (answer instanceof ToolFailure ? answer.message : answer))
    .join("\n");
}

/** Projects to save in; null = everywhere. */
function placesOf(
  { project }: Tools,
  scope: z.output<typeof rememberInput>["scope"],
): readonly (string | null)[] {
  const named = [scope ?? "project"].flat();
  return named.map((name) =>
    name === "project" ? project() : name === "everywhere" ? null : name,
  );
}

/** A refusal of one place takes nothing from the others. */
async function savedOr(...save: Parameters<typeof saved>): Promise<string | ToolFailure> {
  try {
    return await saved(...save);
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
}

async function saved(
  { agent, clients, clock, project: home, session }: Tools,
  input: z.output<typeof rememberInput>,
  project: string | null,
): Promise<string> {
  const { line, until, replaces, quote, scope: _, ...about } = input;
  const api = await clients.write();
  const zone = localZone();
  const untilMs = until === undefined ? null : untilOf(until, clock.nowMs(), zone);
  const answer = await api.memories.$post({
    json: {
      text: line.toWellFormed(),
      project,
      home: home(),
      importance: importanceDefault,
      session,
      agent,
      by: "agent",
      zone,
      ...about,
      replaces: [...(replaces ?? [])],
      ...field("until", untilMs === null ? null : `${untilMs}`),
      ...field("quote", quote?.toWellFormed()),
    },
  });
  const told = await answer.json();
  const isEndless = until !== undefined && untilMs === null && told.memory.expires_at === null;
  return rememberedText(told, { ...input, unread: isEndless ? until : null });
}

/** Questions about a save, one at a time: whether it is a rule comes first, and is asked once. */
function questionsOf(
  { action, memory }: RememberedJson,
  { kind, line, quote = line, subject }: Telling,
): readonly string[] {
  const id = shortIdOf(memory.id);
  if (kind === "rule" && memory.category === "events")
    return line.startsWith("#")
      ? []
      : [
          `If it orders every later session too, call again with ${asCall({ line: id, kind: "rule" })}.`,
        ];
  const isBare = subject === undefined && isQuoted(memory.l0, quote);
  return isBare && memory.origin === "user" && action === "created"
    ? [`Clear alone? Else call again with \`subject\`, ${id} in \`replaces\`.`]
    : [];
}

/** Is stored what the user typed, and nothing else? */
const isQuoted = (stored: string, quote: string): boolean => lettersOf(quote) === lettersOf(stored);
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** A save as it was given, and its end where that names no day. */
type Telling = z.output<typeof rememberInput> & { readonly unread: string | null };

function rememberedText(answer: RememberedJson, input: Telling): string {
  const { action, memory, reason, replaced } = answer;
  const { unread } = input;
  const id = shortIdOf(memory.id);
  const whose = memory.origin === "user" ? "" : ", noted by the agent";
  const why = reason === null ? "" : ` (${reason})`;
  const parts = [renderAct(`${sentences[action]}${whose}${why}:`, [{ uri: id, l0: memory.l0 }])];
  if (unread !== null)
    parts.push(
      `Saved without an end: "${unread.slice(0, 40)}" names no day. For one, call again with the same line, ` +
        `\`until\` as 2026-09-30, and ${id} in \`replaces\`.`,
    );
  parts.push(...questionsOf(answer, input));
  if (replaced.length > 0) parts.push(`Replaced: ${replaced.join(", ")}.`);
  if (answer.lost.length > 0) {
    const call = asCall({ line: id, replaces: answer.lost.map((one) => one.id) });
    const offer = `They also said; if it still holds, call again with ${call}:`;
    parts.push(renderAct(offer, answer.lost.map(named)));
  }
  if (answer.redactions > 0) parts.push(`Redacted secrets: ${answer.redactions}.`);
  if (answer.cut_characters > 0)
    parts.push(`Too long for one memory: the last ${answer.cut_characters} characters were cut.`);
  return [...parts, ...offerOf(answer, input)].join("\n");
}

/** Near memories, and the call that ends them; a save that waits is judged again by its quote. */
function offerOf({ action, memory, near }: RememberedJson, { quote }: Telling): readonly string[] {
  const [first] = near;
  if (first === undefined) return [];
  const replacing = { line: shortIdOf(memory.id), replaces: [first.id] };
  const call = asCall({ ...replacing, ...(action === "waits" ? field("quote", quote) : {}) });
  const others = near.length > 1 ? ", or the ids of those that are" : "";
  return [
    renderAct(
      `Same thing, or outdated? Call again with ${call}${others}:`,
      near.map(({ id, l0 }) => ({ uri: id, l0 })),
    ),
  ];
}

/** Arguments of a call, as the agent is to give them. */
const asCall = (input: Readonly<Record<string, string | readonly string[]>>): string =>
  JSON.stringify(input);

/** Ends memories, or takes the running turn off the record. */
export async function forget(
  { agent, clients, project, session }: Tools,
  { ids = [], turn = false, quote }: z.output<typeof forgetInput>,
): Promise<string> {
  if (turn === ids.length > 0) throw new ToolFailure("Name either `ids`, or `turn: true`.");
  const api = await clients.write();
  const asked = { quote: quote.toWellFormed(), session, agent, home: project() };
  if (!turn) {
    const answer = await api.memories.end.$post({ json: { names: [...new Set(ids)], ...asked } });
    return endedText(await answer.json());
  }
  const answer = await api.turns.forget.$post({ json: asked });
  return turnText(await answer.json());
}

const turnText = ({ purged }: TurnForgottenJson): string =>
  "Not kept: this turn leaves no record, neither what was said in it so far nor what follows, and what was saved of " +
  "it is deleted. It cannot be undone. Save nothing of it; the next turn is kept again." +
  (purged ? "" : " Another program reads the file; the next clean-up takes the last bytes.");

/** Says what ended and how to undo it, what waits for review and why, and what deletes for good. */
function endedText({ ended, waiting, words }: EndedJson): string {
  const parts: string[] = [];
  if (ended.length > 0)
    parts.push(
      renderAct(
        "Ended; `continuity undo` brings back what was ended in this turn:",
        ended.map(named),
      ),
    );
  for (const one of waiting)
    parts.push(
      renderAct(`Not ended, it waits in \`continuity review\` (${one.reason}):`, [named(one)]),
    );
  if (words.length > 0) {
    const held = words.map(({ word, held: records }) => `"${word}" (${records})`).join(", ");
    parts.push(`Records still hold rare words of it: ${held}.`);
  }
  if (ended.length > 0) {
    const all = [...ended.map(({ id }) => `'${id}'`), ...words.map(({ uri }) => uri)].join(" ");
    parts.push(`To delete for good the user runs \`continuity forget ${all}\`.`);
  }
  return parts.join("\n");
}

const named = ({ id, l0 }: EndedJson["ended"][number]) => ({ uri: id, l0 });
