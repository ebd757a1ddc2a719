/** What may lie over the page: the question before forgetting, a new memory, and every key there is. */
import { useSignal } from "@preact/signals";
import { doomed, forget, remember } from "../state/actions.ts";
import { panel } from "../state/places.ts";
import { projectHere } from "../state/projects.ts";
import { Key } from "./badges.tsx";
import { later } from "./basics.tsx";
import { Confirm, Dialog } from "./dialog.tsx";
import { ProjectSelect } from "./fields.tsx";
import { Palette } from "./palette.tsx";
import { Span } from "./text.tsx";

const Help = later(async () => (await import("./help.tsx")).Help);

const close = (): void => {
  panel.value = "none";
};

export const Panels = () => (
  <>
    {panel.value === "palette" && <Palette onClose={close} />}
    {panel.value === "help" && <Help onClose={close} />}
    {panel.value === "remember" && <Remember />}
    {doomed.value !== null && <Forget />}
  </>
);

const excerptCharsMax = 300;

function Forget() {
  const memory = doomed.value;
  if (memory === null) return null;
  return (
    <Confirm
      label="Forget this memory?"
      title="Forget this memory?"
      verb="Forget"
      onClose={() => (doomed.value = null)}
      onDone={() => forget(memory)}
    >
      <blockquote class="excerpt">
        <Span text={memory.l0.slice(0, excerptCharsMax)} />
      </blockquote>
      <p class="small soft">
        Permanently deletes the memory and every copy of its text. You can undo for 6 seconds.
      </p>
    </Confirm>
  );
}

function Remember() {
  const text = useSignal("");
  const failure = useSignal<string | null>(null);
  const project = useSignal(projectHere());
  const submit = async (): Promise<void> => {
    if (text.peek().trim() === "") return;
    failure.value = await remember(text.peek().trim(), project.peek());
    if (failure.value === null) close();
  };
  return (
    <Dialog label="Add a memory" class="small-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
        }}
      >
        <h2>Add a memory</h2>
        <label class="field">
          <span class="unseen">What to remember</span>
          <textarea
            class="input"
            rows={4}
            dir="auto"
            placeholder="The staging database listens on port 5433."
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <ProjectSelect
          value={project.value}
          onChange={(chosen) => (project.value = chosen ?? null)}
        />
        {failure.value !== null && (
          <p class="notice bad" role="alert">
            {failure.value}
          </p>
        )}
        <div class="form-actions">
          <button type="submit" class="button primary">
            Remember <Key keys="Ctrl ↵" />
          </button>
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
