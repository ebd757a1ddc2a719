/** A prompt to try, above all prompts: what Claude would be sent here and now, as one types. Nothing is recorded. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExplainedJson, PreviewJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { projectHere, projects, wantProjects } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { adjust, route } from "../state/router.ts";
import { Failed, Waiting } from "../parts/basics.tsx";
import { Explained } from "../parts/explained.tsx";
import { plural, projectName } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";

/** Stays while one looks at a memory and comes back. */
export const tried = signal("");

export function TryField() {
  const field = useRef<HTMLTextAreaElement>(null);
  const brought = route.value.query.get("try");
  // A link may bring the words along.
  useEffect(() => {
    if (brought === null) return;
    tried.value = brought.trim();
    field.current?.focus();
    adjust({ try: null });
  }, [brought]);
  return (
    <label class="search-field try-field">
      <Icon name="eye" />
      <span class="unseen">Try a prompt</span>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        placeholder="Try a prompt"
        title="What Claude would be sent with it; nothing is recorded"
        value={tried.value}
        onInput={(event) => (tried.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          tried.value = "";
          event.currentTarget.blur();
        }}
      />
      {tried.value !== "" && (
        <button type="button" class="tool" onClick={() => (tried.value = "")}>
          <Icon name="cross" />
          <span class="unseen">Clear</span>
        </button>
      )}
    </label>
  );
}

export function TryResult() {
  const project = projectHere();
  const prompt = useSignal(tried.peek());
  useEffect(wantProjects, []);
  const json = { project, branch: null, prompt: prompt.value };
  const found = useResource(JSON.stringify(json), () => answerOf(api.preview.$post({ json })), {
    keeps: true,
  });
  const { value, failure, isLoading } = found.state.value;
  // One question at a time: what was typed meanwhile is asked when the answer is there.
  useEffect(() => {
    if (!isLoading) prompt.value = tried.value;
  }, [isLoading, tried.value]);
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting />;
  return (
    <div class="scroll page-scroll">
      <div class="tried" aria-busy={isLoading} data-prompt={prompt.value.trim()}>
        <p class="small soft">
          Nothing is recorded. Asked{" "}
          {project === null
            ? "outside any project; choose one in the menu."
            : `in ${projectName(project, projects.value)}.`}
        </p>
        <p class="unseen" role="status">
          {summary(value)}
        </p>
        <div class="tried-parts">
          <Told title="With this prompt" told={value.prompt} none="Nothing sent." />
          <Told
            title="At session start"
            told={value.start}
            none="Nothing sent: there are no memories for this project yet."
          />
        </div>
      </div>
    </div>
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
      <Explained told={told} isTrial />
    )}
  </section>
);
