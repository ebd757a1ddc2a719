/**
 * A model whose part a careful person, or a real model by hand, plays.
 *
 *   bun lab/bench/played.ts DIR --port N [--wait 3600]
 *   bun lab/bench/played.ts DIR --port N --replay
 *   bun lab/bench/played.ts keep DIR lab/train/played/NAME.jsonl
 *
 * Each request of the product becomes DIR/requests/KEY.txt: its instructions, a line `=== prompt ===`, its prompt. KEY is
 * a hash of both, so the same question has the same name for ever. The answer is the JSON object in DIR/replies/KEY.json,
 * if it is there or comes within --wait seconds; else status 529, and the product tries again later. With --replay only
 * what is in the folder is answered. `keep` writes what was played into one file, in which a reply belongs to what the
 * user typed in its session: `lab/bench/voices.ts --recorded lab/train/played` gives it again though the request is worded anew.
 *
 * The product is pointed at it by its config.toml and a dummy key; a call may take as long as a person does:
 *
 *   [llm]
 *   provider = "anthropic"
 *   timeout_seconds = 7200
 *   tokens_per_day = 100000000                  # a person is not paid by the token
 *   [llm.anthropic]
 *   base_url = "http://127.0.0.1:N"             # in the file only: no environment says where a key is sent
 *
 *   mkdir -p ~/.continuity/keys && printf played > ~/.continuity/keys/anthropic && chmod 600 ~/.continuity/keys/anthropic
 *
 * Ctrl-C ends it and prints how many were asked and answered.
 */
import { resolve } from "node:path";
import { flag, numberOption } from "../options.ts";
import { keepReplies } from "./played/recorded.ts";
import { startPlayed } from "./played/server.ts";

const argv = process.argv.slice(2);
if (argv[0] === "keep" && argv[1] !== undefined && argv[2] !== undefined) {
  process.stdout.write(`${keepReplies(resolve(argv[1]), resolve(argv[2]))} replies kept\n`);
  process.exit(0);
}
const folder = argv[0];
if (folder === undefined || folder.startsWith("--")) {
  process.stderr.write("usage: bun lab/bench/played.ts DIR --port N [--wait SECONDS] [--replay]\n");
  process.exit(2);
}
const played = startPlayed({
  folder: resolve(folder),
  port: numberOption("port", 0),
  waitMs: flag("replay") ? 0 : numberOption("wait", 3_600) * 1_000,
  onWaiting: (key) => process.stdout.write(`waiting for replies/${key}.json\n`),
});
process.stdout.write(`${played.url}\n`);
const end = (): void => {
  process.stdout.write(`${JSON.stringify(played.counts())}\n`);
  played[Symbol.dispose]();
  process.exit(0);
};
process.on("SIGINT", end);
process.on("SIGTERM", end);
