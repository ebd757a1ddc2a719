/** Editing a memory in place: Ctrl-Enter saves, Escape leaves it as it was. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { editing, present, saveEdit } from "../state/actions.ts";
import { draftOf, dropDraft, keepDraft } from "../state/overlay.ts";
import { toast } from "../state/toasts.ts";
import { Alert, Button, Key } from "./basics.tsx";
import {
  editOf,
  fieldsOf,
  rebased,
  type Edit,
  type Editable,
  type EditFields,
} from "./edit-fields.ts";
import { ProjectSelect, SelectField } from "./fields.tsx";
import { categoryOptions } from "./format.ts";

interface EditFormProps {
  readonly memory: Editable;
  readonly onDone: () => void;
  /** Word on the button; default "Save". */
  readonly verb?: string;
  /** Saves the edit; resolves to what went wrong, or null. Default: a revision of the memory. */
  readonly save?: (edit: Omit<Edit, "pinned">) => Promise<string | null>;
}

export function EditForm({ memory, onDone, verb = "Save", save }: EditFormProps) {
  const { fields, before, set, saveHere } = useEdit(memory);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const first = useRef<HTMLTextAreaElement>(null);
  // A draft that somebody comes by on the way takes no focus: keys go on to the next row.
  useLayoutEffect(() => {
    if (editing.peek() === memory.uri) first.current?.focus();
  }, []);
  const close = (): void => {
    dropDraft(memory.uri);
    onDone();
  };
  const cancel = (): void => {
    offerBack(memory.uri);
    close();
  };
  const submit = async (): Promise<void> => {
    const edit = editOf(before.current, fields.peek());
    if (Object.keys(edit).length === 0 && save === undefined) return close();
    isBusy.value = true;
    failure.value = await (save ?? saveHere)(edit);
    isBusy.value = false;
    if (failure.value === null) close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      // Stops here: whatever else Escape does would leave the page.
      event.stopPropagation();
      cancel();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
  };
  return (
    <form
      class="edit stack"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Fields fields={fields.value} first={first} onChange={set} />
      <Alert text={failure.value} />
      <div class="form-actions line wrap">
        <Button type="submit" class="primary" disabled={isBusy.value}>
          {verb} <Key keys="Ctrl ↵" />
        </Button>
        <Button onClick={cancel}>
          Cancel <Key keys="Esc" />
        </Button>
      </div>
    </form>
  );
}

/** An edit that is discarded can be taken up again. */
function offerBack(uri: string): void {
  const draft = draftOf(uri);
  if (draft === undefined || isSame(draft.before, draft.fields)) return;
  toast("Edit discarded", {
    undo: () => {
      keepDraft(uri, draft);
      editing.value = uri;
    },
  });
}

/**
 * `useEdit` keeps the fields being written, and saves them on top of what they were read from. When
 * somebody else was faster, what they changed elsewhere is taken over; about what both changed the
 * writer is asked, and saving again means theirs is replaced.
 */
function useEdit(memory: Editable) {
  const draft = draftOf(memory.uri);
  const before = useRef(draft?.before ?? fieldsOf(memory));
  const revision = useRef(draft === undefined ? (memory.revision ?? null) : draft.revision);
  const fields = useSignal(draft?.fields ?? before.current);
  const saveHere = async (edit: Omit<Edit, "pinned">): Promise<string | null> => {
    const failed = await saveEdit(memory.uri, edit, revision.current);
    if (failed?.type !== "memory.changed") return failed?.message ?? null;
    const now = await present(memory.uri);
    if (now === null) return failed.message;
    const theirs = fieldsOf(now);
    const { fields: merged, clashes } = rebased(before.current, fields.peek(), theirs);
    before.current = theirs;
    revision.current = now.revision;
    fields.value = merged;
    keepDraft(memory.uri, { before: theirs, fields: merged, revision: now.revision });
    return clashes.length > 0 ? clash(theirs, clashes) : saveHere(editOf(theirs, merged));
  };
  const set = (change: Partial<EditFields>): void => {
    fields.value = { ...fields.peek(), ...change };
    keepDraft(memory.uri, {
      before: before.current,
      fields: fields.peek(),
      revision: revision.current,
    });
  };
  return { fields, before, set, saveHere };
}

const isSame = (a: EditFields, b: EditFields): boolean => Object.keys(editOf(a, b)).length === 0;

const titles: Readonly<Record<keyof EditFields, string>> = {
  l0: "Summary",
  l1: "Details",
  l2: "Full text",
  tags: "Tags",
  importance: "Importance",
  category: "Category",
  project: "Project",
};
const quoteCharsMax = 300;

const clash = (theirs: EditFields, names: readonly (keyof EditFields)[]): string => {
  const said = names.map((name) => {
    const text = `${theirs[name]}`.slice(0, quoteCharsMax).toWellFormed();
    return `${titles[name]}: “${text}”`;
  });
  return `Changed elsewhere: ${said.join(" · ")}. Save again to replace it with yours, or press Escape to keep it.`;
};

interface FieldsProps {
  readonly fields: EditFields;
  readonly first: { current: HTMLTextAreaElement | null };
  readonly onChange: (change: Partial<EditFields>) => void;
}

const importances = { 1: "1", 2: "2", 3: "3", 4: "4", 5: "5" };

const Fields = ({ fields, first, onChange }: FieldsProps) => (
  <>
    {(["l0", "l1", "l2"] as const).map((tier) => (
      <label key={tier} class="field">
        <span>{titles[tier]}</span>
        <textarea
          class="input"
          dir="auto"
          rows={tier === "l0" ? 3 : 1}
          value={fields[tier]}
          {...(tier === "l0" ? { ref: first } : {})}
          onInput={(event) => onChange({ [tier]: event.currentTarget.value })}
        />
      </label>
    ))}
    <div class="line wrap">
      <label class="field grow">
        <span>Tags, comma-separated</span>
        <input
          class="input"
          value={fields.tags}
          onInput={(event) => onChange({ tags: event.currentTarget.value })}
        />
      </label>
      <SelectField
        label="Importance"
        value={`${fields.importance}`}
        options={importances}
        onChange={(importance) => onChange({ importance: Number(importance) })}
      />
    </div>
    <div class="line wrap">
      <SelectField
        label="Category"
        value={fields.category}
        options={categoryOptions}
        onChange={(category) => onChange({ category })}
      />
      <ProjectSelect value={fields.project} onChange={(project) => onChange({ project })} />
    </div>
  </>
);
