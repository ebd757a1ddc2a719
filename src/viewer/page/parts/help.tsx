/** Every key there is. */
import { places } from "../state/places.ts";
import { Button, Key } from "./basics.tsx";
import { Dialog } from "./dialog.tsx";

/** Lines of a key and what it does. */
const help = {
  Anywhere: [
    ...places.map(({ keys, title }): readonly [string, string] => [keys, title.toLowerCase()]),
    ["/", "search"],
    ["Ctrl K", "command palette"],
    ["n", "add a memory"],
    ["u", "undo"],
    ["t", "theme"],
  ],
  Lists: [
    ["j k", "down, up"],
    ["↵", "open"],
    ["g g", "first"],
    ["G", "last"],
    ["Esc", "back"],
  ],
  Prompts: [
    ["[ ]", "day before, day after"],
    ["l", "what the day learned"],
    ["1 – 9", "go to a line that was sent"],
    ["w", "this was wrong"],
    ["m", "something was missing"],
  ],
  "Selected memory or line": [
    ["e", "correct"],
    ["p", "pin"],
    ["#", "forget"],
    ["1 – 4", "text, source, history, sent to Claude"],
    ["a r", "accept, reject (review)"],
  ],
} as const;

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog label="Keyboard shortcuts" class="help-dialog" onClose={onClose}>
    <h2>Keyboard shortcuts</h2>
    <div class="help-grid">
      {Object.entries(help).map(([title, keys]) => (
        <section key={title}>
          <h3 class="faint">{title}</h3>
          <dl>
            {keys.map(([key, meaning]) => (
              <div key={key} class="help-line line small">
                <dt>
                  <Key keys={key} />
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <div>
      <Button onClick={onClose}>
        Close <Key keys="Esc" />
      </Button>
    </div>
  </Dialog>
);
