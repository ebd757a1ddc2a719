/** Tabs as assistive technology knows them: arrows move, one stop in the tab order. */
import { useSignal, useSignalEffect, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { adjust, route } from "../state/router.ts";

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
          {count > 0 && <span class="tab-count tiny num">{count}</span>}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  readonly current: Signal<string>;
  readonly children: ComponentChildren;
}

export const TabPanel = ({ current: { value }, children }: PanelProps) => (
  <div class="stack" role="tabpanel" id={`panel-${value}`} aria-labelledby={`tab-${value}`}>
    {children}
  </div>
);

/**
 * The tab in sight, the first one where nothing else is said. A page keeps it in its address: one that is loaded again
 * is where it was. Beside a list (not `isKept`) the address is the list's.
 */
export function useTab<Name extends string>(
  names: readonly [Name, ...Name[]],
  isKept = true,
): Signal<Name> {
  const [first] = names;
  const asked = isKept ? route.value.query.get("tab") : null;
  const wanted = names.find((one) => one === asked) ?? first;
  const tab = useSignal<Name>(wanted);
  // Another address of the same page.
  useLayoutEffect(() => {
    if (isKept) tab.value = wanted;
  }, [wanted]);
  useSignalEffect(() => {
    const name = tab.value;
    if (isKept) adjust({ tab: name === first ? null : name });
  });
  return tab;
}
