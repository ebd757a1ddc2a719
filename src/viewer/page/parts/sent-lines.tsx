/** Lines that were sent to Claude, each with what mends it: correct, pin, forget. A number goes to a line. */
import { useRef } from "preact/hooks";
import type { ExplainedJson } from "#api";
import { doomed, editing, subject, togglePin } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { seen } from "../state/overlay.ts";
import { memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { EditForm } from "./edit-form.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Failed, Waiting } from "./states.tsx";
import { Line } from "./text.tsx";

type SentLine = ExplainedJson["lines"][number];

/** Lines that a key leads to. */
const keyedMax = 9;

export function SentLines({ lines, isWrong }: { lines: readonly SentLine[]; isWrong: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const told = lines.flatMap(({ uri }) => uri ?? []);
  const goTo = (n: number) => (): void =>
    list.current?.querySelectorAll<HTMLElement>(".sent-text")[n]?.focus();
  useKeys(
    Object.fromEntries(told.slice(0, keyedMax).map((_, n) => [`${n + 1}`, goTo(n)] as const)),
  );
  return (
    <section class="tier">
      {isWrong && told.length > 0 && (
        <p class="notice warn">Which line was wrong? Correct it or forget it here.</p>
      )}
      <ol class={isWrong ? "sent-lines wrong" : "sent-lines"} ref={list}>
        {lines.map((line, at) =>
          line.uri === null ? (
            <li key={at} class={line.text.startsWith("## ") ? "sent-heading" : "soft"}>
              <Line text={line.text.replace(/^## /, "")} />
            </li>
          ) : (
            <MemoryLine key={at} line={line} uri={line.uri} />
          ),
        )}
      </ol>
    </section>
  );
}

function MemoryLine({ line, uri }: { line: SentLine; uri: string }) {
  const memory = seen({ uri, l0: line.text, pinned: line.pinned });
  return (
    <li class="sent-line" data-uri={uri}>
      <div class="sent-row">
        <a
          class="sent-text"
          href={memoryHref(uri)}
          onFocus={() => (subject.value = memory)}
          onBlur={() => {
            if (subject.peek()?.uri === uri) subject.value = null;
          }}
        >
          <Line text={line.text} />
          {line.status === "superseded" && <span class="badge status-superseded">Replaced</span>}
        </a>
        <span class="sent-tools">
          <Act icon="edit" title="Correct (e)" run={() => (editing.value = uri)} />
          <Act
            icon="pin"
            title={memory.pinned ? "Unpin (p)" : "Pin (p)"}
            isOn={memory.pinned}
            run={() => void togglePin(memory)}
          />
          <Act icon="trash" title="Forget (#)" run={() => (doomed.value = memory)} />
        </span>
      </div>
      {editing.value === uri && <LineForm uri={uri} />}
    </li>
  );
}

interface ActProps {
  readonly icon: IconName;
  readonly title: string;
  readonly isOn?: boolean;
  readonly run: () => void;
}

const Act = ({ icon, title, isOn, run }: ActProps) => (
  <button type="button" class={isOn === true ? "tool on" : "tool"} title={title} onClick={run}>
    <Icon name={icon} />
    <span class="unseen">{title}</span>
  </button>
);

/** The form for a memory that stands in a line: it is asked for when the form is. */
function LineForm({ uri }: { uri: string }) {
  const found = useResource(uri, () => answerOf(api.nodes.$get({ query: { uri } })));
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={3} />;
  return <EditForm memory={seen(value)} onDone={() => (editing.value = null)} />;
}
