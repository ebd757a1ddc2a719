/** Takes what is listed along as a file. */
import { useSignal } from "@preact/signals";
import { toast } from "../state/toasts.ts";
import { Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { exported, exportFormats, type ExportFormat, type Take } from "./export-forms.ts";

export function ExportDialog({ take, onClose }: { take: Take; onClose: () => void }) {
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
