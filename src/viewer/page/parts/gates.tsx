/** What is shown when there is no way to the daemon. Each says how to get one. */
import { lookAgain, wasOpen } from "../state/connection.ts";
import { Icon, Mark } from "./icons.tsx";

/** No token: this page was opened without its link, or its token has ended. */
export const Locked = () => (
  <main class="locked">
    <Mark />
    <h1>Open it from your terminal</h1>
    <p class="soft">
      {wasOpen.value
        ? "The daemon was restarted, or twelve hours have passed. A new link opens this page where it was:"
        : "This page needs a link from your terminal. The link works once:"}
    </p>
    <pre class="command mono">continuity ui</pre>
    <p class="small faint">
      Links expire after one minute. The page stays open for 12 hours, or until the daemon stops.
    </p>
  </main>
);

/** The daemon was there and is gone. What was loaded stays readable. */
export const OfflineBar = () => (
  <div class="offline" role="alert">
    <Icon name="plug" />
    <span class="grow">
      The daemon does not answer. It stops when idle; <code>continuity ui</code> starts it again.
    </span>
    <button type="button" class="button" onClick={() => void lookAgain()}>
      Try again
    </button>
  </div>
);
