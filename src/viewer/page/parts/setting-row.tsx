/** One setting: what it does, what it is, where that comes from, and a field to change it. */
import { useSignal } from "@preact/signals";
import type { ConfigItemJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { toast } from "../state/toasts.ts";

interface SettingRowProps {
  readonly item: ConfigItemJson;
  readonly onSaved: () => void;
}

/** TOML writes text in quotes; people do not. */
const asTyped = (value: string): string =>
  /^".*"$/s.test(value)
    ? value.slice(1, -1)
    : value.replace(/^\[(.*)\]$/s, "$1").replaceAll('"', "");

export function SettingRow({ item, onSaved }: SettingRowProps) {
  const failure = useSignal<string | null>(null);
  const save = async (value: string, before: string | null): Promise<void> => {
    const answer = await answerOf(api.config.$patch({ json: { key: item.key, value } }));
    failure.value = answer.ok ? null : answer.failure.message;
    if (!answer.ok) return;
    onSaved();
    const undo = before === null ? null : (): void => void save(before, null);
    toast(`${item.key} = ${value}`, { undo });
  };
  const isDefault = item.source === "default";
  // A change would go to the file, where the variable hides it: that would look as if it were refused.
  const isFixed = item.source === item.variable;
  return (
    <div class="setting">
      <div class="setting-text">
        <span class="setting-name mono">{item.key}</span>
        <span class="small soft">{item.effect}</span>
        <span class="tiny faint">
          {isDefault ? "default" : `from ${item.source}, default ${asTyped(item.default)}`}
          {" · "}
          {item.expected}
        </span>
        {failure.value !== null && (
          <span class="small bad-text" role="alert">
            {failure.value}
          </span>
        )}
      </div>
      {item.editable && !isFixed ? (
        <Field item={item} onSave={(value) => void save(value, asTyped(item.value))} />
      ) : (
        <span
          class="setting-fixed mono small"
          title={
            isFixed
              ? `Set by ${item.source}; overrides the file`
              : "Read-only here; change it in the file or on the command line"
          }
        >
          {asTyped(item.value) || "–"}
        </span>
      )}
    </div>
  );
}

function Field({ item, onSave }: { item: ConfigItemJson; onSave: (value: string) => void }) {
  const value = asTyped(item.value);
  if (item.choices !== null && item.choices.length > 0)
    return (
      <select
        class="input setting-field"
        aria-label={item.key}
        value={value}
        onChange={(event) => onSave(event.currentTarget.value)}
      >
        {item.choices.map((choice) => (
          <option key={choice} value={asTyped(choice)}>
            {asTyped(choice)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      key={value}
      class="input setting-field"
      aria-label={item.key}
      defaultValue={value}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") {
          event.currentTarget.value = value;
          event.currentTarget.blur();
        }
      }}
      onBlur={(event) => {
        if (event.currentTarget.value !== value) onSave(event.currentTarget.value);
      }}
    />
  );
}
