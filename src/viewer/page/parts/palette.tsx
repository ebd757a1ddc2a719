/** The command palette: memories by what they say, then screens and projects by name. */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoundJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { hrefOfPlace, panel, places } from "../state/places.ts";
import { projects, wantProjects } from "../state/projects.ts";
import { go, href, memoryHref, projectHref } from "../state/router.ts";
import { CategoryDot, Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Line } from "./text.tsx";

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly category?: FoundJson["category"];
  readonly run: () => void;
}

const memoriesMax = "7";
const restMs = 100;

const choice = (title: string, icon: IconName, run: () => void, keys = ""): Choice => ({
  id: title,
  title,
  icon,
  keys,
  run,
});

const commands = (): readonly Choice[] => [
  ...places.map((place) =>
    choice(place.title, place.icon, () => go(hrefOfPlace(place)), place.keys),
  ),
  choice("Statistics", "settings", () => go(href("settings/statistics"))),
  choice("Setup, import and checks", "settings", () => go(href("settings/setup"))),
  choice("Add a memory", "plus", () => (panel.value = "remember"), "n"),
  ...projects.value.map(({ key, name }) =>
    choice(`Project ${name}`, "folder", () => go(projectHref(key))),
  ),
  choice("Keyboard shortcuts", "settings", () => (panel.value = "help"), "?"),
];

/** Every word that was typed begins a word of the title. Pure. */
function matches(title: string, typed: string): boolean {
  const words = title.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

export function Palette({ onClose }: { onClose: () => void }) {
  const typed = useSignal("");
  const at = useSignal(0);
  const choices = useChoices(typed);
  const run = (chosen: Choice | undefined): void => {
    if (chosen === undefined) return;
    onClose();
    chosen.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const size = choices.peek().length;
    if (step !== 0 && size > 0) at.value = (at.peek() + step + size) % size;
    if (event.key === "Enter") run(choices.peek()[at.peek()]);
    if (step !== 0 || event.key === "Enter") event.preventDefault();
  };
  useEffect(() => {
    document.querySelector(`#choice-${at.value}`)?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  return (
    <Dialog label="Jump to" class="palette" onClose={onClose}>
      <div class="search-field palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Memory, screen or project"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices.value.length === 0 ? undefined : `choice-${at.value}`}
          placeholder="A memory, a screen or a project"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul class="choices" id="choices" role="listbox" aria-label="Choices">
        {choices.value.map((one, index) => (
          <ChoiceRow
            key={one.id}
            one={one}
            index={index}
            isChosen={index === at.value}
            onRun={() => run(one)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface ChoiceRowProps {
  readonly one: Choice;
  readonly index: number;
  readonly isChosen: boolean;
  readonly onRun: () => void;
}

const ChoiceRow = ({ one, index, isChosen, onRun }: ChoiceRowProps) => (
  <li
    id={`choice-${index}`}
    class={isChosen ? "choice current" : "choice"}
    role="option"
    aria-selected={isChosen}
    onClick={onRun}
  >
    {one.category === undefined ? (
      <Icon name={one.icon} />
    ) : (
      <CategoryDot category={one.category} />
    )}
    <span class="row-text">
      <Line text={one.title} />
    </span>
    {one.keys !== undefined && one.keys !== "" && <Key keys={one.keys} />}
  </li>
);

/** What is named so, memories that hold, other commands, then the search itself; without words every command. */
function useChoices(typed: ReadonlySignal<string>): ReadonlySignal<readonly Choice[]> {
  const found = useFound(typed);
  // Projects may come after the palette was opened.
  const all = useComputed(commands);
  useEffect(wantProjects, []);
  return useComputed<readonly Choice[]>(() => {
    const text = typed.value.trim();
    if (text === "") return all.value;
    const toSearch = (): void => go(href("memories", { q: text }));
    const named = all.value.filter(({ title }) => matches(title, text));
    const isFirst = ({ title }: Choice): boolean =>
      title.toLowerCase().startsWith(text.toLowerCase());
    return [
      ...named.filter(isFirst),
      ...found.value,
      ...named.filter((one) => !isFirst(one)),
      choice(`Search for “${text}”`, "search", toSearch),
    ];
  });
}

/** Memories for what was typed, once typing rests. Replaced ones are not among them. */
function useFound(typed: ReadonlySignal<string>): ReadonlySignal<readonly Choice[]> {
  const found = useSignal<readonly Choice[]>([]);
  useEffect(() => {
    const q = typed.value.trim();
    let isLate = false;
    const ask = async (): Promise<void> => {
      const query = { q, limit: memoriesMax, kind: "memory", status: "active" };
      const answer = q.length < 2 ? null : await answerOf(api.search.$get({ query }));
      if (isLate) return;
      const results = answer?.ok === true ? answer.value.results : [];
      found.value = results.map(({ uri, l0, category }) => ({
        id: uri,
        title: l0,
        icon: "memories",
        category,
        run: () => go(memoryHref(uri)),
      }));
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [typed.value]);
  return found;
}
