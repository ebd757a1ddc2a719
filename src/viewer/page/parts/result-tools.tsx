/** What can be done with a list as a whole: keep it under a name, and take it along as a file. */
import { useSignal } from "@preact/signals";
import { panel } from "../state/panels.ts";
import { href, route } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { toast } from "../state/toasts.ts";
import { savedViews, saveView } from "../state/views.ts";
import { Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { useKeys } from "../state/keys.ts";
import { exported, exportFormats, type ExportFormat, type Exported } from "./export-forms.ts";
import { Icon } from "./icons.tsx";
import { Line } from "./text.tsx";

/** All of a list; null where it could not be had. */
type Take = () => Promise<readonly Exported[] | null>;

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

function ExportDialog({ take, onClose }: { take: Take; onClose: () => void }) {
  const isBusy = useSignal(false);
  const save = async (format: ExportFormat): Promise<void> => {
    isBusy.value = true;
    const items = await take();
    if (items === null) toast("Could not export: the daemon does not answer.", { tone: "bad" });
    else download(`memories.${format}`, exportFormats[format].type, exported(items, format));
    onClose();
  };
  return (
    <Dialog label="Export" class="small-dialog" onClose={onClose}>
      <h2>Export what is listed</h2>
      <p class="small soft">
        One file with the text, place, category, project, state and time of each memory.
        <code> continuity export</code> takes everything that is stored.
      </p>
      <div class="form-actions">
        {(Object.keys(exportFormats) as ExportFormat[]).map((format) => (
          <button
            key={format}
            type="button"
            class="button"
            disabled={isBusy.value}
            onClick={() => void save(format)}
          >
            {exportFormats[format].title}
          </button>
        ))}
        <button type="button" class="button" onClick={onClose}>
          Cancel <Key keys="Esc" />
        </button>
      </div>
    </Dialog>
  );
}

function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The present address, with the project that it is about. */
function addressHere(): string {
  const { view, rest, query } = route.peek();
  const path = rest === "" ? view : `${view}/${encodeURIComponent(rest)}`;
  return href(path, { ...Object.fromEntries(query), project: projectHere() });
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
