/**
 * Set A: the labelled turns that the scorer's word classes were tuned on, the specification's own examples among them.
 */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setA: readonly LabelledTurn[] = [
  // Breakthroughs
  {
    prompt: "ahh it clicked. the reducer is the structure, everything else hangs off it",
    answer:
      "Exactly: the reducer owns all transitions and the views only project its state. That explains why the three earlier attempts fought each other.",
    tools: ["Edit src/state/reducer.ts", "Bash npm test"],
    band: [0.9, 1],
    types: ["insight"],
  },
  {
    prompt: "YES finally, that's it! so all this time the DMA buffer was in cached memory",
    answer:
      "Yes, that was the root cause of all four symptoms: the DMA wrote to RAM while the CPU read stale cache lines. I moved the buffer to a non-cacheable section and the corruption is gone after 10,000 transfers.",
    tools: [
      "Bash ./flash.sh && ./soak.sh !! 37 corrupted frames",
      "Edit linker/stm32h7.ld",
      "Bash ./flash.sh && ./soak.sh",
    ],
    band: [0.88, 1],
    types: ["insight"],
  },
  {
    prompt: "now everything makes sense: billing, seats and invites are all the same state machine",
    answer:
      "That is the key insight: one membership lifecycle with three views. I sketched it in docs/membership.md, and two of the three services can go.",
    tools: ["Write docs/membership.md"],
    band: [0.85, 1],
    types: ["insight"],
  },
  // Decisions
  {
    prompt:
      "architecture decision: we use event sourcing for the order aggregate, plain CRUD everywhere else",
    answer: "Recorded as ADR 12. I will start with the order aggregate.",
    tools: ["Write docs/adr/0012-event-sourcing.md"],
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "let's go with DuckDB instead of Spark, the data fits on one machine anyway",
    answer:
      "Done: the pipeline now reads the parquet files with DuckDB. The full run takes 90 seconds where the Spark job needed 14 minutes.",
    tools: ["Edit pipeline/run.py", "Edit pyproject.toml", "Bash python -m pipeline.run"],
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "should the lobby be authoritative on the server or peer to peer?",
    answer:
      "I recommend a server-authoritative lobby, because host migration breaks ranked matches and cheating is easy peer to peer. We decided the same for matchmaking in January. The cost is about 40 ms of extra latency when joining.",
    tools: ["Read net/lobby.cpp", "Read docs/netcode.md"],
    band: [0.65, 0.9],
    types: ["decision"],
  },
  {
    prompt:
      "I prefer feature flags in the database, not env vars. always do it so in this repo please",
    answer: "Understood. I moved NEW_CHECKOUT from the environment to the flags table.",
    tools: ["Edit app/flags.rb", "Edit config/env.sample"],
    band: [0.65, 0.9],
    types: ["decision"],
  },
  {
    prompt: "after the benchmark i'd say sqlite wins. drop rocksdb",
    answer:
      "Agreed. SQLite with WAL handles our 2,000 writes/s with p99 at 3 ms, so RocksDB is out: removed the dependency and the storage trait's second implementation.",
    tools: [
      "Bash cargo bench",
      "Edit Cargo.toml",
      "Bash rm src/storage/rocks.rs",
      "Bash cargo test",
    ],
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "Ich würde sagen wir nehmen gRPC fürs interne, REST nur nach aussen. ok?",
    answer:
      "Yes. Decided: gRPC between services, REST only at the edge. I wrote it into docs/architecture.md.",
    tools: ["Edit docs/architecture.md"],
    band: [0.65, 0.9],
    types: ["decision"],
  },
  // Corrections
  {
    prompt:
      "no! don't mock the database in these tests, use the testcontainer like everywhere else",
    answer:
      "Sorry, corrected: the tests now start the Postgres testcontainer and the mocks are gone. All 31 pass.",
    before: [
      { prompt: "write tests for the repo layer", answer: "I wrote 31 tests with a mocked db." },
    ],
    tools: ["Edit tests/repo_test.go", "Bash go test ./internal/repo/..."],
    band: [0.65, 0.9],
    types: ["correction"],
  },
  {
    prompt: "that's not the cause, look again. the certificate is valid until 2027",
    answer:
      "You're right, my first diagnosis was wrong. It is not the expiry: the pod's clock is 6 minutes off, so the token is rejected as not yet valid. NTP is blocked by the new network policy. Fixed the policy, and the clock is in sync.",
    before: [{ prompt: "why does auth fail in prod", answer: "The certificate has expired." }],
    tools: [
      "Bash kubectl exec auth-0 -- date",
      "Read k8s/netpol.yaml",
      "Edit k8s/netpol.yaml",
      "Bash kubectl exec auth-0 -- chronyc tracking",
    ],
    band: [0.72, 0.92],
    types: ["correction", "insight"],
  },
  {
    prompt: "actually the default timeout is 30 seconds, not 10. it's in the vendor docs",
    answer: "Thanks, updated the constant and the comment to 30 seconds.",
    tools: ["Edit src/client/timeouts.ts"],
    band: [0.5, 0.85],
    types: ["correction"],
  },
  {
    prompt: "did the migration keep the indexes?",
    answer:
      "No. I misread the plan: the copy table lost the partial index on status. My mistake; I rebuilt it concurrently and added a check to the migration script that compares index definitions before the swap.",
    tools: [
      "Bash psql -c '\\d orders'",
      "Bash psql -c 'create index concurrently …'",
      "Edit scripts/swap_table.sh",
    ],
    band: [0.6, 0.88],
    types: ["correction", "error"],
  },
  {
    prompt: "eso no, the tax is computed before the discount in Chile, you have it reversed",
    answer: "Corrected: tax first, then the discount, for CL. I added a test per country.",
    tools: ["Edit src/pricing/tax.ts", "Edit src/pricing/tax.test.ts", "Bash npm test"],
    band: [0.6, 0.88],
    types: ["correction"],
  },
  // Insights
  {
    prompt: "why is the first request after a deploy so slow?",
    answer:
      "Root cause: the JIT warm-up happens on the first request because the health check only hits /ping. I added a warm-up call to the readiness probe; first-request latency drops from 4.1 s to 190 ms.",
    tools: ["Bash curl -w '%{time_total}' …", "Read deploy/probe.yaml", "Edit deploy/probe.yaml"],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "turns out macOS file names are NFD, so the hash of the path differs from linux",
    answer: "That is it. I normalise to NFC before hashing, with a test for both forms.",
    tools: ["Edit src/hash.rs", "Bash cargo test"],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "the model's recall is terrible for rare classes, check why",
    answer:
      "The reason is the evaluation split: it was made before deduplication, so 12 % of the rare-class images occur in train and test, and the class weights were computed on the wrong counts. After a clean split the real recall is 0.43, and with the corrected weights 0.71.",
    tools: [
      "Bash python analyse.py --split",
      "Read data/split.py",
      "Edit data/split.py",
      "Bash python train.py",
    ],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "I notice that all our outages this quarter were config changes without a canary",
    answer:
      "Four of five, yes. The pattern is the same each time: a global config push with no staged rollout. I drafted a canary step for the config pipeline.",
    tools: [
      "Read docs/postmortems/2026-01.md",
      "Read docs/postmortems/2026-02.md",
      "Write docs/canary.md",
    ],
    band: [0.7, 0.92],
    types: ["insight"],
  },
  {
    prompt: "look into the deadlock in the job runner",
    answer:
      "Found the deadlock: enqueue takes queueLock then statsLock, while the reporter takes them in the opposite order. It only shows up under load. I made both take queueLock first and added a stress test, which ran for ten minutes without hanging.",
    tools: [
      "Bash jstack 4412",
      "Read runner/Queue.java",
      "Edit runner/Reporter.java",
      "Write runner/StressTest.java",
      "Bash mvn test",
    ],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "the trick is to bind the texture after the atlas rebuild, then the flicker is gone",
    answer: "Good find. I reordered the calls and put a comment there.",
    tools: ["Edit render/atlas.cpp"],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  {
    prompt: "what was the bug in the end?",
    answer:
      "The bug was an off-by-one in the ring buffer: when head wrapped to zero the length went negative and was cast to uint16_t. That is why it only failed after 65,536 samples.",
    band: [0.65, 0.9],
    types: ["insight"],
  },
  // Iterations, debug steps, micro-decisions
  {
    prompt: "speed up the image resize endpoint",
    answer:
      "I tried sharp's pipeline with caching first, which failed on animated GIFs, so I switched to libvips through the CLI. Median went from 420 ms to 130 ms.",
    tools: [
      "Edit src/resize.ts",
      "Bash npm test !! 1 failing: animated gif",
      "Edit src/resize.ts",
      "Bash npm test",
    ],
    band: [0.55, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "add rate limiting to the public API, 100 per minute per key",
    answer:
      "Rate limiting is in: a sliding window in Redis, 100 requests per minute and key, 429 with Retry-After beyond. Tests cover the window edge and a Redis outage (fails open).",
    tools: [
      "Read src/server.ts",
      "Write src/middleware/rate-limit.ts",
      "Edit src/server.ts",
      "Write src/middleware/rate-limit.test.ts",
      "Bash bun test",
    ],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "the firmware still resets after ~20 min",
    answer:
      "I added a stack watermark check: the comms task has only 40 bytes left. I doubled its stack to 2 KB, but the reset still occurs, so the watermark is not the whole story. Next I would log the reset reason register.",
    tools: [
      "Edit src/tasks/comms.c",
      "Bash ./flash.sh",
      "Bash ./monitor.sh 25m !! reset after 1204 s",
    ],
    band: [0.5, 0.72],
    types: ["iteration", "error"],
  },
  {
    prompt: "that didn't work, same error",
    answer:
      "Then it is not the version of the plugin. I pinned it back and tried disabling the incremental compiler; the error persists. Next: a clean checkout.",
    tools: [
      "Edit build.gradle.kts",
      "Bash ./gradlew assembleDebug !! Unresolved reference: BuildConfig",
      "Edit gradle.properties",
      "Bash ./gradlew assembleDebug !! Unresolved reference: BuildConfig",
    ],
    band: [0.5, 0.7],
    types: ["error", "iteration"],
  },
  {
    prompt: "dark mode for the settings screen",
    answer:
      "The settings screen follows the system theme now. I moved its colours to the theme and fixed two icons that were invisible on black.",
    tools: ["Edit lib/settings/screen.dart", "Edit lib/theme.dart", "Bash flutter test"],
    band: [0.45, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "let's use zod for the form validation then",
    answer: "Switched the three forms to zod schemas; the error messages come from the schema now.",
    tools: [
      "Edit src/forms/login.tsx",
      "Edit src/forms/signup.tsx",
      "Bash npm i zod",
      "Bash npm test",
    ],
    band: [0.5, 0.8],
    types: ["decision", "iteration"],
  },
  {
    prompt: "split the monolith's checkout module into its own crate",
    answer:
      "checkout is now its own crate with a narrow public API (quote, place, cancel). The monolith depends on it; compile time of a checkout change falls from 48 s to 11 s. All tests pass.",
    tools: [
      "Write crates/checkout/Cargo.toml",
      "Write crates/checkout/src/lib.rs",
      "Edit Cargo.toml",
      "Edit src/main.rs",
      "Bash cargo test --workspace",
    ],
    band: [0.5, 0.75],
    types: ["iteration"],
  },
  {
    prompt: "debug why the css grid collapses on safari",
    answer:
      "Checked min-content sizing and the aspect-ratio fallback; neither is the culprit. With `grid-auto-rows: 1fr` it renders correctly in Safari 17, so I put that in, but I don't know yet why it is needed.",
    tools: [
      "Read src/gallery.css",
      "Edit src/gallery.css",
      "Bash npx playwright test --project=webkit",
    ],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "backfill the country column from the ip addresses",
    answer:
      "Backfilled 1.2 M rows in batches of 5,000; 3 % have no match and stay null. The script is idempotent and lives in scripts/backfill_country.py.",
    tools: [
      "Write scripts/backfill_country.py",
      "Bash python scripts/backfill_country.py --dry-run",
      "Bash python scripts/backfill_country.py",
    ],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "forget the redis streams idea, dead end",
    answer:
      "Dropped. Consumer groups cannot redeliver in order, which we need, so I deleted the spike and kept the polling worker.",
    tools: ["Bash git branch -D spike/streams"],
    band: [0.55, 0.88],
    types: ["decision", "iteration"],
  },
  {
    prompt: "apply the migration on staging",
    answer:
      "The migration failed: column `tier` already exists from a manual change. I did not force it; staging is unchanged. We need to decide whether to drop the column or to mark the migration as applied.",
    tools: ['Bash rails db:migrate !! PG::DuplicateColumn: column "tier" already exists'],
    band: [0.45, 0.7],
    types: ["error"],
  },
  {
    prompt: "implement A* for the units, grid is 200x200",
    answer:
      "Implemented A* with a binary heap and octile distance; 200 x 200 takes 2.8 ms worst case. Units share a path cache per target tile.",
    tools: ["Write src/path/astar.cs", "Edit src/units/mover.cs", "Bash dotnet test"],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  // Routine
  {
    prompt: "add a type annotation to that function",
    answer: "Added the type annotation.",
    tools: ["Edit src/util.py"],
    band: [0.3, 0.4],
    types: ["routine"],
  },
  {
    prompt: "update the copyright year in the footer",
    answer: "The footer now says 2026.",
    tools: ["Edit templates/footer.html"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "please add a docstring for the Client class",
    answer: "Added a docstring that describes the parameters and errors.",
    tools: ["Edit client.py"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "remove the unused import and the console.logs",
    answer: "Removed one import and four console.log calls.",
    tools: ["Edit src/cart.tsx"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "upgrade the actions to v4",
    answer: "All workflow actions use v4 now.",
    tools: ["Edit .github/workflows/test.yml", "Edit .github/workflows/lint.yml"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "write a test for the negative amount case",
    answer: "Added: a negative amount raises ValueError. Green.",
    tools: ["Edit tests/test_amount.py", "Bash pytest -k amount"],
    band: [0.3, 0.55],
    types: ["routine", "iteration"],
  },
  // Below
  { prompt: "ok", answer: "Great. Let me know what is next.", band: [0, 0.3], types: ["routine"] },
  { prompt: "thanks!", answer: "You're welcome.", band: [0, 0.3], types: ["routine"] },
  { prompt: "go on", answer: "Continuing with step 3.", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "how does the borrow checker decide about two-phase borrows in general?",
    answer:
      "A two-phase borrow is reserved first and activated later, so `v.push(v.len())` compiles. The reason is that autoref creates a mutable borrow that is only activated at the call.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "list the open pull requests",
    answer: "There are three open pull requests: #41, #44 and #45.",
    tools: ["Bash gh pr list"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "git commit and push pls",
    answer: "Committed and pushed.",
    tools: ["Bash git commit -am wip", "Bash git push"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "I always forget my umbrella, and of course it rains. anyway",
    answer: "Hope you stay dry!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "what does SIGPIPE mean?",
    answer: "It is sent when a process writes to a pipe whose reading end is closed.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "show me the config file",
    answer: "Here it is:\n```toml\nport = 8080\n```",
    tools: ["Read config.toml"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "we decided on pizza for friday, do you like pizza?",
    answer: "I do not eat, but good choice!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "oh sure, brilliant, now it compiles AND deletes prod. try again",
    answer:
      "Sorry, you are right: the clean target matched the deploy folder too. I restricted the glob to build/ and verified with a dry run that only build artefacts are removed.",
    tools: ["Edit Makefile", "Bash make -n clean"],
    band: [0.55, 0.88],
    types: ["correction", "error"],
  },
  {
    prompt:
      "[12:01:03] npm WARN deprecated rimraf@3.0.2\n[12:01:09] added 812 packages in 34s\n[12:01:09] 3 moderate severity vulnerabilities\nis this bad?",
    answer: "No, these are transitive development dependencies; nothing to do now.",
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt:
      "just so you know, Mira owns the billing service and the prod bucket is called harbour-prod-2",
    answer: "Good to know, I will keep that in mind.",
    band: [0.45, 0.8],
    types: ["decision", "insight", "iteration"],
  },
];
