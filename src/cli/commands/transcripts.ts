/** `archive`: transcripts that the client may have deleted. */
import type { Context } from "../context.ts";
import { demand, misuse } from "../failure.ts";
import { type CommandSpec, type Input, optionText } from "../spec.ts";
import { bytesOf, safeLine, timeOf } from "../text.ts";

export const archiveCommand: CommandSpec = {
  name: "archive",
  group: "more",
  summary: "List or restore archived transcripts",
  details:
    "The daemon archives ended sessions (`capture.archive`): your words, the agent's words and the targets of tools, " +
    "behind the privacy gate, as gzip files of JSON lines. A restored transcript has the client's format.",
  arguments: [
    { name: "[action]", summary: "list (the default) or restore", choices: ["list", "restore"] },
    { name: "[session]", summary: "session id, or the beginning of one" },
  ],
  options: [
    {
      flags: "--to <file>",
      summary: "output file (default: its original path); - for standard output",
    },
  ],
  examples: [
    "continuity archive",
    "continuity archive restore 1f0c9e1c",
    "continuity archive restore 1f0c9e1c --to -",
  ],
  json: {
    shape: "one document a line",
    fields: {
      session_id: "the client's session id",
      title: "first prompt in one line, or null",
      at: "when the transcript was last written",
      bytes: "size, compressed",
      path: "the file",
    },
  },
  run: async (context, input) => {
    const [action = "list", session] = input.args;
    if (action === "restore") return restored(context, input, session);
    if (session !== undefined)
      throw misuse("unexpected argument: list takes no session", "see `continuity help archive`");
    return listed(context);
  },
};

function listed(context: Context): void {
  const entries = context.deps.keep.archived();
  context.showAll(entries, "no archived transcripts yet\n", () =>
    context.table(entries, [
      { title: "session", value: (entry) => entry.session_id },
      { title: "last", value: ({ at }) => timeOf(at) },
      { title: "size", value: ({ bytes }) => bytesOf(bytes), align: "right" },
      { title: "title", value: ({ title }) => title ?? "", least: 20 },
    ]),
  );
}

async function restored(
  { deps, print }: Context,
  input: Input,
  session: string | undefined,
): Promise<number | void> {
  if (session === undefined)
    throw misuse("archive restore needs a session", "see `continuity archive list`");
  const to = optionText(input, "to");
  const brought = demand(await deps.keep.unarchive(session, to === "-" ? print : to));
  if (brought !== "") print(`restored to ${safeLine(brought)}\n`);
}
