/** Settings as they are and why, changed in place; and how the daemon does. */
import { useSignal } from "@preact/signals";
import type { ConfigItemJson, ConfigJson, PauseJson, StatusJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { useResource } from "../state/resource.ts";
import { href, pathOf, route } from "../state/router.ts";
import { toast } from "../state/toasts.ts";
import { Failed, Waiting } from "../parts/basics.tsx";
import { bytes, count, fullTime, span } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Fact } from "../parts/memory-head.tsx";
import { SetupParts } from "./setup.tsx";
import { Statistics } from "./statistics.tsx";

const pages = [
  { name: "", title: "Settings" },
  { name: "statistics", title: "Statistics" },
  { name: "setup", title: "Setup" },
] as const;

export function Settings() {
  const page = pages.find(({ name }) => name === route.value.rest)?.name ?? "";
  return (
    <>
      <Top title="Settings">
        <nav class="pages" aria-label="Pages of settings">
          {pages.map(({ name, title }) => (
            <a
              key={name}
              class="tab"
              href={href(pathOf("settings", name))}
              aria-current={name === page ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
      </Top>
      <div class="scroll page-scroll">
        {page === "statistics" ? <Statistics /> : page === "setup" ? <SetupParts /> : <All />}
      </div>
    </>
  );
}

/** Every setting, and how the daemon does. */
function All() {
  const config = useResource("config", () => answerOf(api.config.$get({})));
  const status = useResource("status", () => answerOf(api.status.$get({})));
  const { value, failure } = config.state.value;
  return (
    <div class="memory whole settings">
      {status.state.value.value !== null && (
        <Daemon status={status.state.value.value} reload={status.reload} />
      )}
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={config.reload} />
      ) : value === null ? (
        <Waiting />
      ) : (
        <Sections config={value} reload={config.reload} />
      )}
    </div>
  );
}

/** Spans a person may want to be left alone for. Milliseconds; null = until resumed. */
const pauses = [
  { title: "Pause for an hour", ms: 3_600_000 },
  { title: "Pause until I resume", ms: null },
] as const;

function Daemon({ status, reload }: { status: StatusJson; reload: () => void }) {
  const { daemon, database, pause, spool, warnings, model } = status;
  return (
    <section class="setting-group">
      <h2>Daemon</h2>
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <dl class="facts">
        <Fact name="Version">{status.version}</Fact>
        {daemon !== null && <Fact name="Uptime">{span(daemon.uptime_ms)}</Fact>}
        {daemon !== null && <Fact name="Peak memory">{bytes(daemon.peak_memory_bytes)}</Fact>}
        <Fact name="Database">{bytes(database.bytes)}</Fact>
        <Fact name="Home">
          <span class="mono">{status.home}</span>
        </Fact>
        <Fact name="Model">
          {model.provider === "none" ? "none (local rules)" : model.provider}
        </Fact>
        {model.backfill !== null && (
          <Fact name="Imported sessions read">
            {count(model.backfill.total - model.backfill.left)} of {count(model.backfill.total)}
          </Fact>
        )}
        <Fact name="Queued events">{count(spool.files)}</Fact>
      </dl>
      <Pause pause={pause} reload={reload} />
    </section>
  );
}

function Pause({ pause, reload }: { pause: PauseJson; reload: () => void }) {
  const change = async (run: () => ReturnType<typeof answerOf>): Promise<void> => {
    const answer = await run();
    if (!answer.ok) toast(answer.failure.message, { tone: "bad" });
    reload();
  };
  const until = pause.until === null ? "you resume" : fullTime(pause.until);
  return (
    <div class="setting">
      <div class="setting-text">
        <span class="setting-name">Capture and sending</span>
        <span class="small faint">
          {pause.paused ? `Paused until ${until}: nothing is captured or sent.` : "On"}
        </span>
      </div>
      {pause.paused ? (
        <button
          type="button"
          class="button primary"
          onClick={() => void change(() => answerOf(api.resume.$post({ json: {} })))}
        >
          Resume
        </button>
      ) : (
        pauses.map(({ title, ms }) => (
          <button
            key={title}
            type="button"
            class="button"
            onClick={() => void change(() => answerOf(api.pause.$post({ json: { for_ms: ms } })))}
          >
            {title}
          </button>
        ))
      )}
    </div>
  );
}

function Sections({ config, reload }: { config: ConfigJson; reload: () => void }) {
  const filter = useSignal(route.value.query.get("filter") ?? "");
  const wanted = filter.value.trim().toLowerCase();
  const shown = config.items.filter(({ key, effect }) =>
    `${key} ${effect}`.toLowerCase().includes(wanted),
  );
  const sections = Map.groupBy(shown, ({ section }) => section);
  return (
    <>
      <p class="small faint">
        Stored in <span class="mono">{config.path}</span>. Changes apply immediately unless a
        setting says otherwise.
      </p>
      {config.warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <input
        class="input"
        type="search"
        placeholder="Filter settings"
        aria-label="Filter settings"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      {[...sections].map(([section, items]) => (
        <section key={section} class="setting-group">
          <h2>{section}</h2>
          {items.map((item: ConfigItemJson) => (
            <SettingRow key={item.key} item={item} onSaved={reload} />
          ))}
        </section>
      ))}
    </>
  );
}

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
