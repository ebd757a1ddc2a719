/**
 * One keyboard for the whole page. Views and lists bring their own keys while they are shown; the one that came last
 * wins. Nothing is taken from whoever types into a field, and nothing while a dialog is open but what the dialog
 * brings.
 */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Key names as the browser gives them (`j`, `Enter`, `ArrowDown`, `#`), two in a row (`g m`), or `Shift+ArrowDown`. */
export type Keymap = Readonly<Record<string, () => void>>;

interface Layer {
  keymap: Keymap;
}

const layers: Layer[] = [];
/** A second key of a pair must come within this. */
const pairMs = 1_000;
let pending: { readonly key: string; readonly atMs: number } | null = null;

/** Brings keys while the component is shown. */
export function useKeys(keymap: Keymap): void {
  const layer = useRef<Layer>({ keymap });
  layer.current.keymap = keymap;
  // With the frame that shows the component: a key must never act on what is no longer in sight.
  useLayoutEffect(() => {
    const mine = layer.current;
    layers.push(mine);
    return () => void layers.splice(layers.indexOf(mine), 1);
  }, []);
}

/** Starts listening. Called once. `palette` is what Ctrl-K and Cmd-K do, everywhere. */
export function startKeys(palette: () => void): void {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      palette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target, event.key) || document.querySelector("dialog[open]") !== null)
      return;
    if (press(nameOf(event), event.timeStamp, event.target)) event.preventDefault();
  });
}

const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;

function press(key: string, atMs: number, target: EventTarget | null): boolean {
  if ((key === "Enter" || key === " ") && isOwnPress(target)) return false;
  const first = pending !== null && atMs - pending.atMs < pairMs ? `${pending.key} ` : "";
  pending = null;
  const action = find(`${first}${key}`) ?? find(key) ?? find(key.replace("Shift+", ""));
  if (action !== undefined) {
    action();
    return true;
  }
  if (layers.some(({ keymap }) => Object.keys(keymap).some((name) => name.startsWith(`${key} `))))
    pending = { key, atMs };
  return false;
}

const pressable = "a[href], button, summary, [role=button], [role=tab]";

/** Enter and space belong to what has the focus; a row of a list leaves them to the list. */
const isOwnPress = (target: EventTarget | null): boolean => {
  const pressed = target instanceof Element ? target.closest(pressable) : null;
  return pressed !== null && !pressed.matches(".virtual-row .row, .virtual-row .review-main");
};

const find = (name: string): (() => void) | undefined =>
  layers.findLast(({ keymap }) => Object.hasOwn(keymap, name))?.keymap[name];

/** One of several choices takes arrows and space, and no letters. */
const isTyping = (target: EventTarget | null, key: string): boolean =>
  target instanceof HTMLElement &&
  !(target.matches("[type=radio]") && /^[^ ]$/u.test(key)) &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
