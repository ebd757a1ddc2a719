/** `service`: the daemon as a service of the user's own, for those who want it there from login on. */
import type { Context } from "../context.ts";
import { failureOf } from "../failure.ts";
import type { CommandSpec } from "../spec.ts";
import { safeLine } from "../text.ts";

export const serviceCommand: CommandSpec = {
  name: "service",
  group: "more",
  summary: "Show, write or remove a user service that keeps the daemon running",
  details:
    "Optional: hooks start the daemon when it is needed. A systemd unit on Linux, a launchd " +
    "agent on macOS. Nothing is " +
    "started or stopped; the command to run is printed.",
  arguments: [
    {
      name: "[action]",
      summary: "print (the default), install or uninstall",
      choices: ["print", "install", "uninstall"],
    },
  ],
  examples: ["continuity service", "continuity service install", "continuity service uninstall"],
  run: async ({ deps, print }: Context, input) => {
    const [action = "print"] = input.args;
    const { service } = deps;
    if (action === "print") {
      const shown = service.print();
      if (!shown.ok) throw failureOf(shown.error);
      print(shown.value);
      return 0;
    }
    const done = action === "install" ? service.install() : service.uninstall();
    if (!done.ok) throw failureOf(done.error);
    const { path, changed, next } = done.value;
    const verb = action === "install" ? "wrote" : "removed";
    const already = action === "install" ? "is up to date" : "does not exist";
    print(
      changed ? `${verb} ${safeLine(path)}\n` : `nothing to do: ${safeLine(path)} ${already}\n`,
    );
    if (next !== null)
      print(`${action === "install" ? "start it with" : "stop it with"}: ${next}\n`);
    return 0;
  },
};
