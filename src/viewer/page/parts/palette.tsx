/** The command palette: every place and action by name, and memories by what they say. */
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FoundJson } from "#api";
import { doomed, subject, togglePin } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { startEdit } from "../state/commands.ts";
import { panel } from "../state/panels.ts";
import { hrefOfPlace, places } from "../state/places.ts";
import { go, href, memoryHref } from "../state/router.ts";
import { nextTheme } from "../state/theme.ts";
import { undoLatest } from "../state/toasts.ts";
import { CategoryDot, Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Line } from "./text.tsx";

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly run: () => void;
}

const memoriesMax = "7";
const restMs = 100;

function commands(): readonly Choice[] {
  const memory = subject.peek();
  const about = (title: string, icon: IconName, keys: string, run: () => void): Choice => ({
    id: title,
    title,
    icon,
    keys,
    run,
  });
  return [
    ...(memory === null
      ? []
      : [
          about("Edit selected memory", "edit", "e", () => startEdit(memory)),
          about(
            memory.pinned ? "Unpin selected memory" : "Pin selected memory",
            "pin",
            "p",
            () => void togglePin(memory),
          ),
          about("Forget selected memory", "trash", "#", () => (doomed.value = memory)),
        ]),
    ...places.map((place) =>
      about(`Go to ${place.title}`, place.icon, place.keys, () => go(hrefOfPlace(place))),
    ),
    about("Never used memories", "memories", "", () => go(href("memories", { list: "never" }))),
    about("Add a memory", "plus", "n", () => (panel.value = "remember")),
    about("Undo", "undo", "u", () => void undoLatest()),
    about("Switch theme", "moon", "t", nextTheme),
    about("Keyboard shortcuts", "settings", "?", () => (panel.value = "help")),
  ];
}

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
  const found = useFound(typed);
  const choices = useChoices(typed, found);
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
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
    <Dialog label="Command palette" class="palette" onClose={onClose}>
      <div class="search-field palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Command or memory"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices.value.length === 0 ? undefined : `choice-${at.value}`}
          placeholder="Type a command or search"
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
        {choices.value.map((choice, index) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            index={index}
            isChosen={index === at.value}
            category={found.value.find(({ uri }) => uri === choice.id)?.category}
            onRun={() => run(choice)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

type FoundMemory = Pick<FoundJson, "uri" | "l0" | "category">;

/** Commands by name, then memories by what they say, then the search itself. */
function useChoices(
  typed: ReadonlySignal<string>,
  found: ReadonlySignal<readonly FoundMemory[]>,
): ReadonlySignal<readonly Choice[]> {
  const all = useRef(commands());
  return useComputed<readonly Choice[]>(() => {
    const text = typed.value.trim();
    const named = all.current.filter(({ title }) => matches(title, text));
    const ask: Choice = {
      id: "ask",
      title: `Search for “${text}”`,
      icon: "search",
      keys: "",
      run: () => go(href("search", { q: text })),
    };
    const memories = found.value.map(({ uri, l0 }): Choice => ({
      id: uri,
      title: l0,
      icon: "memories",
      keys: "",
      run: () => go(memoryHref(uri)),
    }));
    return text === "" ? named : [...named, ...memories, ask];
  });
}

interface ChoiceRowProps {
  readonly choice: Choice;
  readonly index: number;
  readonly isChosen: boolean;
  readonly category: FoundJson["category"] | undefined;
  readonly onRun: () => void;
}

const ChoiceRow = ({ choice, index, isChosen, category, onRun }: ChoiceRowProps) => (
  <li
    id={`choice-${index}`}
    class={isChosen ? "choice current" : "choice"}
    role="option"
    aria-selected={isChosen}
    onClick={onRun}
  >
    {category === undefined ? <Icon name={choice.icon} /> : <CategoryDot category={category} />}
    <span class="row-text">
      <Line text={choice.title} />
    </span>
    {choice.keys !== "" && <Key keys={choice.keys} />}
  </li>
);

/** Memories for what was typed, once typing rests. */
function useFound(typed: { readonly value: string }) {
  const found = useSignal<readonly FoundMemory[]>([]);
  useEffect(() => {
    const q = typed.value.trim();
    let isLate = false;
    const ask = async (): Promise<void> => {
      const query = { q, limit: memoriesMax, kind: "memory" };
      const answer = q.length < 2 ? null : await answerOf(api.search.$get({ query }));
      if (!isLate) found.value = answer?.ok === true ? answer.value.results : [];
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [typed.value]);
  return found;
}
