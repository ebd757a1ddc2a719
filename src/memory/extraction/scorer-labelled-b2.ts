/**
 * Set B, further part: written after the word classes stood, in other manners of speaking, measured without looking.
 */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setB2: readonly LabelledTurn[] = [
  {
    prompt: "Customers in Brazil see prices with a comma and a point mixed up",
    answer:
      "Intl.NumberFormat was created with the server's locale for the integer part and with the user's locale for the fraction. Both use the user's locale now, and the price in the cart reads R$ 1.234,50.",
    tools: ["Grep NumberFormat", "Read src/money.ts", "Edit src/money.ts", "Bash npm test"],
    band: [0.62, 0.9],
    types: ["insight"],
  },
  {
    prompt: "I've made up my mind about auth: passkeys first, passwords only as fallback.",
    answer:
      "Then I'd register passkeys in the onboarding and hide the password form behind a link.",
    band: [0.66, 0.9],
    types: ["decision"],
  },
  {
    prompt: "Please make the retry delay configurable",
    answer:
      "The delay is read from RETRY_DELAY_MS now, 500 by default, and documented in the README.",
    tools: ["Edit src/retry.ts", "Edit README.md"],
    band: [0.38, 0.66],
    types: ["iteration", "routine"],
  },
  {
    prompt:
      "It dawned on me in the shower: invalidation is hard for us only since we cache rendered pages. If we cache the data instead, invalidation is one key.",
    answer:
      "That changes everything: the page cache and its 300 lines of purge rules can go. I started with the product pages.",
    tools: ["Edit cache/pages.py", "Write cache/data.py", "Bash pytest tests/cache"],
    band: [0.75, 1],
    types: ["insight"],
  },
  {
    prompt: "That migration is not reversible, contrary to what you said.",
    answer:
      "Correct, I overlooked that dropping the enum value rewrites the type. I added a down step that recreates it and marked the migration as slow.",
    before: [{ prompt: "is it safe", answer: "Yes, it can be rolled back." }],
    tools: ["Edit db/20260310_enum.sql"],
    band: [0.6, 0.9],
    types: ["correction"],
  },
  {
    prompt: "could you have a quick look at the failing nightly?",
    answer:
      "The nightly fails in the screenshot step: Chrome 134 changed the default font rendering, so all 40 baselines differ by a pixel or two. I raised the threshold to 0.2 % instead of re-recording.",
    tools: ["Bash gh run view --log", "Read e2e/visual.config.ts", "Edit e2e/visual.config.ts"],
    band: [0.6, 0.9],
    types: ["insight", "iteration"],
  },
  { prompt: "👍", answer: "Great!", band: [0, 0.3], types: ["routine"] },
  { prompt: "proceed", answer: "Proceeding with part two.", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "Which HTTP status is right for a validation error, 400 or 422?",
    answer: "Both are used; 422 is more precise for a well-formed body with invalid values.",
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "write me a haiku about garbage collection",
    answer: "Unreached leaves drift down / the quiet sweeper passes / heap of morning light",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "bring the version to 3.4.0 and tag it",
    answer: "Version 3.4.0 is set in package.json and tagged.",
    tools: ["Edit package.json", "Bash git tag v3.4.0"],
    band: [0.25, 0.6],
    types: ["routine", "iteration", "decision"],
  },
  {
    prompt: "make the spinner smaller",
    answer: "The spinner is 16px now.",
    tools: ["Edit src/Spinner.css"],
    band: [0.28, 0.52],
    types: ["routine"],
  },
  {
    prompt: "Write integration tests for the checkout",
    answer:
      "Eleven integration tests cover the checkout: happy path, declined card, expired session and stock changes. They run against the sandbox in 14 seconds.",
    tools: ["Read src/checkout.ts", "Write tests/checkout.int.test.ts", "Bash npm run test:int"],
    band: [0.42, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "port the CLI to clap 4",
    answer:
      "The CLI uses clap 4 with derive. Two flags changed: `--no-color` is now `--color never`, and subcommands are required. The snapshot of the help text is updated.",
    tools: ["Edit Cargo.toml", "Edit src/cli.rs", "Bash cargo test"],
    band: [0.45, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "The tests hang again on CI.",
    answer:
      "I could not find the reason yet. The thread dump shows the pool waiting on a latch, but the latch is released in my local runs. I enabled dumps on timeout for the next run.",
    tools: ["Bash gh run view --log", "Edit .github/workflows/ci.yml"],
    band: [0.45, 0.72],
    types: ["error", "iteration"],
  },
  {
    prompt: "First attempt with Protobuf was too much ceremony. MessagePack please.",
    answer:
      "Switched to MessagePack: the schema files are gone, payloads are 20 % larger than with Protobuf, still half of JSON.",
    tools: ["Bash rm -r proto", "Edit src/wire.go", "Bash go test ./..."],
    band: [0.52, 0.85],
    types: ["decision", "iteration"],
  },
  {
    prompt: "You may not use em dashes in the docs. House rule.",
    answer: "Replaced all em dashes in docs/.",
    tools: ["Bash sed -i 's/—/-/g' docs/*.md"],
    band: [0.5, 0.88],
    types: ["decision", "correction"],
  },
  {
    prompt:
      "hm, on second thought REST is fine for the internal calls too, one protocol less to debug",
    answer: "Okay, REST everywhere. I removed the gRPC stubs.",
    before: [{ prompt: "use grpc inside", answer: "I generated the gRPC stubs." }],
    tools: ["Bash rm -r gen/grpc", "Edit internal/client.go"],
    band: [0.62, 0.9],
    types: ["decision", "correction"],
  },
  {
    prompt: "Where do we configure the log level?",
    answer: "In config/logging.yaml, overridden by LOG_LEVEL.",
    tools: ["Grep LOG_LEVEL"],
    band: [0, 0.45],
    types: ["routine"],
  },
  {
    prompt: "the battery drains in standby, 4 mA instead of 40 µA",
    answer:
      "The ADC reference stays on in stop mode: `HAL_ADC_Stop` does not disable the VREF buffer on this family. I clear ENVR before entering stop mode; the current is 46 µA on the bench.",
    tools: [
      "Read src/power.c",
      "Bash ./ppk2.py --standby",
      "Edit src/power.c",
      "Bash ./ppk2.py --standby",
    ],
    band: [0.68, 0.92],
    types: ["insight"],
  },
  {
    prompt: "stash my changes",
    answer: "Stashed as WIP on feat/filters.",
    tools: ["Bash git stash"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "For EU customers data stays in eu-west-1, that is in the contracts.",
    answer: "I'll keep that in mind for the replication design.",
    band: [0.5, 0.88],
    types: ["decision", "insight"],
  },
  {
    prompt: "Terrible. The whole page jumps when the ad loads.",
    answer:
      "The ad slot reserves its height now (250px), so nothing moves; layout shift is down from 0.31 to 0.02.",
    tools: ["Edit src/AdSlot.tsx", "Bash npx lighthouse http://localhost:3000"],
    band: [0.45, 0.8],
    types: ["iteration", "insight", "correction"],
  },
  {
    prompt: "Find all places where we still call the v1 API",
    answer: "There are seven calls in four files: …",
    tools: ["Grep /api/v1", "Read src/a.ts"],
    band: [0.05, 0.45],
    types: ["routine"],
  },
  {
    prompt: "migrate them to v2",
    answer:
      "All seven calls use v2. The only semantic difference was pagination: v2 pages start at 1.",
    tools: ["Edit src/a.ts", "Edit src/b.ts", "Edit src/c.ts", "Edit src/d.ts", "Bash npm test"],
    band: [0.48, 0.75],
    types: ["iteration", "insight"],
  },
  {
    prompt: "Isn't it the other way round? The child should notify the parent.",
    answer: "Yes, I had the direction reversed. The child emits now and the parent listens.",
    before: [{ prompt: "sync the selection", answer: "The parent notifies the child." }],
    tools: ["Edit src/Child.vue", "Edit src/Parent.vue"],
    band: [0.58, 0.88],
    types: ["correction"],
  },
  {
    prompt: "Boss says no more than two weeks for the rewrite, otherwise we patch the old one.",
    answer: "Then I would cut the reporting part; the rest fits into two weeks.",
    band: [0.5, 0.88],
    types: ["decision", "insight"],
  },
  {
    prompt: "my back hurts from this chair",
    answer: "A short walk may help.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "Was heisst 'idempotent'?",
    answer: "Dass mehrfaches Ausführen dasselbe Ergebnis hat wie einmaliges.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt:
      "I profiled it: 70 % of the time goes into JSON.parse of the same config file, on every request",
    answer:
      "Parsed once at start now, with a file watcher for reloads. Median latency drops from 38 ms to 11 ms.",
    tools: ["Edit src/config.ts", "Bash npx autocannon http://localhost:3000"],
    band: [0.55, 0.9],
    types: ["insight", "iteration"],
  },
  {
    prompt: "add a dark favicon",
    answer: "Added favicon-dark.svg with a media query.",
    tools: ["Write public/favicon-dark.svg", "Edit index.html"],
    band: [0.3, 0.6],
    types: ["routine", "iteration"],
  },
  {
    prompt: "Let me think... yes, monorepo. Turborepo for the tasks, changesets for releases.",
    answer:
      "Set up: apps/ and packages/ workspaces, turbo.json with build, test and lint, and changesets.",
    tools: [
      "Write turbo.json",
      "Write .changeset/config.json",
      "Edit package.json",
      "Bash npx turbo build",
    ],
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt: "it compiles!!! after four days!",
    answer:
      "The last obstacle was the circular template instantiation between Graph and Visitor; forward-declaring Visitor broke the cycle.",
    tools: [
      "Edit include/graph.hpp",
      "Bash cmake --build . !! error: incomplete type Visitor",
      "Edit include/graph.hpp",
      "Bash cmake --build .",
    ],
    band: [0.62, 1],
    types: ["insight", "iteration"],
  },
  {
    prompt: "Does anyone use the /export endpoint?",
    answer: "According to the access logs of the last 90 days nobody but our own smoke test.",
    tools: ["Bash zgrep -c '/export' logs/*.gz"],
    band: [0.1, 0.65],
    types: ["routine", "insight"],
  },
  {
    prompt: "Then remove it.",
    answer: "Removed the endpoint, its tests and the smoke test's call.",
    before: [{ prompt: "Does anyone use the /export endpoint?", answer: "Nobody." }],
    tools: ["Edit src/routes.ts", "Bash rm src/export.ts", "Bash npm test"],
    band: [0.4, 0.75],
    types: ["iteration", "decision", "routine"],
  },
  {
    prompt: "clean up the whitespace in this file",
    answer: "Trailing whitespace removed.",
    tools: ["Edit src/app.rb"],
    band: [0.2, 0.45],
    types: ["routine"],
  },
  {
    prompt: "Careful: `user_id` in the events table is the *account* id, a historical accident.",
    answer: "Good to know; I corrected the join in the retention query accordingly.",
    tools: ["Edit queries/retention.sql"],
    band: [0.52, 0.9],
    types: ["insight", "correction", "decision"],
  },
  {
    prompt: "I expected the save button to be disabled while uploading",
    answer: "It is now: the form tracks pending uploads and disables the button until they finish.",
    tools: ["Edit src/Form.tsx", "Edit src/Form.test.tsx", "Bash npm test"],
    band: [0.42, 0.72],
    types: ["iteration", "correction"],
  },
  {
    prompt: "why do you think it's the GPU driver?",
    answer:
      "Because the crash address lies in nvoglv64.dll and the same scene runs with the software renderer. The driver release notes list a fix for exactly this.",
    before: [{ prompt: "the editor crashes", answer: "Probably the GPU driver." }],
    band: [0.35, 0.82],
    types: ["insight", "iteration", "correction"],
  },
  {
    prompt: "ok leave it like that for today",
    answer: "Alright. The branch is pushed; two tests are still pending.",
    tools: ["Bash git push"],
    band: [0, 0.4],
    types: ["routine"],
  },
];
