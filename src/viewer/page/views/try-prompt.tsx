/** The field for a prompt to try, above all prompts. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { adjust, route } from "../state/router.ts";
import { Icon } from "../parts/icons.tsx";

/** Stays while one looks at a memory and comes back. */
export const tried = signal("");

export function TryField() {
  const field = useRef<HTMLTextAreaElement>(null);
  const brought = route.value.query.get("try");
  // A link may bring the words along.
  useEffect(() => {
    if (brought === null) return;
    tried.value = brought.trim();
    field.current?.focus();
    adjust({ try: null });
  }, [brought]);
  return (
    <label class="search-field try-field">
      <Icon name="eye" />
      <span class="unseen">Try a prompt</span>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        placeholder="Try a prompt"
        title="What Claude would be sent with it; nothing is recorded"
        value={tried.value}
        onInput={(event) => (tried.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          tried.value = "";
          event.currentTarget.blur();
        }}
      />
      {tried.value !== "" && (
        <button type="button" class="tool" onClick={() => (tried.value = "")}>
          <Icon name="cross" />
          <span class="unseen">Clear</span>
        </button>
      )}
    </label>
  );
}
