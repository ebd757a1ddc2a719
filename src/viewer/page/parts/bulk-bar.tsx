/** What can be done with what is marked in a list: a bar below it, with a key for each. */
import { useSignal } from "@preact/signals";
import { memoryCategories } from "#domain";
import { changeMany, forgetMany, working, type Change, type Target } from "../state/bulk.ts";
import { useKeys, type Keymap } from "../state/keys.ts";
import { Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { ProjectSelect } from "./project-select.tsx";
import { categoryOptions, count as counted } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { SelectField } from "./select-field.tsx";

export interface BulkBarProps {
  readonly count: number;
  /** Memories in the list; null where it cannot be taken as a whole. */
  readonly total: number | null;
  readonly isReview: boolean;
  readonly target: () => Target;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

type Asking = "tags" | "move" | "forget";

interface Act {
  readonly title: string;
  readonly icon: IconName;
  readonly key: string;
  readonly run: () => void;
}

type DoChange = (done: string, what: Change) => void;

const reviewActs = (change: DoChange): readonly Act[] => [
  { title: "Accept", icon: "check", key: "a", run: () => change("Accepted", { review: "accept" }) },
  { title: "Reject", icon: "cross", key: "r", run: () => change("Rejected", { review: "reject" }) },
];

const pinActs = (change: DoChange): readonly Act[] => [
  { title: "Pin", icon: "pin", key: "p", run: () => change("Pinned", { pinned: true }) },
  { title: "Unpin", icon: "pin", key: "P", run: () => change("Unpinned", { pinned: false }) },
];

const askActs = (ask: (what: Asking) => void): readonly Act[] => [
  { title: "Tag", icon: "flag", key: "l", run: () => ask("tags") },
  { title: "Move", icon: "folder", key: "v", run: () => ask("move") },
  { title: "Forget", icon: "trash", key: "#", run: () => ask("forget") },
];

export function BulkBar({ count, total, isReview, target, onAll, onClear }: BulkBarProps) {
  const asking = useSignal<Asking | null>(null);
  const change: DoChange = (done, what) => {
    asking.value = null;
    void changeMany({ target: target(), change: what, total: count, done });
    onClear();
  };
  const forget = (): void => {
    asking.value = null;
    forgetMany({ target: target(), total: count });
    onClear();
  };
  const acts = [
    ...(isReview ? reviewActs(change) : pinActs(change)),
    ...askActs((what) => (asking.value = what)),
  ];
  useKeys({
    ...Object.fromEntries(acts.map(({ key, run }): [string, () => void] => [key, run])),
    Delete: () => (asking.value = "forget"),
    Escape: onClear,
  } satisfies Keymap);
  const close = (): void => void (asking.value = null);
  return (
    <section class="bulk-bar" aria-label="Selected memories">
      <span class="bulk-count num" role="status">
        {counted(count)} selected
      </span>
      {total !== null && count < total && (
        <button type="button" class="tool" onClick={onAll}>
          Select all {counted(total)} <Key keys="*" />
        </button>
      )}
      <span class="grow" />
      {acts.map((act) => (
        <ActButton key={act.title} title={act.title} icon={act.icon} keys={act.key} run={act.run} />
      ))}
      <ActButton title="Clear" icon="cross" keys="Esc" run={onClear} />
      {asking.value === "tags" && <TagDialog count={count} onClose={close} onDone={change} />}
      {asking.value === "move" && <MoveDialog count={count} onClose={close} onDone={change} />}
      {asking.value === "forget" && <ForgetDialog count={count} onClose={close} onDone={forget} />}
    </section>
  );
}

const ActButton = ({ title, icon, keys, run }: Omit<Act, "key"> & { readonly keys: string }) => (
  <button type="button" class="tool" onClick={run}>
    <Icon name={icon} /> <span class="tool-label">{title}</span> <Key keys={keys} />
  </button>
);

interface AskProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: (done: string, change: Change) => void;
}

const manyOf = (count: number): string =>
  `${counted(count)} ${count === 1 ? "memory" : "memories"}`;

const tagsIn = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

function TagDialog({ count, onClose, onDone }: AskProps) {
  const add = useSignal("");
  const remove = useSignal("");
  return (
    <Dialog label="Tag memories" class="small-dialog" onClose={onClose}>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault();
          const [added, removed] = [tagsIn(add.peek()), tagsIn(remove.peek())];
          if (added.length + removed.length === 0) return;
          onDone("Tagged", { add_tags: added, remove_tags: removed });
        }}
      >
        <h2>Tag {manyOf(count)}</h2>
        <label class="field">
          <span>Add, comma-separated</span>
          <input
            class="input"
            autofocus
            value={add.value}
            onInput={(event) => (add.value = event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Remove, comma-separated</span>
          <input
            class="input"
            value={remove.value}
            onInput={(event) => (remove.value = event.currentTarget.value)}
          />
        </label>
        <Actions verb="Apply" onClose={onClose} />
      </form>
    </Dialog>
  );
}

const asItIs = "as it is";

function MoveDialog({ count, onClose, onDone }: AskProps) {
  const category = useSignal("");
  const project = useSignal<string | null | undefined>(undefined);
  return (
    <Dialog label="Move memories" class="small-dialog" onClose={onClose}>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = memoryCategories.find((one) => one === category.peek());
          const to = project.peek();
          if (chosen === undefined && to === undefined) return;
          onDone("Moved", {
            ...(chosen === undefined ? {} : { category: chosen }),
            ...(to === undefined ? {} : { project: to }),
          });
        }}
      >
        <h2>Move {manyOf(count)}</h2>
        <SelectField
          label="Category"
          autofocus
          value={category.value}
          options={{ "": asItIs, ...categoryOptions }}
          onChange={(chosen) => (category.value = chosen)}
        />
        <ProjectSelect
          value={project.value}
          unchanged={asItIs}
          onChange={(chosen) => (project.value = chosen)}
        />
        <Actions verb="Move" onClose={onClose} />
      </form>
    </Dialog>
  );
}

const ForgetDialog = ({
  count,
  onClose,
  onDone,
}: Omit<AskProps, "onDone"> & { onDone: () => void }) => (
  <Dialog label="Forget memories?" class="small-dialog" onClose={onClose}>
    <h2>Forget {manyOf(count)}?</h2>
    <p class="small soft">
      Permanently deletes them and every copy of their texts. You can undo for 6 seconds; closing
      the page before then keeps them.
    </p>
    <div class="form-actions">
      <button type="button" class="button danger" onClick={onDone}>
        Forget {manyOf(count)}
      </button>
      <button type="button" class="button" autofocus onClick={onClose}>
        Cancel
      </button>
    </div>
  </Dialog>
);

const Actions = ({ verb, onClose }: { verb: string; onClose: () => void }) => (
  <div class="form-actions">
    <button type="submit" class="button primary">
      {verb}
    </button>
    <button type="button" class="button" onClick={onClose}>
      Cancel <Key keys="Esc" />
    </button>
  </div>
);

/** How far a change of many is; nothing while none is under way. */
export const Working = () => {
  const now = working.value;
  if (now === null || now.total === 0) return null;
  const { done, total, stop } = now;
  return (
    <div class="bulk-working" role="status">
      <progress value={done} max={total} aria-label="Progress" />
      <span class="num small">
        {counted(done)} of {counted(total)}
      </span>
      <button type="button" class="tool" onClick={stop}>
        Stop
      </button>
    </div>
  );
};
