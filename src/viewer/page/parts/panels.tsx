/** Panels over the page: the palette, every key there is, a new memory, and the question before forgetting. */
import { useSignal } from "@preact/signals";
import { forget, pendingForget, remember } from "../state/actions.ts";
import { panel } from "../state/places.ts";
import { projectHere } from "../state/projects.ts";
import { Alert, Button, Key } from "./basics.tsx";
import { Dialog } from "./dialog.tsx";
import { ProjectSelect } from "./fields.tsx";
import { Help } from "./help.tsx";
import { Palette } from "./palette.tsx";
import { Span } from "./text.tsx";

const close = (): void => {
  panel.value = "none";
};

export const Panels = () => (
  <>
    {panel.value === "palette" && <Palette onClose={close} />}
    {panel.value === "help" && <Help onClose={close} />}
    {panel.value === "remember" && <Remember />}
    <Forget />
  </>
);

const excerptCharsMax = 300;

function Forget() {
  const memory = pendingForget.value;
  if (memory === null) return null;
  const close = (): void => {
    pendingForget.value = null;
  };
  const confirm = (): void => {
    close();
    forget(memory);
  };
  // Cancel has the focus.
  return (
    <Dialog label="Forget this memory?" class="small-dialog" onClose={close}>
      <h2>Forget this memory?</h2>
      <blockquote class="excerpt">
        <Span text={memory.l0.slice(0, excerptCharsMax)} />
      </blockquote>
      <p class="small soft">
        Permanently deletes the memory and every copy of its text. You can undo for 6 seconds.
      </p>
      <div class="line wrap">
        <Button class="danger" onClick={confirm}>
          Forget
        </Button>
        <Button autofocus onClick={close}>
          Cancel
        </Button>
      </div>
    </Dialog>
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
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
        }}
      >
        <h2>Add a memory</h2>
        <textarea
          class="input"
          rows={4}
          dir="auto"
          aria-label="What to remember"
          placeholder="The staging database listens on port 5433."
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <ProjectSelect value={project.value} onChange={(chosen) => (project.value = chosen)} />
        <Alert text={failure.value} />
        <div class="line wrap">
          <Button type="submit" class="primary">
            Remember <Key keys="Ctrl ↵" />
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
