/**
 * Replays recorded coding sessions through real hook processes and scores what was captured and injected.
 *
 *   bun lab/bench/devmem.ts PATH [--split dev] [--root DIR] [--misses] [--source] [--binary FILE] [--config FILE]
 *
 * PATH is the folder of devmem-bench (replay.ts, score.ts, <split>/gold.json). `--source` runs from source instead of
 * dist/continuity, `--config` gives the home its settings. After each probe the home is put back, so that no probe sees
 * an earlier one.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const argv = process.argv.slice(2);
const option = (name: string, fallback: string): string => {
  const at = argv.indexOf(`--${name}`);
  return at >= 0 ? (argv[at + 1] ?? fallback) : fallback;
};
const bench = resolve(argv[0] ?? "");
const split = option("split", "dev");
const root = option("root", mkdtempSync(join(tmpdir(), "devmem-")));
const repository = resolve(import.meta.dir, "../..");
const program = argv.includes("--source")
  ? `${process.execPath} ${repository}/src/main.ts`
  : resolve(option("binary", `${repository}/dist/continuity`));
if (!existsSync(join(bench, "replay.ts"))) {
  process.stderr.write("usage: bun lab/bench/devmem.ts PATH-OF-DEVMEM [--split dev] [--misses]\n");
  process.exit(2);
}

const run = join(root, "run");
const home = join(run, "home/dev");
const memory = join(root, "memory");
if (argv.includes("--config")) {
  mkdirSync(memory, { recursive: true, mode: 0o700 });
  copyFileSync(option("config", ""), join(memory, "config.toml"));
}
mkdirSync(root, { recursive: true });
const reset = join(root, "reset.sh");
// The first call keeps the home as it is; each later one stops the daemon, puts that home back and waits for a daemon.
writeFileSync(
  reset,
  `#!/bin/sh
export HOME=${home} CONTINUITY_HOME=${memory} CONTINUITY_PORT=0
if [ ! -d ${root}/snapshot ]; then ${program} flush >/dev/null; fi
pid=$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' ${memory}/daemon.json 2>/dev/null)
[ -n "$pid" ] && kill $pid && while kill -0 $pid 2>/dev/null; do sleep 0.01; done
if [ ! -d ${root}/snapshot ]; then cp -a ${memory} ${root}/snapshot; fi
rm -rf ${memory} && cp -a ${root}/snapshot ${memory}
${program} flush >/dev/null
`,
  { mode: 0o755 },
);

const sh = (command: readonly string[], env: Record<string, string> = {}): string => {
  const done = Bun.spawnSync([...command], {
    cwd: bench,
    env: { ...process.env, CONTINUITY_HOME: memory, CONTINUITY_PORT: "0", ...env },
    stderr: "inherit",
  });
  return done.stdout.toString();
};

process.stdout.write(
  sh([
    process.execPath,
    "replay.ts",
    "--split",
    split,
    "--root",
    run,
    "--settle",
    "300",
    "--cmd",
    `${program} hook`,
    "--probes",
    "--reset",
    `sh ${reset}`,
  ]),
);
const list = join(root, "list.jsonl");
writeFileSync(
  list,
  sh([...program.split(" "), "list", "--json", "--limit", "1000"], { HOME: home }),
);
process.stdout.write(
  sh([
    process.execPath,
    "score.ts",
    "--gold",
    `${split}/gold.json`,
    "--probes",
    join(run, "probes.jsonl"),
    "--store",
    list,
    "--scan",
    join(memory, "continuity.db"),
    ...(argv.includes("--misses") ? ["--misses"] : []),
  ]),
);
process.stdout.write(sh([...program.split(" "), "status"], { HOME: home }));
const log = readFileSync(join(run, "log.jsonl"), "utf8").trim().split("\n");
const times = log.map((line) => (JSON.parse(line) as { ms: number }).ms).sort((a, b) => a - b);
process.stdout.write(
  `hooks ${times.length}, median ${times[times.length >> 1]} ms; results in ${root}\n`,
);
