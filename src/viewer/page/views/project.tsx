/** The projects there are, and one of them: what was learnt and is open in it, and what it is called and made of. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { OpenJson, ProjectJson, ProjectsJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import type { Reply } from "../state/failure.ts";
import { askForProjects, scope, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { go, href, memoryHref, projectHref, route, sessionHref } from "../state/router.ts";
import { complain, toast } from "../state/toasts.ts";
import { CategoryDot, Time } from "../parts/badges.tsx";
import { Answered, Button, Card, Empty, Fact } from "../parts/basics.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { ProjectSelect } from "../parts/fields.tsx";
import { ago, count, plural } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
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
    <>
      <Top title="Projects" count={found.value?.items.length ?? null} />
      <div class="scroll">
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
      </div>
    </>
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
  return (
    <>
      <Top title={value?.name ?? "Project"}>
        {value !== null && (
          <Button aria-pressed={isScope} onClick={() => setScope(isScope ? null : value.key)}>
            {isScope ? "Show all projects" : "Show only this project"}
          </Button>
        )}
      </Top>
      <div class="scroll page-scroll">
        <Answered of={found}>
          {(project) => (
            <>
              <Head project={project} />
              <Lately project={project} />
              <details class="project-changes">
                <summary class="faint">Rename or merge this project</summary>
                <div class="charts">
                  <Rename project={project} onChanged={found.reload} />
                  <Merge project={project} onChanged={found.reload} />
                </div>
              </details>
            </>
          )}
        </Answered>
      </div>
    </>
  );
}

function Head({ project: { key, memories, sessions, last_at: lastAt } }: { project: ProjectJson }) {
  const to = (view: string): string => href(view, { project: key });
  return (
    <header class="project-head stack">
      <p class="small faint mono">
        <Span text={key} />
      </p>
      <dl class="project-figures num">
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

interface ChangesProps {
  readonly project: ProjectJson;
  readonly onChanged: () => void;
}

/** Tells what came of a change, and goes to where the project is now. */
async function finish(
  { project, onChanged }: ChangesProps,
  pending: Promise<Reply<ProjectJson>>,
  words: (made: ProjectJson) => string,
): Promise<void> {
  const answer = await answerOf(pending);
  if (!answer.ok) return complain(answer);
  const made = answer.value;
  toast(words(made), { to: projectHref(made.key) });
  await askForProjects();
  if (scope.peek() === project.key && made.key !== project.key) setScope(made.key);
  if (made.key === project.key) onChanged();
  else go(projectHref(made.key));
}

interface ChangeFormProps {
  readonly title: string;
  readonly verb: string;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

const ChangeForm = ({ title, verb, isReady, onSubmit, children }: ChangeFormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      if (isReady) onSubmit();
    }}
  >
    <Card title={title}>
      {children}
      <div>
        <Button type="submit" disabled={!isReady}>
          {verb}
        </Button>
      </div>
    </Card>
  </form>
);

function Rename(props: ChangesProps) {
  const { key: project, name: before } = props.project;
  const name = useSignal(before);
  const rename = (): void => {
    const json = { project, name: name.peek() };
    const told = (made: ProjectJson) => `Called ${made.name} from now on`;
    void finish(props, api.projects.rename.$post({ json }), told);
  };
  return (
    <ChangeForm title="Name" verb="Rename" isReady={name.value.trim() !== ""} onSubmit={rename}>
      <label class="field">
        <span>New sessions use this name too</span>
        <input
          class="input"
          maxLength={60}
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
    </ChangeForm>
  );
}

function Merge(props: ChangesProps) {
  const { project } = props;
  const target = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const merge = (): void => {
    const into = target.peek();
    if (into === null) return;
    const json = { project: project.key, into };
    const told = (made: ProjectJson) => `${project.name} is part of ${made.name} now`;
    void finish(props, api.projects.merge.$post({ json }), told);
  };
  return (
    <>
      <ChangeForm
        title="Merge into another project"
        verb="Merge"
        isReady={target.value !== null && target.value !== project.key}
        onSubmit={() => (isAsking.value = true)}
      >
        <ProjectSelect
          value={target.value}
          none="choose one"
          onChange={(chosen) => (target.value = chosen)}
        />
      </ChangeForm>
      {isAsking.value && (
        <Confirm
          title={`Merge ${project.name}?`}
          verb="Merge"
          onClose={() => (isAsking.value = false)}
          onDone={merge}
        >
          <p class="small soft">
            Its {plural(project.memories, "memory", "memories")} and{" "}
            {plural(project.sessions, "session")} become the other project's, and so do sessions to
            come. `continuity project move --undo` takes them apart.
          </p>
        </Confirm>
      )}
    </>
  );
}
