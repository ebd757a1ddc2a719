/**
 * Set B: written before the scorer was tuned and never consulted while tuning. It only measures.
 * Bands follow 30-extraction, "Evaluate"; a band may be wider where two readers would differ.
 */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setB: readonly LabelledTurn[] = [
  // Breakthroughs
  {
    prompt:
      "oh wow. ok now I finally see how it fits together, the event loop was never the problem",
    answer:
      "Right. The whole picture is: the sensor task holds the I2C mutex across a blocking flash write, so every other task starves. That one fact explains the missed heartbeats, the watchdog resets and the jitter we saw last week.",
    tools: ["Read src/tasks/sensor.c", "Bash ./build/trace --dump", "Edit src/tasks/sensor.c"],
    band: [0.85, 1],
    types: ["insight"],
  },
  {
    prompt:
      "that's it!! three days on this. so the loss spikes came from the shuffled labels all along?",
    answer:
      "Yes. The root cause is the dataloader: with num_workers > 0 each worker re-seeded numpy identically, so labels and images were shuffled out of step. With per-worker seeds the loss curve is smooth and validation accuracy goes from 61 % to 88 %.",
    tools: [
      "Bash python train.py --epochs 1 !! loss diverged at step 400",
      "Edit data/loader.py",
      "Bash python train.py --epochs 1",
    ],
    band: [0.85, 1],
    types: ["insight"],
  },
  // Decisions
  {
    prompt:
      "We compared Kafka and NATS for the telemetry bus. Let's go with NATS JetStream, the ops burden of Kafka is too much for a team of three.",
    answer:
      "Agreed: NATS JetStream as the telemetry bus. I added docs/adr/0007-nats.md with the reasons and replaced the Kafka client in the ingest service.",
    tools: ["Write docs/adr/0007-nats.md", "Edit services/ingest/bus.go", "Bash go test ./..."],
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "ok we keep Postgres, no Mongo. final. the reporting queries need joins",
    answer: "Understood, we stay on Postgres. I removed the Mongo spike branch from the plan.",
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "Which approach do you recommend for offline sync in the app?",
    answer:
      "I compared three options. Recommendation: an outbox table in SQLite with a monotonic client sequence, not CRDTs, because our records have a single writer each and conflicts are rare. I chose last-write-wins per field and documented it in docs/sync.md.",
    tools: ["Read lib/db/schema.dart", "Read lib/sync/client.dart", "Write docs/sync.md"],
    band: [0.65, 0.9],
    types: ["decision"],
  },
  {
    prompt:
      "from now on never touch the generated protobuf files by hand, change the .proto and run make gen",
    answer: "Got it: I will only change the .proto files and run make gen.",
    band: [0.6, 0.9],
    types: ["decision", "correction"],
  },
  {
    prompt:
      "I decide: each tenant becomes his own schema, not a tenant_id column. Is more work but the auditors want it so.",
    answer:
      "Then it is schema per tenant. I changed the migration runner so that it loops over tenant schemas, and provisioning creates the schema.",
    tools: ["Edit db/migrate.rb", "Edit app/provisioning.rb", "Bash bundle exec rspec"],
    band: [0.7, 0.9],
    types: ["decision"],
  },
  // Corrections
  {
    prompt:
      "no, that's wrong. the retry limit lives in the gateway, not in the client. you broke the SDK contract",
    answer:
      "You are right, I reverted my change to the client. The limit is read in gateway/retry.go from RETRY_MAX, and the SDK must not retry at all. I moved the fix there and the contract tests pass.",
    before: [
      {
        prompt: "requests are retried too often, fix it",
        answer: "I lowered maxRetries in the client SDK from 5 to 2.",
      },
    ],
    tools: [
      "Bash git checkout sdk/client.ts",
      "Read gateway/retry.go",
      "Edit gateway/retry.go",
      "Bash go test ./gateway/...",
    ],
    band: [0.7, 0.9],
    types: ["correction"],
  },
  {
    prompt: "nein, falsch: the region is eu-west-3, not eu-central-1",
    answer: "Thanks, corrected: the bucket and the provider now use eu-west-3.",
    before: [
      {
        prompt: "write the terraform for the bucket",
        answer: "Done, the bucket is in eu-central-1.",
      },
    ],
    tools: ["Edit infra/main.tf"],
    band: [0.55, 0.85],
    types: ["correction"],
  },
  {
    prompt: "are you sure about the checksum? the datasheet says something else I think",
    answer:
      "I was wrong. I had assumed CRC-16/CCITT, but section 4.3 of the datasheet specifies CRC-16/MODBUS with the low byte first. I verified it against three captured frames: all match now. The decoder and its tests are corrected.",
    before: [
      {
        prompt: "implement the frame checksum for the energy meter",
        answer: "Implemented CRC-16/CCITT in meter/frame.c.",
      },
    ],
    tools: [
      "Bash ./frame_test captures/1.bin !! checksum mismatch: expected 0x4b37",
      "Read docs/datasheet.md",
      "Edit meter/frame.c",
      "Bash ./frame_test captures/1.bin",
    ],
    band: [0.7, 0.9],
    types: ["correction", "insight"],
  },
  {
    prompt: "stop adding comments to every line please, we don't do that here",
    answer: "Understood, I removed them and will keep comments to the non-obvious.",
    tools: ["Edit src/parser.rs"],
    band: [0.5, 0.85],
    types: ["correction", "decision"],
  },
  // Insights: root cause, pattern
  {
    prompt: "why do the nightly exports have duplicate rows since monday?",
    answer:
      "Found it. The cause: the scheduler switched to UTC on Monday, so the window of the export (local midnight to midnight) overlaps the previous one by an hour. Rows between 23:00 and 24:00 are exported twice. I changed the window to half-open UTC intervals; a re-run of Tuesday gives no duplicates.",
    tools: [
      "Bash psql -c 'select …'",
      "Read jobs/export.py",
      "Read jobs/schedule.py",
      "Edit jobs/export.py",
      "Bash pytest tests/test_export.py",
    ],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt:
      "turns out the flaky login test fails whenever the machine's locale is Turkish: toUpperCase('i') is not 'I' there",
    answer: "That explains it. I replaced the locale-dependent calls with an ordinal comparison.",
    tools: ["Edit src/auth/normalise.kt", "Bash ./gradlew test"],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "memory of the worker grows forever, heap dump is in /tmp/heap.out",
    answer:
      "The leak comes from the metrics registry: every request registers a new histogram labelled with the user id, and nothing ever removes it. So the heap grows with distinct users. I dropped the label; under the load script RSS stays at 180 MB for 20 minutes.",
    tools: [
      "Bash go tool pprof -top /tmp/heap.out",
      "Read internal/metrics/registry.go",
      "Edit internal/metrics/registry.go",
      "Bash ./scripts/load.sh 20m",
    ],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt:
      "interesting, every time we had this crash it was an async callback outliving its view. same pattern as in the map screen",
    answer:
      "Yes, it is the third occurrence of that pattern: a callback captures the view strongly and fires after deinit. The rule for this codebase: callbacks take [weak self] and check isActive.",
    tools: ["Bash git log --grep crash", "Edit App/Chat/ChatView.swift"],
    band: [0.7, 0.95],
    types: ["insight"],
  },
  {
    prompt: "what did the profiler say about the frame drops?",
    answer:
      "The frame drops are not caused by the physics step as we believed. Profiling shows 11 ms per frame in UI layout: the health bar invalidates the whole canvas on every tick. Moving it to its own canvas should bring us back under 16 ms.",
    tools: ["Bash unity-profiler-cli export --last", "Read Assets/UI/HealthBar.cs"],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  {
    prompt: "did you find out why staging cannot reach redis",
    answer:
      "Yes: the security group only allows port 6379 from the old subnet 10.2.0.0/16, and staging moved to 10.4.0.0/16 with the new VPC. Adding the range fixes it; I opened it in infra/redis.tf and connected successfully.",
    tools: [
      "Bash redis-cli -h redis.staging ping !! Could not connect to Redis: Connection timed out",
      "Read infra/redis.tf",
      "Edit infra/redis.tf",
      "Bash redis-cli -h redis.staging ping",
    ],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  // Iterations and debug steps
  {
    prompt: "try to get the build under 5 minutes",
    answer:
      "I tried caching node_modules first, which gained only 20 seconds. Then I switched to splitting the test job into four shards: the pipeline now takes 4:40 instead of 9:10.",
    tools: [
      "Edit .github/workflows/ci.yml",
      "Bash gh run watch",
      "Edit .github/workflows/ci.yml",
      "Bash gh run watch",
    ],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "implement the password reset flow with a one hour token",
    answer:
      "Implemented the password reset: POST /reset issues a single-use token valid for one hour, stored hashed; POST /reset/confirm sets the new password and revokes all sessions. 9 tests added, all pass.",
    tools: [
      "Read app/auth/routes.py",
      "Write app/auth/reset.py",
      "Edit app/auth/routes.py",
      "Write tests/test_reset.py",
      "Bash pytest tests/test_reset.py",
    ],
    band: [0.5, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "still crashes on android 12",
    answer:
      "I could not reproduce it on the emulator. I added logging around the camera binding and a guard for a null surface; please run it on the device and send me the log.",
    tools: [
      "Bash ./gradlew connectedCheck !! FAILED: CameraTest > opens",
      "Edit android/app/Camera.kt",
      "Bash ./gradlew connectedCheck !! FAILED: CameraTest > opens",
    ],
    band: [0.5, 0.7],
    types: ["error", "iteration"],
  },
  {
    prompt: "the quantised model gives garbage, any idea?",
    answer:
      "Not yet. Ruled out so far: the tokenizer (same ids) and the prompt template. Per-channel instead of per-tensor scales changed nothing. The next suspect is the layer norm that we quantise too.",
    tools: [
      "Bash python compare.py --ids",
      "Edit quant/export.py",
      "Bash python eval.py !! perplexity 4821.3",
    ],
    band: [0.5, 0.7],
    types: ["iteration", "error"],
  },
  {
    prompt: "add pagination to the orders endpoint, cursor based",
    answer:
      "The orders endpoint now takes `cursor` and `limit` (at most 100) and returns `next_cursor`. The cursor encodes created_at and id, so it is stable under inserts. Tests pass.",
    tools: [
      "Edit src/orders/handler.ts",
      "Edit src/orders/repo.ts",
      "Edit src/orders/handler.test.ts",
      "Bash npm test",
    ],
    band: [0.45, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "hmm gradient clipping at 1.0 didn't help. let's use a lower lr with warmup instead",
    answer:
      "Set lr to 1e-4 with 500 warmup steps and removed the clipping. First 1,000 steps look stable.",
    tools: ["Edit configs/base.yaml", "Bash python train.py --max-steps 1000"],
    band: [0.5, 0.75],
    types: ["iteration", "decision"],
  },
  {
    prompt: "refactor the inventory system so items are components instead of subclasses",
    answer:
      "Items are now entities with components (Stackable, Equippable, Consumable). I removed 14 subclasses and moved the save format to version 3 with an upgrade path. The old saves in the test folder load.",
    tools: [
      "Edit game/items.gd",
      "Write game/components.gd",
      "Edit game/save.gd",
      "Bash godot --headless --script tests/run.gd",
    ],
    band: [0.5, 0.75],
    types: ["iteration"],
  },
  {
    prompt:
      'deploy fails with the error below\n```\nError: rendering template: function "toYaml" not defined\n  at helm/templates/deploy.yaml:14\n```',
    answer:
      "The template used toYaml without the Helm context, since kustomize renders it here. I replaced it with a plain list and the rendering succeeds.",
    tools: [
      'Bash kustomize build overlays/prod !! function "toYaml" not defined',
      "Edit helm/templates/deploy.yaml",
      "Bash kustomize build overlays/prod",
    ],
    band: [0.5, 0.75],
    types: ["iteration", "error", "insight"],
  },
  {
    prompt: "make the BLE scan stop after 10 s to save battery",
    answer:
      "The scan now stops after 10 seconds and restarts when the app comes to the foreground.",
    tools: ["Edit ios/Bluetooth/Scanner.swift", "Bash xcodebuild test"],
    band: [0.4, 0.65],
    types: ["iteration"],
  },
  {
    prompt: "give up on the wasm build for now, the toolchain doesnt support threads there",
    answer:
      "Parked. I noted the dead end in docs/wasm.md: the toolchain has no thread support for our target, so the native build stays the only one.",
    tools: ["Write docs/wasm.md"],
    band: [0.55, 0.85],
    types: ["decision", "iteration"],
  },
  {
    prompt: "name the new package 'ledger-core' or 'accounting'? you pick",
    answer: "I would take `ledger-core`: it matches ledger-api and ledger-web. Renamed.",
    tools: ["Bash git mv packages/acct packages/ledger-core", "Edit package.json"],
    band: [0.45, 0.75],
    types: ["decision", "iteration"],
  },
  // Routine
  {
    prompt: "add a return type to loadConfig",
    answer: "Added the return type `Promise<Config>` to loadConfig.",
    tools: ["Edit src/config.ts"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "bump axios to the latest patch",
    answer: "axios is now 1.7.9; the lockfile is updated and the tests pass.",
    tools: ["Bash npm install axios@1.7.9", "Bash npm test"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "rename getUsr to getUser everywhere",
    answer: "Renamed in 6 files.",
    tools: ["Edit src/a.py", "Edit src/b.py", "Edit src/c.py"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "fix the typo in the readme, 'recieve'",
    answer: "Fixed.",
    tools: ["Edit README.md"],
    band: [0.25, 0.5],
    types: ["routine"],
  },
  {
    prompt: "sort the imports and run the formatter",
    answer: "Done, imports sorted and formatted; no other changes.",
    tools: ["Bash ruff check --select I --fix .", "Bash ruff format ."],
    band: [0.2, 0.45],
    types: ["routine"],
  },
  {
    prompt: "add a unit test for the empty basket",
    answer: "Added a test that the total of an empty basket is zero. It passes.",
    tools: ["Edit tests/basket_test.exs", "Bash mix test"],
    band: [0.3, 0.55],
    types: ["routine", "iteration"],
  },
  {
    prompt: "change the button colour to the brand green #0a7d4f",
    answer: "The primary button is now #0a7d4f.",
    tools: ["Edit styles/buttons.css"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  // Below 0.3
  {
    prompt: "yes",
    answer: "On it. Continuing with the next file.",
    band: [0, 0.3],
    types: ["routine"],
  },
  { prompt: "danke, perfekt", answer: "Gern geschehen!", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "continue",
    answer: "The remaining two handlers follow the same shape; here is the rest of the listing.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "what's the difference between a mutex and a semaphore?",
    answer:
      "A mutex is owned by one thread at a time, a semaphore counts permits. Use a mutex to protect a critical section and a semaphore to limit concurrency.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "show me the last 5 commits",
    answer: "Here are the last five commits: fix login (a1b2c3), bump deps, …",
    tools: ["Bash git log --oneline -5"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "commit this with a decent message and push",
    answer: "Committed as `Fix the window of the nightly export` and pushed to origin/main.",
    tools: ["Bash git commit -am 'Fix the window of the nightly export'", "Bash git push"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "lol we decided on sushi for the team lunch, finally. ok back to work in 5",
    answer: "Enjoy your lunch!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "which files are in the services folder?",
    answer: "There are four: auth.go, billing.go, mail.go and search.go.",
    tools: ["Bash ls services"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "great, another masterpiece of yours. it deleted my fixtures. undo that",
    answer:
      "Sorry. My cleanup command matched test/fixtures as well. I restored the folder with git checkout; nothing is lost. I will list files before deleting from now on.",
    tools: ["Bash git checkout -- test/fixtures"],
    band: [0.45, 0.85],
    types: ["correction", "error"],
  },
  {
    prompt: "run the tests",
    answer: "All 214 tests pass.",
    tools: ["Bash cargo test"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "can you explain what this function does?",
    answer:
      "`debounce` wraps a callback so that it runs only after the given delay without further calls. It keeps a timer and clears it on each call.",
    tools: ["Read src/util/debounce.ts"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt:
      "2026-03-02T10:11:12Z INFO server started on :8080\n2026-03-02T10:11:13Z INFO decided shard=3\n2026-03-02T10:11:13Z WARN slow query 812ms\n2026-03-02T10:11:15Z INFO health ok\nlooks fine to you?",
    answer: "Looks fine: the one slow query at start-up is the cache warming.",
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "good morning! how was your weekend :)",
    answer: "Good morning! Ready when you are.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "fyi the staging database moved to db-staging-2.internal, port 5544",
    answer: "Noted. I updated the connection settings in config/staging.toml.",
    tools: ["Edit config/staging.toml"],
    band: [0.45, 0.8],
    types: ["decision", "insight", "iteration", "correction"],
  },
];
