/** The projects there are, and one of them: what was learnt and is open in it, and what it is called. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpenJson, ProjectJson, ProjectsJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import { askForProjects, scope, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { href, memoryHref, projectHref, route, sessionHref } from "../state/router.ts";
import { complain, toast } from "../state/toasts.ts";
import { CategoryDot, Time } from "../parts/badges.tsx";
import { Answered, Button, Card, Empty, Fact } from "../parts/basics.tsx";
import { ago, count, plural } from "../parts/format.ts";
import { Page } from "../parts/frame.tsx";
import { Line, Span } from "../parts/text.tsx";

export const Project = () =>
  route.value.rest === "" ? (
    <ProjectList />
  ) : (
    <ProjectPage key={route.value.rest} name={route.value.rest} />
  );

function ProjectList() {
  const found = useResource("projects", () => api.projects.$get());
  return (
    <Page title="Projects" count={found.value?.items.length ?? null}>
      <Answered of={found}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="folder" title="No projects yet">
              A project is a repository, or a folder, that a session ran in.
            </Empty>
          ) : (
            <ul class="project-list">
              {items.map((one) => (
                <ProjectRow key={one.key} one={one} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Page>
  );
}

const ProjectRow = ({ one }: { one: ProjectsJson["items"][number] }) => (
  <li>
    <a class="row" href={projectHref(one.key)}>
      <span class="grow">
        <strong>
          <Line text={one.name} />
        </strong>{" "}
        <span class="small faint">
          <Line text={one.key} />
        </span>
      </span>
      <span class="row-marks line small faint num">
        <span>{plural(one.memories, "memory", "memories")}</span>
        <span>{plural(one.sessions, "session")}</span>
      </span>
      {one.last_at !== null && <Time at={one.last_at} />}
    </a>
  </li>
);

function ProjectPage({ name }: { name: string }) {
  const found = useResource(name, () => api.projects.one.$get({ query: { project: name } }));
  const { value } = found;
  useEffect(() => {
    if (value !== null) document.title = `${value.name} · Continuity`;
  }, [value]);
  const isScope = value !== null && scope.value === value.key;
  const choose = value !== null && (
    <Button aria-pressed={isScope} onClick={() => setScope(isScope ? null : value.key)}>
      {isScope ? "Show all projects" : "Show only this project"}
    </Button>
  );
  return (
    <Page title={value?.name ?? "Project"} aside={choose}>
      <Answered of={found}>
        {(project) => (
          <>
            <Head project={project} />
            <Lately project={project} />
            <details class="project-changes">
              <summary class="faint">Rename this project</summary>
              <Rename project={project} onChanged={found.reload} />
            </details>
          </>
        )}
      </Answered>
    </Page>
  );
}

function Head({ project: { key, memories, sessions, last_at: lastAt } }: { project: ProjectJson }) {
  const to = (view: string): string => href(view, { project: key });
  return (
    <header class="project-head stack">
      <p class="small faint mono">
        <Span text={key} />
      </p>
      <dl class="project-figures line wrap num">
        <Fact name="Memories">
          <a href={to("memories")}>{count(memories)}</a>
        </Fact>
        <Fact name="Sessions">
          <a href={to("sessions")}>{count(sessions)}</a>
        </Fact>
        <Fact name="Prompts">
          <a href={to("")}>what was sent</a>
        </Fact>
        <Fact name="Last session">{lastAt === null ? "–" : ago(lastAt)}</Fact>
      </dl>
    </header>
  );
}

const latestMax = 10;

function Lately({ project: { key } }: { project: ProjectJson }) {
  const open = useResource(`open ${key}`, () => api.open.$get({ query: { project: key } }));
  const list = useResource(`latest ${key}`, () =>
    api.memories.$get({ query: { project: key, status: "active", limit: "60" } }),
  );
  const latest = list.value?.items.filter(({ project }) => project === key) ?? [];
  return (
    <div class="charts">
      <Card title="Latest memories">
        {latest.length === 0 && <p class="small faint">None yet.</p>}
        <ul>
          {latest.slice(0, latestMax).map(({ uri, l0, category }) => (
            <li key={uri}>
              <a class="plain-line" href={memoryHref(uri)}>
                <CategoryDot category={category} />
                <Line text={l0} />
              </a>
            </li>
          ))}
        </ul>
      </Card>
      <OpenEnds open={open.value?.items ?? []} />
    </div>
  );
}

const OpenEnds = ({ open }: { open: OpenJson["items"] }) => (
  <Card title="Unfinished">
    {open.length === 0 && (
      <p class="small faint">Nothing was left unfinished in the last 30 days.</p>
    )}
    <ul>
      {open.map((end) => (
        <li key={end.session_id}>
          <a class="plain-line" href={sessionHref(end.session_id)}>
            <Line text={end.open.join("; ")} />
          </a>
        </li>
      ))}
    </ul>
  </Card>
);

interface RenameProps {
  readonly project: ProjectJson;
  readonly onChanged: () => void;
}

function Rename({ project: { key: project, name: before }, onChanged }: RenameProps) {
  const name = useSignal(before);
  const rename = async (): Promise<void> => {
    const answer = await answerOf(
      api.projects.rename.$post({ json: { project, name: name.peek() } }),
    );
    if (!answer.ok) return complain(answer);
    toast(`Called ${answer.value.name} from now on`);
    await askForProjects();
    onChanged();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <Card title="Name">
        <label class="field">
          <span>New sessions use this name too</span>
          <input
            class="input"
            maxLength={60}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </label>
        <div>
          <Button type="submit" disabled={name.value.trim() === ""}>
            Rename
          </Button>
        </div>
      </Card>
    </form>
  );
}
