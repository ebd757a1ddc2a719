/** One session: its summary, what happened in it, and what it was given. */
import type { CheckpointJson, SessionDetailJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { route } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { AgentBadge } from "../parts/badges.tsx";
import { fullTime, plural, span } from "../parts/format.ts";
import { Fact } from "../parts/memory-head.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Tabs, useTab } from "../parts/tabs.tsx";
import { Prose, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { PromptsOf } from "./prompt-pane.tsx";
import { SessionTimeline } from "./timeline.tsx";

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
