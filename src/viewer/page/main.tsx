/** Starts the page: comes by the token, then draws. */
import { render } from "preact";
import { App } from "./app.tsx";
import { connection } from "./state/connection.ts";
import { startKeys } from "./state/keys.ts";
import { startLive } from "./state/live.ts";
import { panel } from "./state/panels.ts";
import { readAddress } from "./state/router.ts";
import { holdsCode, unlock } from "./state/token.ts";

async function start(root: Element): Promise<void> {
  if (!(await unlock())) connection.value = "locked";
  readAddress();
  startKeys(() => {
    panel.value = panel.peek() === "palette" ? "none" : "palette";
  });
  root.textContent = "";
  render(<App />, root);
  if (connection.peek() === "open") startLive();
}

// A link pasted into this tab changes the fragment only: nothing is loaded anew by itself.
addEventListener("hashchange", () => {
  if (holdsCode(location.hash)) location.reload();
});

const root = document.querySelector("#app");
if (root !== null) void start(root);
