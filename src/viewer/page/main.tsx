/** Starts the page: comes by the token, then draws. */
import { render } from "preact";
import { connection, unlocked } from "./state/connection.ts";
import { startKeys } from "./state/keys.ts";
import { startLive } from "./state/live.ts";
import { panel } from "./state/places.ts";
import { readAddress } from "./state/router.ts";
import { holdsCode, shareToken, unlock, wantAddress } from "./state/token.ts";
import { App } from "./app.tsx";

async function start(root: Element): Promise<void> {
  if (!(await unlock())) {
    wantAddress(location.hash);
    connection.value = "locked";
  }
  shareToken(() => connection.peek() === "open", open);
  readAddress();
  startKeys(() => {
    panel.value = panel.peek() === "palette" ? "none" : "palette";
  });
  root.textContent = "";
  render(<App />, root);
  if (connection.peek() === "open") startLive();
}

/** Another tab handed over a token: this one goes on where it was. */
function open(): void {
  unlocked();
  startLive();
}

// A link pasted into this tab changes the fragment only: nothing is loaded anew by itself.
addEventListener("hashchange", (event) => {
  if (!holdsCode(location.hash)) return;
  if (event instanceof HashChangeEvent) wantAddress(new URL(event.oldURL).hash);
  location.reload();
});

const root = document.querySelector("#app");
if (root !== null) void start(root);
