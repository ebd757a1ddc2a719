/** The projects there are, and one of them: what was learnt and is open in it, and what it is called and made of. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { OpenJson, ProjectJson, ProjectsJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { askForProjects, scope, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { go, href, memoryHref, projectHref, route, sessionHref } from "../state/router.ts";
import { toast } from "../state/toasts.ts";
import { CategoryDot } from "../parts/badges.tsx";
import { Empty, Failed, Waiting } from "../parts/basics.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { ProjectSelect } from "../parts/fields.tsx";
import { ago, count, fullTime, plural } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Line, Span } from "../parts/text.tsx";

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

interface ChangesProps {
  readonly project: ProjectJson;
  readonly onChanged: () => void;
}

/** What it is called and made of. */
export const Changes = (props: ChangesProps) => (
  <div class="charts">
    <Rename {...props} />
    <Merge {...props} />
  </div>
);

/** Tells what came of a change, and goes to where the project is now. */
const finish =
  ({ project, onChanged }: ChangesProps) =>
  async (
    pending: Promise<Answer<ProjectJson>>,
    words: (made: ProjectJson) => string,
  ): Promise<void> => {
    const answer = await pending;
    if (!answer.ok) return void toast(answer.failure.message, { tone: "bad" });
    const made = answer.value;
    toast(words(made), { to: projectHref(made.key) });
    await askForProjects();
    if (scope.peek() === project.key && made.key !== project.key) setScope(made.key);
    if (made.key === project.key) onChanged();
    else go(projectHref(made.key));
  };

interface ChangeFormProps {
  readonly title: string;
  readonly verb: string;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

const ChangeForm = ({ title, verb, isReady, onSubmit, children }: ChangeFormProps) => (
  <form
    class="chart edit"
    onSubmit={(event) => {
      event.preventDefault();
      if (isReady) onSubmit();
    }}
  >
    <h2 class="chart-head">{title}</h2>
    {children}
    <div class="form-actions">
      <button type="submit" class="button" disabled={!isReady}>
        {verb}
      </button>
    </div>
  </form>
);

function Rename(props: ChangesProps) {
  const { key, name: before } = props.project;
  const name = useSignal(before);
  const rename = (): void =>
    void finish(props)(
      answerOf(api.projects.rename.$post({ json: { project: key, name: name.peek() } })),
      (made) => `Called ${made.name} from now on`,
    );
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
  const into = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const merge = (): void => {
    const target = into.peek();
    if (target === null) return;
    void finish(props)(
      answerOf(api.projects.merge.$post({ json: { project: project.key, into: target } })),
      (made) => `${project.name} is part of ${made.name} now`,
    );
  };
  return (
    <>
      <ChangeForm
        title="Merge into another project"
        verb="Merge"
        isReady={into.value !== null && into.value !== project.key}
        onSubmit={() => (isAsking.value = true)}
      >
        <ProjectSelect
          value={into.value ?? undefined}
          unchanged="choose one"
          isNamed
          onChange={(chosen) => (into.value = chosen ?? null)}
        />
      </ChangeForm>
      {isAsking.value && (
        <Confirm
          label="Merge projects?"
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
