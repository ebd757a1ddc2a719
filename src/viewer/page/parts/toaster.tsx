/** Notices at the edge of the page. */
import { toasts } from "../state/toasts.ts";
import { Key } from "./badges.tsx";
import { Line } from "./text.tsx";

export const Toaster = () => (
  <div class="toaster" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, tone, undo, to }, at) => (
      <div key={id} class={tone === "bad" ? "toast bad" : "toast"}>
        <span class="grow">
          <Line text={text} />
        </span>
        {to !== null && (
          <a class="button toast-undo" href={to}>
            Open
          </a>
        )}
        {undo !== null && (
          <button
            type="button"
            class="button toast-undo"
            onClick={() => {
              toasts.value = toasts.peek().filter((one) => one.id !== id);
              undo();
            }}
          >
            Undo {at === toasts.value.length - 1 && <Key keys="u" />}
          </button>
        )}
      </div>
    ))}
  </div>
);
