/** The field above the memories: what is typed in it is searched for as one types. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useKeys } from "../state/keys.ts";
import { adjust, route } from "../state/router.ts";
import { Icon } from "../parts/icons.tsx";
import { Key } from "../parts/badges.tsx";

/** Typing rests this long before it is asked. */
const restMs = 60;

export function SearchField({ isBusy }: { isBusy: boolean }) {
  const { query } = route.value;
  const text = query.get("q") ?? "";
  const isWanted = query.has("find");
  const field = useRef<HTMLInputElement>(null);
  const draft = useSignal(text);
  const sent = useRef(text);
  const send = (): void => {
    sent.current = draft.peek().trim();
    adjust({ q: sent.current || null });
  };
  const enter = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useLayoutEffect(() => {
    if (!isWanted) return;
    enter();
    adjust({ find: null });
  }, [isWanted]);
  useEffect(() => {
    const timer = setTimeout(send, restMs);
    return () => clearTimeout(timer);
  }, [draft.value]);
  // Words that came from elsewhere (the palette, a link, going back) stand in the field too.
  useLayoutEffect(() => {
    if (text !== sent.current) draft.value = sent.current = text;
  }, [text]);
  useKeys({ "/": enter });
  const onKeyDown = (event: KeyboardEvent): void => {
    // From the field straight into the results, so that `j` and `k` work.
    if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "Escape") {
      event.preventDefault();
      if (event.key === "Enter") send();
      field.current?.blur();
    }
  };
  return (
    <div class="search-field" role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label="Search memories"
        placeholder="Search by words or a question"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy ? <span class="spinner" role="status" aria-label="Searching" /> : <Key keys="/" />}
    </div>
  );
}
