/** What can be done with a list as a whole: keep it under a name, and take it along as a file. */
import { useSignal } from "@preact/signals";
import { panel } from "../state/panels.ts";
import { href, pathOf, route } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { savedViews, saveView } from "../state/views.ts";
import { Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { useKeys } from "../state/keys.ts";
import type { Take } from "./export-forms.ts";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import { Line } from "./text.tsx";

const ExportDialog = later(async () => (await import("./export-dialog.tsx")).ExportDialog);

/** `take` null: there is nothing to take along. */
export function ResultTools({ take }: { take: Take | null }) {
  const isExporting = useSignal(false);
  useKeys({ s: () => (panel.value = "views") });
  return (
    <span class="result-tools">
      <button
        type="button"
        class="tool"
        title="Saved views (s)"
        onClick={() => (panel.value = "views")}
      >
        <Icon name="flag" /> <span class="tool-label">Views</span>
      </button>
      <button
        type="button"
        class="tool"
        title="Export what is listed"
        disabled={take === null}
        onClick={() => (isExporting.value = true)}
      >
        <Icon name="inject" /> <span class="tool-label">Export</span>
      </button>
      {isExporting.value && take !== null && (
        <ExportDialog take={take} onClose={() => (isExporting.value = false)} />
      )}
    </span>
  );
}

/** The present address, with the project that it is about. */
function addressHere(): string {
  const { view, rest, query } = route.peek();
  return href(pathOf(view, rest), { ...Object.fromEntries(query), project: projectHere() });
}

/** The views that are kept, and a name for the present one. */
export function SavedViews({ onClose }: { onClose: () => void }) {
  const name = useSignal("");
  return (
    <Dialog label="Saved views" class="small-dialog" onClose={onClose}>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = name.peek().trim();
          if (wanted !== "") void saveView(wanted, addressHere()).then(onClose);
        }}
      >
        <h2>Saved views</h2>
        {savedViews.value.length > 0 && (
          <ul class="link-list">
            {savedViews.value.map(({ name: title, address }) => (
              <li key={title} class="view-line">
                <a class="row compact grow" href={address} onClick={onClose}>
                  <Line text={title} />
                </a>
                <button
                  type="button"
                  class="tool"
                  title="Remove"
                  onClick={() => void saveView(title, null)}
                >
                  <Icon name="trash" />
                  <span class="unseen">Remove {title}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <label class="field">
          <span>Name for what you see now, with its filters</span>
          <input
            class="input"
            autofocus
            maxLength={80}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </label>
        <div class="form-actions">
          <button type="submit" class="button primary">
            Save
          </button>
          <button type="button" class="button" onClick={onClose}>
            Close <Key keys="Esc" />
          </button>
        </div>
      </form>
    </Dialog>
  );
}
