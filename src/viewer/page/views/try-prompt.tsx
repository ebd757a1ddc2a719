/** A prompt to try, above all prompts: what Claude would be sent here and now, as one types. Nothing is recorded. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExplainedJson, PreviewJson } from "#api";
import { api } from "../state/connection.ts";
import { projectHere, projects, wantProjects } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { adjust, route } from "../state/router.ts";
import { Answered, Card, Tool } from "../parts/basics.tsx";
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
    <label class="search-field try-field line">
      <Icon name="eye" />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Try a prompt"
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
      {tried.value !== "" && <Tool icon="cross" label="Clear" onClick={() => (tried.value = "")} />}
    </label>
  );
}

export function TryResult() {
  const project = projectHere();
  const prompt = useSignal(tried.peek());
  useEffect(wantProjects, []);
  const json = { project, prompt: prompt.value };
  const load = () => api.preview.$post({ json });
  const found = useResource(JSON.stringify(json), load, { keeps: true });
  const { isLoading } = found;
  // One question at a time: what was typed meanwhile is asked when the answer is there.
  useEffect(() => {
    if (!isLoading) prompt.value = tried.value;
  }, [isLoading, tried.value]);
  return (
    <div class="scroll">
      <Answered of={found}>
        {(told) => (
          <div class="tried stack" aria-busy={isLoading} data-prompt={prompt.value.trim()}>
            <p class="small soft">
              Nothing is recorded. Asked{" "}
              {project === null
                ? "outside any project; choose one in the menu."
                : `in ${projectName(project, projects.value)}.`}
            </p>
            <p class="unseen" role="status">
              {summary(told)}
            </p>
            <div class="tried-parts">
              <Told title="With this prompt" told={told.prompt} none="Nothing sent." />
              <Told
                title="At session start"
                told={told.start}
                none="Nothing sent: there are no memories for this project yet."
              />
            </div>
          </div>
        )}
      </Answered>
    </div>
  );
}

const summary = ({ prompt, start }: PreviewJson): string =>
  (prompt === null ? "" : `With this prompt: ${plural(prompt.tokens, "token")}. `) +
  `At session start: ${plural(start.tokens, "token")}.`;

interface ToldProps {
  readonly title: string;
  readonly told: ExplainedJson | null;
  readonly none: string;
}

const Told = ({ title, told, none }: ToldProps) => (
  <Card title={title}>
    {told === null || (told.lines.length === 0 && told.decision === null) ? (
      <p class="soft">{none}</p>
    ) : (
      <Explained told={told} isTrial />
    )}
  </Card>
);
