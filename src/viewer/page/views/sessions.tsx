/** Every session that was recorded, the latest first; and one of them: its summary, what happened, what was sent. */
import { useLayoutEffect, useMemo } from "preact/hooks";
import { sessionStatuses } from "#domain";
import type { CheckpointJson, SessionDetailJson, SessionJson } from "#api";
import { answerOf, api, reconnects } from "../state/connection.ts";
import { stampNow } from "../state/live.ts";
import { createKept, createPaged, type Rows } from "../state/paged.ts";
import { projectHere } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { route, sessionHref } from "../state/router.ts";
import { agentName, Time } from "../parts/badges.tsx";
import { Answered, Empty, Fact, Tier } from "../parts/basics.tsx";
import { Filter, Filters } from "../parts/filters.tsx";
import { fullTime, plural, span } from "../parts/format.ts";
import { Page, Top } from "../parts/frame.tsx";
import { SplitList } from "../parts/split-list.tsx";
import { TabPanel, Tabs, useTab } from "../parts/tabs.tsx";
import { Line, Prose, Span } from "../parts/text.tsx";
import { PromptsOf } from "./prompt-pane.tsx";
import { SessionTimeline } from "./timeline.tsx";

const kept = createKept<Rows<SessionJson>>(stampNow);
const statusOptions = Object.fromEntries(sessionStatuses.map((status) => [status, status]));

export function Sessions() {
  const project = projectHere();
  const status = sessionStatuses.find((one) => one === route.value.query.get("status"));
  const filter = {
    ...(project === null ? {} : { project }),
    ...(status === undefined ? {} : { status }),
  };
  const key = JSON.stringify(filter);
  const load = (offset: number, limit: number) =>
    answerOf(api.sessions.$get({ query: { offset: `${offset}`, limit: `${limit}`, ...filter } }));
  const rows = useMemo(() => kept.of(key, () => createPaged<SessionJson>(load)), [key]);
  useLayoutEffect(() => rows.refresh(), [rows, reconnects.value]);
  return (
    <>
      <Top title="Sessions" count={rows.total.value} />
      <Filters>
        <Filter name="status" label="All states" options={statusOptions} />
      </Filters>
      <SplitList
        label="Sessions"
        rows={rows}
        listKey={key}
        nameOf={({ session_id: id }) => id}
        hrefOf={({ session_id: id }) => sessionHref(id)}
        row={(session, { isCurrent }) => <SessionRow session={session} isCurrent={isCurrent} />}
        empty={<NoSessions isFiltered={key !== "{}"} />}
      />
    </>
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

type Session = SessionJson | SessionDetailJson;

const titleOf = ({ title, session_id: id }: Session): string =>
  title ?? `Session ${id.slice(0, 8)}`;
const projectOf = (session: Session): string =>
  session.project_name ?? session.project ?? "no project";
const lengthOf = ({ started_at: from, ended_at: to, last_event_at: last }: Session): string =>
  span((to ?? last) - from);

const tones: Readonly<Record<SessionJson["status"], string>> = {
  active: "good",
  completed: "quiet",
  failed: "warn",
  interrupted: "warn",
};

const SessionRow = ({ session, isCurrent }: { session: SessionJson; isCurrent: boolean }) => {
  const { status, branch, turns, session_id: id } = session;
  const about = [agentName(id), projectOf(session), ...(branch === null ? [] : [branch])];
  return (
    <a
      class={isCurrent ? "row session-row current" : "row session-row"}
      href={sessionHref(id)}
      tabIndex={isCurrent ? 0 : -1}
    >
      <span class={`dot round ${tones[status]}`} title={status}>
        <span class="unseen">{status}</span>
      </span>
      <span class="row-main">
        <Line text={titleOf(session)} look="row-text" />
        <span class="tiny faint cut">
          <Line text={about.join(" · ")} />
        </span>
      </span>
      <span class="row-marks line small faint num">
        <span>{plural(turns, "turn")}</span>
        <span>{lengthOf(session)}</span>
      </span>
      <Time at={session.last_event_at} />
    </a>
  );
};

const tabNames = ["timeline", "summary", "sent"] as const;

export function SessionPage() {
  const id = route.value.rest;
  const load = () => api.sessions[":sessionId"].$get({ param: { sessionId: id } });
  const found = useResource(id, load);
  const tab = useTab(tabNames);
  return (
    <Page title="Session">
      <Answered of={found}>
        {(session) => (
          <article class="memory stack whole">
            <SessionHead session={session} />
            <Tabs
              label="Parts of this session"
              current={tab}
              tabs={[
                { name: "timeline", title: "Timeline" },
                { name: "summary", title: "Summary" },
                { name: "sent", title: "Sent to Claude" },
              ]}
            />
            <TabPanel current={tab}>
              {tab.value === "timeline" && <SessionTimeline id={id} />}
              {tab.value === "summary" && <Checkpoints checkpoints={session.checkpoints} />}
              {tab.value === "sent" && <PromptsOf query={{ session: id }} />}
            </TabPanel>
          </article>
        )}
      </Answered>
    </Page>
  );
}

const SessionHead = ({ session }: { session: SessionDetailJson }) => (
  <header class="stack tight">
    <div class="line wrap">
      <span class={`badge ${tones[session.status]}`}>{session.status}</span>
      {[agentName(session.session_id), projectOf(session), session.branch].map(
        (text) =>
          text !== null && (
            <span key={text} class="badge plain-badge">
              <Span text={text} />
            </span>
          ),
      )}
    </div>
    <h2 class="memory-title">
      <Span text={titleOf(session)} />
    </h2>
    <p class="small faint num">
      {fullTime(session.started_at)} · {lengthOf(session)} · {plural(session.turns.length, "turn")}{" "}
      · <span class="mono">{session.session_id}</span>
    </p>
  </header>
);

function Checkpoints({ checkpoints }: { checkpoints: readonly CheckpointJson[] }) {
  const [latest, ...earlier] = checkpoints.toReversed();
  return latest === undefined ? (
    <Empty icon="sessions" title="No summary yet">
      A summary is written when the session ends or is compacted.
    </Empty>
  ) : (
    <>
      <Checkpoint checkpoint={latest} />
      {earlier.length > 0 && (
        <details>
          <summary class="small faint">
            {plural(earlier.length, "earlier summary", "earlier summaries")}
          </summary>
          {earlier.map((one) => (
            <Checkpoint key={one.n} checkpoint={one} />
          ))}
        </details>
      )}
    </>
  );
}

const Checkpoint = ({ checkpoint }: { checkpoint: CheckpointJson }) => {
  const { trigger, at } = checkpoint;
  const parts = [
    ["Request", checkpoint.request],
    ["Investigated", checkpoint.investigated],
    ["Learned", checkpoint.learned],
    ["Completed", checkpoint.completed],
    ["Next steps", checkpoint.next_steps],
    ["Notes", checkpoint.notes],
    ["Files edited", checkpoint.files_edited.join("\n")],
  ] as const;
  const when = (
    <span class="faint small">
      {trigger} · {fullTime(at)}
    </span>
  );
  return (
    <Tier title="Summary" aside={when}>
      <dl class="facts wide-facts">
        {parts.map(
          ([name, text]) =>
            text !== "" && (
              <Fact key={name} name={name}>
                <Prose text={text} />
              </Fact>
            ),
        )}
      </dl>
    </Tier>
  );
};
