/** A question before what cannot be taken back: Cancel has the focus. */
import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly label: string;
  readonly title: string;
  /** What the button says. */
  readonly verb: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export const Confirm = ({ label, title, verb, onDone, onClose, children }: ConfirmProps) => (
  <Dialog label={label} class="small-dialog" onClose={onClose}>
    <h2>{title}</h2>
    {children}
    <div class="form-actions">
      <button
        type="button"
        class="button danger"
        onClick={() => {
          onClose();
          onDone();
        }}
      >
        {verb}
      </button>
      <button type="button" class="button" autofocus onClick={onClose}>
        Cancel
      </button>
    </div>
  </Dialog>
);
