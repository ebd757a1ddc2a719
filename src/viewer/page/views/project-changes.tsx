/** What can be made of a project: another name, or part of another one. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ProjectJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { askForProjects } from "../state/projects.ts";
import { go, projectHref } from "../state/router.ts";
import { scope, setScope } from "../state/scope.ts";
import { toast } from "../state/toasts.ts";
import { Confirm } from "../parts/confirm.tsx";
import { plural } from "../parts/format.ts";
import { ProjectSelect } from "../parts/project-select.tsx";

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
