/** Tabs as assistive technology knows them: arrows move, one stop in the tab order. */
import type { Signal } from "@preact/signals";

interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly count?: number;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly current: Signal<Name>;
  readonly tabs: readonly Tab<Name>[];
}

export function Tabs<Name extends string>({ label, current, tabs }: TabsProps<Name>) {
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex(({ name }) => name === current.peek());
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    current.value = next.name;
    document.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, count = 0 }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          class="tab"
          aria-selected={current.value === name}
          aria-controls={current.value === name ? `panel-${name}` : undefined}
          tabIndex={current.value === name ? 0 : -1}
          onClick={() => (current.value = name)}
        >
          {title}
          {count > 0 && <span class="tab-count num">{count}</span>}
        </button>
      ))}
    </div>
  );
}
