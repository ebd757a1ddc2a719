/** Every session that was recorded, the latest first; and one of them: its summary, what happened, what was sent. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { CheckpointJson, SessionDetailJson, SessionJson } from "#api";
import { sessionStatuses } from "#domain";
import { answerOf, api } from "../state/api.ts";
import { reconnects } from "../state/connection.ts";
import { isNarrow } from "../state/display.ts";
import { stampNow } from "../state/live.ts";
import { createKeptRows, createPaged, type Rows } from "../state/paged.ts";
import { projectHere } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { go, route, sessionHref } from "../state/router.ts";
import { AgentBadge, agentName } from "../parts/badges.tsx";
import { Empty, Failed, Waiting } from "../parts/basics.tsx";
import { Filter, Filters } from "../parts/filters.tsx";
import { ago, fullTime, plural, span } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Fact } from "../parts/memory-head.tsx";
import { Tabs, useTab } from "../parts/tabs.tsx";
import { Line, Prose, Span } from "../parts/text.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { PromptsOf } from "./prompt-pane.tsx";
import { SessionTimeline } from "./timeline.tsx";

const kept = createKeptRows<SessionJson>(stampNow);

export function Sessions() {
  const { query } = route.value;
  const project = projectHere() ?? "";
  const status = sessionStatuses.find((one) => one === query.get("status"));
  const rows = useMemo(
    () =>
      kept.of(JSON.stringify([project, status]), () =>
        createPaged<SessionJson>({
          load: (offset, limit) =>
            answerOf(
              api.sessions.$get({
                query: {
                  offset: `${offset}`,
                  limit: `${limit}`,
                  ...(project === "" ? {} : { project }),
                  ...(status === undefined ? {} : { status }),
                },
              }),
            ),
        }),
      ),
    [project, status],
  );
  useLayoutEffect(() => rows.refresh(), [rows, reconnects.value]);
  return (
    <>
      <Top title="Sessions" count={rows.total.value} />
      <Filters>
        <Filter name="status" label="All states" options={sessionStatuses} />
      </Filters>
      <SessionList rows={rows} isFiltered={project !== "" || status !== undefined} />
    </>
  );
}

interface SessionListProps {
  readonly rows: Rows<SessionJson>;
  readonly isFiltered: boolean;
}

function SessionList({ rows, isFiltered }: SessionListProps) {
  const current = useSignal(-1);
  const total = rows.total.value;
  const failure = rows.failure.value;
  if (failure !== null && total === null) return <Failed failure={failure} retry={rows.refresh} />;
  if (total === null) return <Waiting lines={10} />;
  if (total === 0) return <NoSessions isFiltered={isFiltered} />;
  return (
    <VirtualList
      label="Sessions"
      count={total}
      rowHeight={isNarrow.value ? 60 : 52}
      current={current}
      onRange={rows.want}
      onOpen={(at) => {
        const session = rows.at(at);
        if (session !== undefined) go(sessionHref(session.session_id));
      }}
      row={(at, isCurrent) => {
        const session = rows.at(at);
        return session === undefined ? null : (
          <SessionRow session={session} isCurrent={isCurrent} />
        );
      }}
    />
  );
}

const NoSessions = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon="sessions" title="No sessions">
    {isFiltered ? (
      "No sessions match these filters."
    ) : (
      <>
        Run <code>claude</code> in any project. If no session appears here, run{" "}
        <code>continuity doctor</code>.
      </>
    )}
  </Empty>
);

const SessionRow = ({ session, isCurrent }: { session: SessionJson; isCurrent: boolean }) => {
  const { title, status, branch, turns } = session;
  const name = session.project_name ?? session.project ?? "no project";
  return (
    <a
      class={isCurrent ? "row session-row current" : "row session-row"}
      href={sessionHref(session.session_id)}
      tabIndex={isCurrent ? 0 : -1}
    >
      <span class={`session-state state-${status}`} title={status}>
        <span class="unseen">{status}</span>
      </span>
      <span class="row-main">
        <span class="row-text">
          <Line text={title ?? `Session ${session.session_id.slice(0, 8)}`} />
        </span>
        <span class="tiny faint cut">
          <Line
            text={[agentName(session.session_id), name, ...(branch === null ? [] : [branch])].join(
              " · ",
            )}
          />
        </span>
      </span>
      <span class="row-marks small faint num">
        <span>{plural(turns, "turn")}</span>
        <span>{span((session.ended_at ?? session.last_event_at) - session.started_at)}</span>
      </span>
      <time class="row-time num" title={fullTime(session.last_event_at)}>
        {ago(session.last_event_at)}
      </time>
    </a>
  );
};

const tabNames = ["timeline", "summary", "sent"] as const;

export function SessionPage() {
  const id = route.value.rest;
  const found = useResource(id, () =>
    answerOf(api.sessions[":sessionId"].$get({ param: { sessionId: id }, query: {} })),
  );
  const tab = useTab(tabNames);
  const { value, failure } = found.state.value;
  return (
    <>
      <Top title="Session" />
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting />
      ) : (
        <div class="scroll page-scroll">
          <article class="memory whole">
            <SessionHead session={value} />
            <Tabs
              label="Parts of this session"
              current={tab}
              tabs={[
                { name: "timeline", title: "Timeline" },
                { name: "summary", title: "Summary" },
                { name: "sent", title: "Sent to Claude" },
              ]}
            />
            <div
              class="section"
              role="tabpanel"
              id={`panel-${tab.value}`}
              aria-labelledby={`tab-${tab.value}`}
            >
              {tab.value === "timeline" && <SessionTimeline id={id} />}
              {tab.value === "summary" && <Checkpoints checkpoints={value.checkpoints} />}
              {tab.value === "sent" && <PromptsOf query={{ session: id }} />}
            </div>
          </article>
        </div>
      )}
    </>
  );
}

const SessionHead = ({ session }: { session: SessionDetailJson }) => (
  <header class="memory-head">
    <div class="head-line">
      <span class={`badge session-badge state-${session.status}`}>{session.status}</span>
      <AgentBadge session={session.session_id} />
      <span class="badge plain-badge">
        <Span text={session.project_name ?? session.project ?? "no project"} />
      </span>
      {session.branch !== null && (
        <span class="badge plain-badge mono">
          <Span text={session.branch} />
        </span>
      )}
    </div>
    <h2 class="memory-title">
      <Span text={session.title ?? `Session ${session.session_id.slice(0, 8)}`} />
    </h2>
    <p class="small faint num">
      {fullTime(session.started_at)} ·{" "}
      {span((session.ended_at ?? session.last_event_at) - session.started_at)} ·{" "}
      {plural(session.turns.length, "turn")} · <span class="mono">{session.session_id}</span>
    </p>
  </header>
);

function Checkpoints({ checkpoints }: { checkpoints: readonly CheckpointJson[] }) {
  if (checkpoints.length === 0)
    return (
      <Empty icon="sessions" title="No summary yet">
        A summary is written when the session ends or is compacted.
      </Empty>
    );
  const [latest, ...earlier] = checkpoints.toReversed();
  return (
    <>
      {latest !== undefined && <Checkpoint checkpoint={latest} />}
      {earlier.length > 0 && (
        <details class="turn-text">
          <summary>{plural(earlier.length, "earlier summary", "earlier summaries")}</summary>
          {earlier.map((one) => (
            <Checkpoint key={one.n} checkpoint={one} />
          ))}
        </details>
      )}
    </>
  );
}

const Checkpoint = ({ checkpoint }: { checkpoint: CheckpointJson }) => (
  <section class="checkpoint">
    <h3 class="tier-head">
      <span>Summary</span>
      <span class="faint small">
        {checkpoint.trigger} · {fullTime(checkpoint.at)}
      </span>
    </h3>
    <dl class="facts wide-facts">
      <Part name="Request" text={checkpoint.request} />
      <Part name="Investigated" text={checkpoint.investigated} />
      <Part name="Learned" text={checkpoint.learned} />
      <Part name="Completed" text={checkpoint.completed} />
      <Part name="Next steps" text={checkpoint.next_steps} />
      <Part name="Notes" text={checkpoint.notes} />
      <Part name="Files edited" text={checkpoint.files_edited.join("\n")} />
    </dl>
  </section>
);

const Part = ({ name, text }: { name: string; text: string }) =>
  text === "" ? null : (
    <Fact name={name}>
      <Prose text={text} />
    </Fact>
  );
