/** The command palette: memories by what they say, then screens and projects by name. */
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoundJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import { hrefOfPlace, panel, places } from "../state/places.ts";
import { projects, wantProjects } from "../state/projects.ts";
import { go, href, memoryHref, projectHref } from "../state/router.ts";
import { CategoryDot } from "./badges.tsx";
import { Key } from "./basics.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Line } from "./text.tsx";

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys?: string;
  /** Category of a memory; absent for other entries. */
  readonly category?: FoundJson["category"];
  readonly run: () => void;
}

const memoriesMax = "7";
const restMs = 100;

const command = (title: string, icon: IconName, run: () => void, keys = ""): Choice => ({
  id: title,
  title,
  icon,
  keys,
  run,
});

const commands = (): readonly Choice[] => [
  ...places.map((place) =>
    command(place.title, place.icon, () => go(hrefOfPlace(place)), place.keys),
  ),
  command("Statistics", "settings", () => go(href("settings/statistics"))),
  command("Setup, import and checks", "settings", () => go(href("settings/setup"))),
  command("Add a memory", "plus", () => (panel.value = "remember"), "n"),
  ...projects.value.map(({ key, name }) =>
    command(`Project ${name}`, "folder", () => go(projectHref(key))),
  ),
  command("Keyboard shortcuts", "help", () => (panel.value = "help"), "?"),
];

/** Every word that was typed begins a word of the title. Pure. */
function matches(title: string, typed: string): boolean {
  const words = title.toLowerCase().split(/\s+/);
  return typed.split(/\s+/).every((part) => words.some((word) => word.startsWith(part)));
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
    const size = choices.length;
    if (step !== 0 && size > 0) at.value = (at.peek() + step + size) % size;
    if (event.key === "Enter") run(choices[at.peek()]);
    if (step !== 0 || event.key === "Enter") event.preventDefault();
  };
  useEffect(() => {
    document.querySelector(`#choice-${at.value}`)?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  return (
    <Dialog label="Jump to" class="palette" onClose={onClose}>
      <div class="search-field line">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Memory, screen or project"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices.length === 0 ? undefined : `choice-${at.value}`}
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
        {choices.map((one, index) => (
          <li
            key={one.id}
            id={`choice-${index}`}
            class={index === at.value ? "choice line current" : "choice line"}
            role="option"
            aria-selected={index === at.value}
            onClick={() => run(one)}
          >
            <ChoiceText one={one} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const ChoiceText = ({ one: { icon, title, keys = "", category } }: { one: Choice }) => (
  <>
    {category === undefined ? <Icon name={icon} /> : <CategoryDot category={category} />}
    <Line text={title} look="row-text" />
    {keys !== "" && <Key keys={keys} />}
  </>
);

/**
 * `useChoices` lists pages of that name, memories that hold, other commands, then the search
 * itself; without words every command.
 */
function useChoices(typed: ReadonlySignal<string>): readonly Choice[] {
  const found = useFound(typed);
  // Projects may come after the palette was opened.
  const all = useComputed(commands).value;
  useEffect(wantProjects, []);
  const text = typed.value.trim();
  if (text === "") return all;
  const lower = text.toLowerCase();
  const named = all.filter(({ title }) => matches(title, lower));
  const isFirst = ({ title }: Choice): boolean => title.toLowerCase().startsWith(lower);
  return [
    ...named.filter(isFirst),
    ...found,
    ...named.filter((one) => !isFirst(one)),
    command(`Search for “${text}”`, "search", () => go(href("memories", { q: text }))),
  ];
}

/** Memories for what was typed, once typing rests. Replaced ones are not among them. */
function useFound(typed: ReadonlySignal<string>): readonly Choice[] {
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
  return found.value;
}
