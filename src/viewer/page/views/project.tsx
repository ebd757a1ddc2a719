/** The projects there are, and one of them: what was learnt and is open in it, and what it is called and made of. */
import { useEffect } from "preact/hooks";
import type { OpenJson, ProjectJson, ProjectsJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { href, memoryHref, projectHref, route, sessionHref } from "../state/router.ts";
import { scope, setScope } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { CategoryDot } from "../parts/badges.tsx";
import { ago, count, fullTime, plural } from "../parts/format.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { Changes } from "./project-changes.tsx";

export const Project = () =>
  route.value.rest === "" ? (
    <ProjectList />
  ) : (
    <ProjectPage key={route.value.rest} name={route.value.rest} />
  );

function ProjectList() {
  const found = useResource("projects", () => answerOf(api.projects.$get()));
  const { value, failure } = found.state.value;
  return (
    <>
      <Top title="Projects" count={value?.items.length ?? null} />
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting />
      ) : value.items.length === 0 ? (
        <Empty icon="folder" title="No projects yet">
          A project is a repository, or a folder, that a session ran in.
        </Empty>
      ) : (
        <div class="scroll">
          <ul class="group-list project-list">
            {value.items.map((one) => (
              <ProjectRow key={one.key} one={one} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

const ProjectRow = ({ one }: { one: ProjectsJson["items"][number] }) => (
  <li>
    <a class="row" href={projectHref(one.key)}>
      <span class="row-text">
        <strong>
          <Line text={one.name} />
        </strong>{" "}
        <span class="small faint">
          <Line text={one.key} />
        </span>
      </span>
      <span class="row-marks small faint num">
        <span>{plural(one.memories, "memory", "memories")}</span>
        <span>{plural(one.sessions, "session")}</span>
      </span>
      {one.last_at !== null && (
        <time class="row-time num" title={fullTime(one.last_at)}>
          {ago(one.last_at)}
        </time>
      )}
    </a>
  </li>
);

function ProjectPage({ name }: { name: string }) {
  const found = useResource(name, () =>
    answerOf(api.projects.one.$get({ query: { project: name } })),
  );
  const { value, failure } = found.state.value;
  useEffect(() => {
    if (value !== null) document.title = `${value.name} · Continuity`;
  }, [value]);
  return (
    <>
      <Top title={value?.name ?? "Project"}>
        {value !== null && (
          <button
            type="button"
            class="button"
            aria-pressed={scope.value === value.key}
            onClick={() => setScope(scope.peek() === value.key ? null : value.key)}
          >
            {scope.value === value.key ? "Show all projects" : "Show only this project"}
          </button>
        )}
      </Top>
      <div class="scroll page-scroll">
        {failure !== null && value === null ? (
          <Failed failure={failure} retry={found.reload} />
        ) : value === null ? (
          <Waiting />
        ) : (
          <>
            <Head project={value} />
            <Lately project={value} />
            <details class="project-changes">
              <summary>Rename or merge this project</summary>
              <Changes project={value} onChanged={found.reload} />
            </details>
          </>
        )}
      </div>
    </>
  );
}

function Head({ project: { key, memories, sessions, last_at: lastAt } }: { project: ProjectJson }) {
  const to = (view: string): string => href(view, { project: key });
  return (
    <>
      <p class="small faint mono project-key">
        <Span text={key} />
      </p>
      <dl class="project-figures">
        <div>
          <dt class="small faint">Memories</dt>
          <dd class="num">
            <a href={to("memories")}>{count(memories)}</a>
          </dd>
        </div>
        <div>
          <dt class="small faint">Sessions</dt>
          <dd class="num">
            <a href={to("sessions")}>{count(sessions)}</a>
          </dd>
        </div>
        <div>
          <dt class="small faint">Prompts</dt>
          <dd>
            <a href={to("")}>what was sent</a>
          </dd>
        </div>
        <div>
          <dt class="small faint">Last session</dt>
          <dd class="num">{lastAt === null ? "–" : ago(lastAt)}</dd>
        </div>
      </dl>
    </>
  );
}

function Lately({ project: { key } }: { project: ProjectJson }) {
  const found = useResource(`open ${key}`, () =>
    answerOf(api.open.$get({ query: { project: key } })),
  );
  const list = useResource(`latest ${key}`, () =>
    answerOf(api.memories.$get({ query: { project: key, status: "active", limit: "60" } })),
  );
  const latest = list.state.value.value?.items.filter(({ project }) => project === key) ?? [];
  return (
    <div class="charts day-lists">
      <section class="chart">
        <h2 class="chart-head">Latest memories</h2>
        {latest.length === 0 ? (
          <p class="small faint">None yet.</p>
        ) : (
          <ul class="day-list">
            {latest.slice(0, latestMax).map(({ uri, l0, category }) => (
              <li key={uri}>
                <a class="day-line" href={memoryHref(uri)}>
                  <CategoryDot category={category} />
                  <span>
                    <Line text={l0} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
      <OpenEnds open={found.state.value.value?.items ?? []} />
    </div>
  );
}

const latestMax = 10;

const OpenEnds = ({ open }: { open: OpenJson["items"] }) => (
  <section class="chart">
    <h2 class="chart-head">Unfinished</h2>
    {open.length === 0 && (
      <p class="small faint">Nothing was left unfinished in the last 30 days.</p>
    )}
    <ul class="day-list">
      {open.map((end) => (
        <li key={end.session_id}>
          <a class="day-line" href={sessionHref(end.session_id)}>
            <span>
              <Line text={end.open.join("; ")} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);
