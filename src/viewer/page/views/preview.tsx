/** What Claude would get here and now: the start of a session and a prompt in it, with the reasons, as one types. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExplainedJson, PreviewJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { projects, wantProjects } from "../state/projects.ts";
import { adjust, route } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { Explained } from "../parts/explained.tsx";
import { plural, projectName } from "../parts/format.ts";
import { Failed, Waiting } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";

/** Stays while one looks at a memory and comes back. */
const typed = signal("");

export function Preview() {
  const { query } = route.value;
  const project = projectHere();
  const branch = query.get("branch") || null;
  const prompt = useSignal(typed.peek());
  useEffect(wantProjects, []);
  // A link may bring the words along.
  useEffect(() => {
    const brought = query.get("q");
    if (brought === null) return;
    typed.value = brought;
    adjust({ q: null });
  }, [query.get("q")]);
  const json = { project, branch, prompt: prompt.value };
  const found = useResource(JSON.stringify(json), () => answerOf(api.preview.$post({ json })));
  const { value, failure, isLoading } = found.state.value;
  // One question at a time: what was typed meanwhile is asked when the answer is there.
  useEffect(() => {
    if (!isLoading) prompt.value = typed.value;
  }, [isLoading, typed.value]);
  // What was told last stays until there is something newer.
  const last = useRef<PreviewJson | null>(null);
  if (value !== null) last.current = value;
  const told = value ?? last.current;
  return (
    <>
      <Top title="Preview" />
      <div class="scroll page-scroll">
        <div class="preview">
          <p class="soft">
            What a session that starts now would be given from memory. Nothing is recorded.
          </p>
          <Ask project={project} branch={branch} />
          {failure !== null ? (
            <Failed failure={failure} retry={found.reload} />
          ) : told === null ? (
            <Waiting />
          ) : (
            <div class="preview-told" aria-busy={isLoading} data-prompt={prompt.value.trim()}>
              <p class="unseen" role="status">
                {summary(told)}
              </p>
              <Told
                title="With this prompt"
                told={told.prompt}
                none="Type a prompt above: what Claude would be given appears here as you type."
              />
              <Told
                title="At session start"
                told={told.start}
                none="Nothing: there are no memories for this project yet."
              />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

function summary({ prompt, start }: PreviewJson): string {
  const atStart = `At session start: ${plural(start.tokens, "token")}.`;
  return prompt === null
    ? atStart
    : `With this prompt: ${plural(prompt.tokens, "token")}. ${atStart}`;
}

interface ToldProps {
  readonly title: string;
  readonly told: ExplainedJson | null;
  readonly none: string;
}

const Told = ({ title, told, none }: ToldProps) => (
  <section class="chart">
    <h2 class="chart-head">{title}</h2>
    {told === null || (told.lines.length === 0 && told.decision === null) ? (
      <p class="soft">{none}</p>
    ) : (
      <Explained told={told} title="What Claude would get" />
    )}
  </section>
);

/** What the address names belongs in the list before the list is there. */
function keysWith(project: string | null): readonly string[] {
  const keys = projects.value.map(({ key }) => key);
  return project === null || keys.includes(project) ? keys : [...keys, project];
}

interface AskProps {
  readonly project: string | null;
  readonly branch: string | null;
}

const Ask = ({ project, branch }: AskProps) => (
  <form class="preview-ask" onSubmit={(event) => event.preventDefault()}>
    <label class="field">
      Prompt
      <textarea
        class="input"
        rows={3}
        dir="auto"
        placeholder="Which port does the staging database listen on?"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </label>
    <div class="field-pair">
      <label class="field">
        Project
        <select
          class="input"
          value={project ?? ""}
          onChange={(event) => adjust({ project: event.currentTarget.value })}
        >
          <option value="">Outside any project</option>
          {keysWith(project).map((key) => (
            <option key={key} value={key}>
              {projectName(key, projects.value)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Branch
        <input
          class="input"
          type="text"
          placeholder="that of the last session"
          value={branch ?? ""}
          onInput={(event) => adjust({ branch: event.currentTarget.value })}
        />
      </label>
    </div>
  </form>
);
