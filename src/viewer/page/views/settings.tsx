/** Settings as they are and why, changed in place; how the daemon does; and the pages Statistics and Setup. */
import { useSignal } from "@preact/signals";
import { msPerHour } from "#kit";
import type { ConfigItemJson, ConfigJson, PauseJson, StatusJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import type { Reply } from "../state/failure.ts";
import { useResource } from "../state/resource.ts";
import { href, pathOf, route } from "../state/router.ts";
import { complain, toast } from "../state/toasts.ts";
import { Answered, Button, Fact } from "../parts/basics.tsx";
import { Options } from "../parts/fields.tsx";
import { bytes, count, fullTime, span } from "../parts/format.ts";
import { Page } from "../parts/frame.tsx";
import { SetupParts } from "./setup.tsx";
import { Statistics } from "./statistics.tsx";

const pages = { "": "Settings", statistics: "Statistics", setup: "Setup" } as const;

export function Settings() {
  const { rest } = route.value;
  const links = (
    <nav class="pages" aria-label="Pages of settings">
      {Object.entries(pages).map(([name, title]) => (
        <a
          key={name}
          class="tab"
          href={href(pathOf("settings", name))}
          aria-current={name === rest ? "page" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
  return (
    <Page title="Settings" aside={links}>
      {rest === "statistics" ? <Statistics /> : rest === "setup" ? <SetupParts /> : <All />}
    </Page>
  );
}

/** Every setting, and how the daemon does. */
function All() {
  const config = useResource("config", () => api.config.$get({}));
  const status = useResource("status", () => api.status.$get({}));
  return (
    <div class="memory stack whole">
      {status.value !== null && <Daemon status={status.value} reload={status.reload} />}
      <Answered of={config}>
        {(value) => <Sections config={value} reload={config.reload} />}
      </Answered>
    </div>
  );
}

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <>
    {warnings.map((warning) => (
      <p key={warning} class="notice warn">
        {warning}
      </p>
    ))}
  </>
);

function Daemon({ status, reload }: { status: StatusJson; reload: () => void }) {
  const { daemon, database, pause, spool, warnings, model } = status;
  return (
    <section class="setting-group">
      <h2>Daemon</h2>
      <Warnings warnings={warnings} />
      <dl class="facts">
        <Fact name="Version">{status.version}</Fact>
        {daemon !== null && <Fact name="Uptime">{span(daemon.uptime_ms)}</Fact>}
        {daemon !== null && <Fact name="Peak memory">{bytes(daemon.peak_memory_bytes)}</Fact>}
        <Fact name="Database">{bytes(database.bytes)}</Fact>
        <Fact name="Home">
          <span class="mono">{status.home}</span>
        </Fact>
        <Fact name="Model">{model.provider === "none" ? "none" : model.provider}</Fact>
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
  const change = (send: () => Promise<Reply<unknown>>) => async (): Promise<void> => {
    complain(await answerOf(send()));
    reload();
  };
  const pauseFor = (ms: number | null) => change(() => api.pause.$post({ json: { for_ms: ms } }));
  const until = pause.until === null ? "you resume" : fullTime(pause.until);
  return (
    <div class="setting line wrap">
      <div class="row-main setting-text">
        <strong>Capture and sending</strong>
        <span class="small faint">
          {pause.paused ? `Paused until ${until}: nothing is captured or sent.` : "On"}
        </span>
      </div>
      {pause.paused ? (
        <Button class="primary" onClick={() => void change(() => api.resume.$post({ json: {} }))()}>
          Resume
        </Button>
      ) : (
        <>
          <Button onClick={() => void pauseFor(msPerHour)()}>Pause for an hour</Button>
          <Button onClick={() => void pauseFor(null)()}>Pause until I resume</Button>
        </>
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
  return (
    <>
      <p class="small faint">
        Stored in <span class="mono">{config.path}</span>. Changes apply immediately unless a
        setting says otherwise.
      </p>
      <Warnings warnings={config.warnings} />
      <input
        class="input"
        type="search"
        placeholder="Filter settings"
        aria-label="Filter settings"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      {[...Map.groupBy(shown, ({ section }) => section)].map(([section, items]) => (
        <section key={section} class="setting-group">
          <h2>{section}</h2>
          {items.map((item) => (
            <SettingRow key={item.key} item={item} onSaved={reload} />
          ))}
        </section>
      ))}
    </>
  );
}

/** TOML writes text in quotes; people do not. */
const asTyped = (value: string): string =>
  /^".*"$/s.test(value)
    ? value.slice(1, -1)
    : value.replace(/^\[(.*)\]$/s, "$1").replaceAll('"', "");

/** One setting: what it does, what it is, where that comes from, and a field to change it. */
function SettingRow({ item, onSaved }: { item: ConfigItemJson; onSaved: () => void }) {
  const failure = useSignal<string | null>(null);
  const save = async (value: string, before: string | null): Promise<void> => {
    const answer = await answerOf(api.config.$patch({ json: { key: item.key, value } }));
    failure.value = answer.ok ? null : answer.failure.message;
    if (!answer.ok) return;
    onSaved();
    const undo = before === null ? null : (): void => void save(before, null);
    toast(`${item.key} = ${value}`, { undo });
  };
  // A change would go to the file, where the variable hides it: that would look as if it were refused.
  const isFixed = item.source === item.variable;
  return (
    <div class="setting line wrap">
      <div class="row-main setting-text">
        <strong class="mono">{item.key}</strong>
        <span class="small soft">{item.effect}</span>
        <span class="tiny faint">
          {item.source === "default"
            ? "default"
            : `from ${item.source}, default ${asTyped(item.default)}`}
          {" · "}
          {item.expected}
        </span>
        {failure.value !== null && (
          <span class="small bad" role="alert">
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
  const choices = item.choices?.map(asTyped) ?? [];
  if (choices.length > 0)
    return (
      <select
        class="input setting-field"
        aria-label={item.key}
        value={value}
        onChange={(event) => onSave(event.currentTarget.value)}
      >
        <Options of={Object.fromEntries(choices.map((choice) => [choice, choice]))} />
      </select>
    );
  return (
    <input
      key={value}
      class="input setting-field"
      aria-label={item.key}
      defaultValue={value}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = value;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={(event) => {
        if (event.currentTarget.value !== value) onSave(event.currentTarget.value);
      }}
    />
  );
}
