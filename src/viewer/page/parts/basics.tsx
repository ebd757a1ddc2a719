/** Components of every view: buttons, cards, facts, and placeholders for an answer that is awaited, empty or failed. */
import type { ComponentChildren, JSX } from "preact";
import type { Failure } from "../state/failure.ts";
import type { Resource } from "../state/resource.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Span } from "./text.tsx";

type Attributes = Omit<JSX.IntrinsicElements["button"], "icon">;

/** A button with words; `class` adds a look, such as `primary`. */
export const Button = ({ class: look = "", ...rest }: Attributes & { class?: string }) => (
  <button type="button" {...rest} class={`button ${look}`} />
);

interface ToolProps extends Attributes {
  readonly icon: IconName;
  readonly label: string;
  readonly keys?: string;
  /** Does the label stand beside the icon where there is room? It is heard in any case. */
  readonly isNamed?: boolean;
  readonly class?: string;
}

export const Tool = ({ icon, label, keys = "", isNamed, class: look = "", ...rest }: ToolProps) => (
  <button
    type="button"
    title={keys === "" ? label : `${label} (${keys})`}
    {...rest}
    class={`tool ${look}`}
  >
    <Icon name={icon} />
    <span class={isNamed === true ? "tool-label" : "unseen"}>{label}</span>
    {isNamed === true && keys !== "" && <Key keys={keys} />}
  </button>
);

export const Key = ({ keys }: { keys: string }) => (
  <span class="keys">
    {keys.split(" ").map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);

/** `Alert` says why something was not done; nothing while all is well. */
export const Alert = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="notice bad" role="alert">
      <Span text={text} />
    </p>
  );

interface TitledProps {
  readonly title: ComponentChildren;
  /** Text beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page in a frame. */
export const Card = ({ title, aside, children }: TitledProps) => (
  <section class="stack chart">
    <div class="line between">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
);

/** A part of a memory, a prompt or a session. */
export const Tier = ({ title, aside, children }: TitledProps) => (
  <section class="stack tight">
    <h3 class="line between">
      {title} {aside}
    </h3>
    {children}
  </section>
);

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt class="tiny faint">{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly isBad?: boolean;
  readonly children?: ComponentChildren;
}

export const Empty = ({ icon, title, isBad, children }: EmptyProps) => (
  <div class="empty" role={isBad === true ? "alert" : undefined}>
    <span class={isBad === true ? "empty-icon bad" : "empty-icon"}>
      <Icon name={icon} />
    </span>
    <strong>{title}</strong>
    <div class="empty-text">{children}</div>
  </div>
);

export const Failed = ({ failure, retry }: { failure: Failure; retry: () => void }) =>
  failure.kind === "offline" ? (
    <Empty icon="plug" title="The daemon does not answer" isBad>
      <p>
        It stops when idle. <code>continuity ui</code> starts it again.
      </p>
      <Button onClick={retry}>Try again</Button>
    </Empty>
  ) : (
    <Empty icon="cross" title="Request failed" isBad>
      <p>{failure.message}</p>
      <Button onClick={retry}>Try again</Button>
    </Empty>
  );

/** Grey lines in the shape of what is coming. */
export const Waiting = () => (
  <div class="stack waiting" aria-busy="true">
    <span class="unseen" role="status">
      Loading
    </span>
    {Array.from({ length: 6 }, (_, at) => (
      <span key={at} class="bone" style={{ width: `${88 - ((at * 17) % 46)}%` }} />
    ))}
  </div>
);

interface AnsweredProps<Value> {
  readonly of: Resource<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Renders an answer once it has arrived; a loaded answer stays readable when the connection breaks. */
export const Answered = <Value,>({ of, children }: AnsweredProps<Value>) =>
  of.value !== null ? (
    <>{children(of.value)}</>
  ) : of.failure !== null ? (
    <Failed failure={of.failure} retry={of.reload} />
  ) : (
    <Waiting />
  );
