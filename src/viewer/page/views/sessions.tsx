/** Every session that was recorded, the latest first. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { sessionStatuses } from "#domain";
import type { SessionJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { reconnects } from "../state/connection.ts";
import { createKeptRows } from "../state/kept-rows.ts";
import { stampNow } from "../state/live.ts";
import { createPaged, type Rows } from "../state/paged.ts";
import { go, route, sessionHref } from "../state/router.ts";
import { agentName } from "../parts/badges.tsx";
import { Filter, Filters } from "../parts/filters.tsx";
import { ago, fullTime, plural, span } from "../parts/format.ts";
import { isNarrow } from "../parts/screen.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { projectHere } from "../state/scope.ts";
import { VirtualList } from "../parts/virtual-list.tsx";

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
