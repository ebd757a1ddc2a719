/** What is shown when there is no way to the daemon. Each says how to get one. */
import { lookAgain } from "../state/connection.ts";
import { Icon, Mark } from "./icons.tsx";

/** No token: this page was opened without its link, or the tab is new. */
export const Locked = () => (
  <main class="locked">
    <Mark />
    <h1>Open it from your terminal</h1>
    <p class="soft">
      Your memories are behind a token that only your own user can read. This command opens this
      page with a link that works once:
    </p>
    <pre class="command mono">continuity ui</pre>
    <p class="small faint">
      A link that was used, or is older than a minute, does not open it again. The token is
      forgotten when the tab is closed.
    </p>
  </main>
);

/** The daemon was there and is gone. What was loaded stays readable. */
export const OfflineBar = () => (
  <div class="offline" role="alert">
    <Icon name="plug" />
    <span class="grow">
      The daemon does not answer. It leaves when nothing happens; <code>continuity ui</code> starts
      it again.
    </span>
    <button type="button" class="button" onClick={() => void lookAgain()}>
      Try again
    </button>
  </div>
);
