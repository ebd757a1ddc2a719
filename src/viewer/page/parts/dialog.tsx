/** A dialog of the browser's own: it holds the focus, closes on Escape and gives the focus back. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ label, class: look = "", onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  // Before the next key: whoever types on at once types into the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    // The browser scrolls to what has the focus; a dialog that is longer than the screen begins at its top.
    dialog?.scrollTo(0, 0);
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${look}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The dialog itself is hit only beside its content.
        if (event.target === box.current) onClose();
      }}
    >
      <div class="dialog-body stack">{children}</div>
    </dialog>
  );
}
