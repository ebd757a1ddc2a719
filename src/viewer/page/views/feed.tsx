/** What happens right now: memories made, prompts, what Claude was given, what the models cost. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FeedJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { reconnects } from "../state/connection.ts";
import type { Failure } from "../state/failure.ts";
import { arrived, beginnings, changes, liveState } from "../state/live.ts";
import { adjust, givenHref, memoryHref, route, sessionHref } from "../state/router.ts";
import { ago, causeWords, fullTime, injectionTitle, plural } from "../parts/format.ts";
import { ProjectName } from "../parts/badges.tsx";
import { Icon, type IconName } from "../parts/icons.tsx";
import { useKeys } from "../state/keys.ts";
import { Segments } from "../parts/segments.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";

interface Past {
  readonly items: readonly FeedJson[];
  readonly next: string | null;
}

const kinds = [
  { value: "all", title: "Everything" },
  { value: "memory", title: "Memories" },
  { value: "prompt", title: "Prompts" },
  { value: "injection", title: "Given" },
] as const;

export function Feed() {
  const past = useSignal<Past | null>(null);
  const failure = useSignal<Failure | null>(null);
  const wanted = route.value.query.get("kind");
  const kind = kinds.find(({ value }) => value === wanted)?.value ?? "all";
  const asked = useRef(kind);
  asked.current = kind;
  const load = async (cursor: string | null): Promise<void> => {
    const query = {
      limit: "60",
      ...(kind === "all" ? {} : { kind }),
      ...(cursor === null ? {} : { cursor }),
    };
    const answer = await answerOf(api.feed.$get({ query }));
    // Another kind was chosen meanwhile.
    if (asked.current !== kind) return;
    failure.value = answer.ok ? null : answer.failure;
    if (!answer.ok) return;
    const before = cursor === null ? [] : (past.peek()?.items ?? []);
    past.value = { items: [...before, ...answer.value.items], next: answer.value.next_cursor };
  };
  // Both before the frame: emptied after it, the list would lose an answer that came sooner.
  useLayoutEffect(() => {
    past.value = null;
  }, [kind]);
  useLayoutEffect(() => void load(null), [kind, reconnects.value, beginnings.value]);
  const known = past.value;
  const entries = merged(arrived.value, known);
  const shown = kind === "all" ? entries : entries.filter((one) => one.kind === kind);
  return (
    <>
      <Top title="Live">
        <LiveMark />
        <Segments
          label="Kind of event"
          value={kind}
          options={kinds}
          onChange={(value) => adjust({ kind: value === "all" ? null : value })}
        />
      </Top>
      {failure.value !== null && known === null ? (
        <Failed failure={failure.value} retry={() => void load(null)} />
      ) : known === null ? (
        <Waiting lines={10} />
      ) : shown.length === 0 ? (
        <Quiet isAll={kind === "all"} />
      ) : (
        <div class="scroll">
          <Entries entries={shown} />
          {known.next !== null && (
            <button type="button" class="button more" onClick={() => void load(known.next)}>
              Earlier
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** What came in and what was loaded, each once, by time. What is older than all loaded comes with its page. Pure. */
function merged(fresh: readonly FeedJson[], past: Past | null): readonly FeedJson[] {
  const loaded = past?.items ?? [];
  const oldest = past === null || past.next === null ? -Infinity : (loaded.at(-1)?.at ?? -Infinity);
  const seen = new Set<string>();
  return [...fresh.filter(({ at }) => at >= oldest), ...loaded]
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .toSorted((a, b) => b.at - a.at);
}

const states = { connecting: "connecting", live: "live", lost: "reconnecting" } as const;

export const LiveMark = () => (
  <span class={`live-mark ${liveState.value}`} role="status">
    <span class="live-dot" />
    {states[liveState.value]}
  </span>
);

const Quiet = ({ isAll }: { isAll: boolean }) => (
  <Empty icon="feed" title="No activity">
    {isAll ? (
      <>
        Run <code>claude</code> in any project. Prompts and memories appear here. If the page stays
        empty, run <code>continuity doctor</code>.
      </>
    ) : (
      "No events of this kind yet."
    )}
  </Empty>
);

function Entries({ entries }: { entries: readonly FeedJson[] }) {
  const current = useSignal(-1);
  const move = (by: number) => (): void => {
    const rows = [...document.querySelectorAll<HTMLElement>(".feed .feed-entry")];
    current.value = Math.max(0, Math.min(rows.length - 1, current.peek() + by));
    rows[current.peek()]?.focus();
  };
  useKeys({ j: move(1), k: move(-1), ArrowDown: move(1), ArrowUp: move(-1) });
  return (
    <ol class="feed" aria-label="Activity, newest first" data-changes={changes.value}>
      {entries.map((entry) => (
        <li key={entry.key}>
          <Entry entry={entry} />
        </li>
      ))}
    </ol>
  );
}

const looks: Readonly<Record<FeedJson["kind"], { icon: IconName; name: string }>> = {
  memory: { icon: "memories", name: "Memory" },
  prompt: { icon: "user", name: "Prompt" },
  injection: { icon: "inject", name: "Given to Claude" },
  checkpoint: { icon: "flag", name: "Summary" },
  call: { icon: "cpu", name: "Model call" },
};

const acts: Readonly<Record<NonNullable<FeedJson["action"]>, string>> = {
  create: "Learned",
  merge: "Added to",
  supersede: "Replaced",
  reinforce: "Confirmed",
  edit: "Edited",
  pin: "Pinned",
  expire: "Expired",
  archive: "Moved to the archive",
  revert: "Reverted",
  retract: "Retracted",
  accept: "Accepted",
  reject: "Rejected",
};

const purposes: Readonly<Partial<Record<string, string>>> = {
  gate: "quick decision",
  session: "session summary",
};

/** Kinds whose title is a word of ours are said in a person's words. */
function titleOf({ kind, title }: FeedJson): string {
  if (kind === "call") return `Model call: ${purposes[title] ?? title}`;
  return kind === "injection" ? injectionTitle(title) : title;
}

const hrefOf = ({ key, kind, uri, session_id: session }: FeedJson): string | null =>
  kind === "injection"
    ? givenHref(Number(key.slice("injection.".length)))
    : uri !== null
      ? memoryHref(uri)
      : session === null
        ? null
        : sessionHref(session);

function Entry({ entry }: { entry: FeedJson }) {
  const { icon, name } = looks[entry.kind];
  const target = hrefOf(entry);
  const content = (
    <>
      <span class={`timeline-icon kind-${entry.kind} cat-${entry.category ?? "none"}`}>
        <Icon name={icon} />
      </span>
      <span class="found-main">
        <span class="tiny faint feed-what">
          <span>{entry.action === null ? name : acts[entry.action]}</span>
          {entry.category !== null && <span>{entry.category}</span>}
          {entry.project !== null && (
            <span>
              <ProjectName project={entry.project} />
            </span>
          )}
          {entry.tokens !== null && <span class="num">{plural(entry.tokens, "token")}</span>}
        </span>
        <span class="feed-title">
          <Line text={titleOf(entry)} />
        </span>
        {entry.detail !== null && entry.detail !== "expired" && (
          <span class="small faint cut">
            <Line text={entry.kind === "injection" ? causeWords(entry.detail) : entry.detail} />
          </span>
        )}
      </span>
      <time class="row-time num" title={fullTime(entry.at)}>
        {ago(entry.at)}
      </time>
    </>
  );
  return target === null ? (
    <div class="feed-entry" tabIndex={-1}>
      {content}
    </div>
  ) : (
    <a class="feed-entry" href={target}>
      {content}
    </a>
  );
}
