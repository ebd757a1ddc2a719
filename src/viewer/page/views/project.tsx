/** The projects there are, and one of them: what was learnt and is open in it, and what it is called and made of. */
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { msPerDay, systemClock } from "#kit";
import type { ProjectJson, ProjectsJson, TodayJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { askForProjects } from "../state/projects.ts";
import { go, href, memoryHref, projectHref, route, sessionHref } from "../state/router.ts";
import { scope, setScope } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { toast } from "../state/toasts.ts";
import { CategoryDot } from "../parts/badges.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ago, count, fullTime, plural } from "../parts/format.ts";
import { ProjectSelect } from "../parts/project-select.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";

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

/** How far back the page looks. */
const spanDays = 30;

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
            <Changes project={value} onChanged={found.reload} />
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
      <dl class="day-figures">
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
          <dt class="small faint">Last touched</dt>
          <dd class="num">{lastAt === null ? "–" : ago(lastAt)}</dd>
        </div>
      </dl>
      <p class="words project-ways">
        {(
          [
            ["given", "Prompts"],
            ["preview", "Preview"],
            ["profile", "Preferences"],
            ["map", "Map"],
          ] as const
        ).map(([view, title]) => (
          <a key={view} class="button" href={to(view)}>
            {title}
          </a>
        ))}
      </p>
    </>
  );
}

function Lately({ project }: { project: ProjectJson }) {
  const nowMs = systemClock.nowMs();
  const span = { since: `${nowMs - spanDays * msPerDay}`, until: `${nowMs}` };
  const found = useResource(`lately ${project.key}`, () =>
    answerOf(api.today.$get({ query: span })),
  );
  const list = useResource(`latest ${project.key}`, () =>
    answerOf(api.memories.$get({ query: { project: project.key, limit: "60" } })),
  );
  const { value } = found.state.value;
  const isOf = (one: { readonly project: string | null }): boolean => one.project === project.key;
  const latest = list.state.value.value?.items.filter(isOf).slice(0, latestMax) ?? [];
  return (
    <div class="charts day-lists">
      <section class="chart">
        <h2 class="chart-head">Latest memories</h2>
        {latest.length === 0 ? (
          <p class="small faint">None yet.</p>
        ) : (
          <ul class="day-list">
            {latest.map(({ uri, l0, category }) => (
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
      <OpenEnds open={value?.open.filter(isOf) ?? []} />
      <Replaced replaced={value?.replaced.filter(({ now }) => isOf(now)) ?? []} />
    </div>
  );
}

const latestMax = 10;

const OpenEnds = ({ open }: { open: TodayJson["open"] }) => (
  <section class="chart">
    <h2 class="chart-head">Open ends</h2>
    {open.length === 0 && <p class="small faint">Nothing was left open in the last 7 days.</p>}
    <ul class="day-list">
      {open.map((end) => (
        <li key={end.session_id}>
          <a class="day-line" href={sessionHref(end.session_id)}>
            <span>
              <Line text={end.next_steps} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

const Replaced = ({ replaced }: { replaced: TodayJson["replaced"] }) =>
  replaced.length === 0 ? null : (
    <section class="chart">
      <h2 class="chart-head">Replaced in the last {spanDays} days</h2>
      <ul class="day-list">
        {replaced.map(({ old, now }) => (
          <li key={old.uri}>
            <del class="small faint">
              <Line text={old.l0} />
            </del>
            <a class="day-line" href={memoryHref(now.uri)}>
              <CategoryDot category={now.category} />
              <span>
                <Line text={now.l0} />
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
const Changes = (props: ChangesProps) => (
  <div class="charts">
    <Rename {...props} />
    <Merge {...props} />
    {props.project.folders.length > 0 && <Split {...props} />}
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

interface NameFieldProps {
  readonly label: string;
  readonly name: Signal<string>;
}

const NameField = ({ label, name }: NameFieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input
      class="input"
      maxLength={60}
      value={name.value}
      onInput={(event) => (name.value = event.currentTarget.value)}
    />
  </label>
);

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
      <NameField label="Sessions to come are called so too" name={name} />
    </ChangeForm>
  );
}

function Merge(props: ChangesProps) {
  const { project } = props;
  const into = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const close = (): void => void (isAsking.value = false);
  const merge = (): void => {
    close();
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
        <Dialog label="Merge projects?" class="small-dialog" onClose={close}>
          <h2>Merge {project.name}?</h2>
          <p class="small soft">
            Its {plural(project.memories, "memory", "memories")} and{" "}
            {plural(project.sessions, "session")} become the other project's, and so do sessions to
            come. This cannot be undone.
          </p>
          <div class="form-actions">
            <button type="button" class="button danger" onClick={merge}>
              Merge
            </button>
            <button type="button" class="button" autofocus onClick={close}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Split(props: ChangesProps) {
  const { key, folders } = props.project;
  const folder = useSignal(folders[0]?.folder ?? "");
  const name = useSignal("");
  const split = (): void =>
    void finish(props)(
      answerOf(
        api.projects.split.$post({
          json: { project: key, folder: folder.peek(), name: name.peek() },
        }),
      ),
      (made) => `${made.name} is a project of its own now`,
    );
  return (
    <ChangeForm
      title="Split off a folder"
      verb="Split"
      isReady={name.value.trim() !== ""}
      onSubmit={split}
    >
      <label class="field">
        <span>Folder</span>
        <select
          class="input"
          value={folder.value}
          onChange={(event) => (folder.value = event.currentTarget.value)}
        >
          {folders.map((one) => (
            <option key={one.folder} value={one.folder}>
              {one.folder} ({plural(one.sessions, "session")})
            </option>
          ))}
        </select>
      </label>
      <NameField label="Name of the new project" name={name} />
    </ChangeForm>
  );
}
