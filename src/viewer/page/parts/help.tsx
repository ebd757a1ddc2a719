/** Every key there is. */
import { Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";

const help = [
  {
    title: "Anywhere",
    keys: [
      ["g p", "prompts"],
      ["g m", "memories"],
      ["g s", "sessions"],
      ["g o", "projects"],
      ["g r", "review"],
      ["g ,", "settings"],
      ["/", "search"],
      ["Ctrl K", "command palette"],
      ["n", "add a memory"],
      ["u", "undo"],
      ["t", "theme"],
    ],
  },
  {
    title: "Lists",
    keys: [
      ["j k", "down, up"],
      ["↵", "open"],
      ["g g", "first"],
      ["G", "last"],
      ["x", "select"],
      ["J K", "select down, up"],
      ["*", "select all that match"],
      ["Esc", "back"],
    ],
  },
  {
    title: "Prompts",
    keys: [
      ["[ ]", "day before, day after"],
      ["1 – 9", "go to a line that was sent"],
      ["w", "this was wrong"],
      ["m", "something was missing"],
    ],
  },
  {
    title: "Selected memory or line",
    keys: [
      ["e", "correct"],
      ["p", "pin"],
      ["#", "forget"],
      ["1 – 4", "text, source, history, sent to Claude"],
      ["a r", "accept, reject (review)"],
    ],
  },
  {
    title: "All that are selected",
    keys: [
      ["#", "forget"],
      ["a r", "accept, reject (review)"],
      ["Esc", "clear"],
    ],
  },
] as const;

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog label="Keyboard shortcuts" class="help-dialog" onClose={onClose}>
    <h2>Keyboard shortcuts</h2>
    <div class="help-grid">
      {help.map(({ title, keys }) => (
        <section key={title}>
          <h3 class="faint">{title}</h3>
          <dl>
            {keys.map(([key, meaning]) => (
              <div key={key} class="help-line">
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
    <div class="form-actions">
      <button type="button" class="button" onClick={onClose}>
        Close <Key keys="Esc" />
      </button>
    </div>
  </Dialog>
);
