/** Set A, further part: turns in other manners of speaking, first used to measure, then to tune. */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setA4: readonly LabelledTurn[] = [
  {
    prompt:
      "So here is the thing. I have been staring at the flame graph for an hour and it's obvious now: we serialise the whole world state on every tick instead of the diff.",
    answer:
      "Yes, that is where the 40 ms go. I changed the network layer to send deltas with a full snapshot every 5 seconds. Tick time is 6 ms now.",
    tools: [
      "Read net/replicate.cpp",
      "Edit net/replicate.cpp",
      "Edit net/snapshot.cpp",
      "Bash ctest",
    ],
    band: [0.7, 1],
    types: ["insight"],
  },
  {
    prompt: "Could the flicker come from the double layout pass? Just a hunch.",
    answer:
      "It does not: with the second pass disabled the flicker remains. I will look at the compositor next.",
    tools: ["Edit ui/layout.rs", "Bash cargo run --example flicker"],
    band: [0.45, 0.72],
    types: ["iteration", "error"],
  },
  {
    prompt: "Ship it.",
    answer: "Deployed version 1.14.0 to production; the smoke tests pass.",
    tools: ["Bash ./deploy.sh prod", "Bash ./smoke.sh"],
    band: [0.15, 0.65],
    types: ["routine", "iteration"],
  },
  {
    prompt:
      "Decision from today's planning: the mobile app goes offline-first, web stays online-only. Marketing wanted both, we said no.",
    answer: "Thanks for the context. I will add the sync layer to the mobile milestones only.",
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "can u make the test data generator deterministic? seed 42",
    answer:
      "The generator takes a seed now and defaults to 42. The snapshot tests no longer differ between runs.",
    tools: ["Edit tools/gen.py", "Bash pytest tests/snapshots"],
    band: [0.4, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "Why on earth does `git pull` ask for my password again",
    answer:
      "The remote was switched to HTTPS when the repository was renamed, so your SSH key is not used any more. I set the URL back to git@github.com and the pull works.",
    tools: [
      "Bash git remote -v",
      "Bash git remote set-url origin git@github.com:acme/fleet.git",
      "Bash git pull",
    ],
    band: [0.55, 0.85],
    types: ["insight"],
  },
  {
    prompt: "I'd like the commit messages in the imperative, no prefixes like feat: or fix:",
    answer: "Will do. The last three commits on this branch are reworded.",
    tools: ["Bash git rebase -i HEAD~3"],
    band: [0.55, 0.88],
    types: ["decision", "correction"],
  },
  {
    prompt: "Nice. And what about the memory usage?",
    answer: "It went from 1.9 GB to 740 MB in the same run.",
    tools: ["Bash /usr/bin/time -v python run.py"],
    band: [0.1, 0.6],
    types: ["routine", "iteration"],
  },
  {
    prompt: "Replace moment with date-fns.",
    answer:
      "Replaced in 23 files; the bundle is 58 KB smaller. One behaviour differs: date-fns throws on invalid input where moment returned 'Invalid date', so I guarded the two parsers of user input.",
    tools: [
      "Bash npm i date-fns",
      "Edit src/a.ts",
      "Edit src/b.ts",
      "Edit src/c.ts",
      "Bash npm test",
    ],
    band: [0.5, 0.78],
    types: ["iteration", "decision", "insight"],
  },
  {
    prompt:
      "You keep suggesting Docker Compose. We run everything with Nomad here, please remember that.",
    answer: "Sorry about that. Nomad it is; here is the job file instead.",
    before: [{ prompt: "how do I run it locally", answer: "Use docker compose up." }],
    tools: ["Write deploy/api.nomad.hcl"],
    band: [0.6, 0.9],
    types: ["correction", "decision"],
  },
  {
    prompt: "Is the staging certificate renewed automatically?",
    answer: "Yes, cert-manager renews it 30 days before expiry; the last renewal was on 2 March.",
    tools: ["Bash kubectl get certificate -n staging"],
    band: [0.1, 0.5],
    types: ["routine", "insight"],
  },
  {
    prompt: "The radio loses packets whenever the motor starts",
    answer:
      "The supply dips: the log shows VCC at 2.7 V for 4 ms when the motor starts, below the radio's brown-out level of 2.8 V. In firmware we can only retransmit; the real fix is a larger capacitor on the board. I added the retransmission.",
    tools: ["Bash ./scope-dump.py --channel vcc", "Read src/radio.c", "Edit src/radio.c"],
    band: [0.65, 0.92],
    types: ["insight"],
  },
  {
    prompt: "add alt texts to the images on the landing page",
    answer: "All nine images have alt texts now.",
    tools: ["Edit src/pages/landing.astro"],
    band: [0.28, 0.55],
    types: ["routine", "iteration"],
  },
  {
    prompt: "hmm",
    answer: "Is something unclear? I can explain the change step by step.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "Read the spec and tell me what's missing in our implementation.",
    answer:
      "Compared with the spec, three things are missing: key rotation, the `aud` check and clock skew tolerance. The `aud` check is the serious one: any token of the tenant is accepted by every service.",
    tools: ["Read docs/spec.md", "Read src/jwt.ts", "Read src/verify.ts"],
    band: [0.4, 0.85],
    types: ["insight", "iteration", "routine"],
  },
  {
    prompt:
      "Turns out I was wrong about the rounding: banker's rounding is what the tax office wants, not half-up.",
    answer: "Changed to banker's rounding, with the examples of the tax office as tests.",
    tools: ["Edit src/money/round.rs", "Edit src/money/round_test.rs", "Bash cargo test"],
    band: [0.65, 0.9],
    types: ["correction", "insight"],
  },
  {
    prompt:
      "I like that. Let's make it the standard for all new services: one Makefile, targets build, test, run.",
    answer:
      "Agreed. I added a template in templates/service and a paragraph in the contributing guide.",
    tools: ["Write templates/service/Makefile", "Edit CONTRIBUTING.md"],
    band: [0.65, 0.9],
    types: ["decision"],
  },
  {
    prompt: "translate this error for me: 'Zugriff verweigert'",
    answer: "It means 'access denied'.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "what would you cook with leeks and potatoes?",
    answer: "A leek and potato soup with a little nutmeg.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "The linter complains about line 40",
    answer: "Fixed: the variable was shadowed.",
    tools: ["Edit src/cli.py", "Bash ruff check"],
    band: [0.3, 0.65],
    types: ["routine", "iteration", "insight"],
  },
  {
    prompt:
      "ok so after two days of trying to patch the vendored parser I'm calling it: we write our own. It's 200 lines and the vendored one can't do streaming.",
    answer: "A hand-written streaming parser then. I have the tokenizer and the first ten tests.",
    tools: ["Write src/parse/tokenizer.ts", "Write src/parse/tokenizer.test.ts", "Bash bun test"],
    band: [0.7, 0.92],
    types: ["decision"],
  },
  {
    prompt: "Do the same for the other two endpoints",
    answer:
      "Both endpoints validate their input with the shared schema now and return 422 with field errors.",
    tools: ["Edit api/users.py", "Edit api/teams.py", "Bash pytest"],
    band: [0.4, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "any news?",
    answer: "The job is at 62 %, about ten minutes left.",
    tools: ["Bash tail -n 1 logs/train.log"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "Since when do we log customer emails in plain text?!",
    answer:
      "Since commit 91be2f in January: the new request logger dumps the whole body. I masked email and phone in the logger and added a test that fails when either appears.",
    tools: [
      "Bash git log -S'req.body' -- src/logger.ts",
      "Edit src/logger.ts",
      "Write src/logger.test.ts",
      "Bash npm test",
    ],
    band: [0.6, 0.9],
    types: ["insight", "correction", "iteration"],
  },
  {
    prompt: "please also handle the empty list",
    answer: "An empty list now renders the placeholder.",
    tools: ["Edit src/List.vue"],
    band: [0.3, 0.6],
    types: ["routine", "iteration"],
  },
  {
    prompt:
      "The migration plan has a flaw. If step 2 fails we cannot go back, because step 1 already dropped the old column.",
    answer:
      "You are right, that order is unsafe. I swapped it: add the new column, dual-write, backfill, switch reads, and only then drop. The plan in docs/migration.md says so now.",
    tools: ["Edit docs/migration.md"],
    band: [0.65, 0.9],
    types: ["correction", "insight"],
  },
  {
    prompt: "Show me how the diff looks",
    answer: "Here is the diff: two files changed, 14 insertions, 3 deletions.",
    tools: ["Bash git diff"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt:
      "The customer is Nordwind Logistics, contact is Svenja Thoma, they are on the enterprise plan with SSO",
    answer: "Noted, thanks.",
    band: [0.45, 0.8],
    types: ["insight", "decision", "iteration"],
  },
  {
    prompt:
      "We've hit the API rate limit again, that's the same mistake as with the CRM import: one request per row.",
    answer: "Right, batching solves both. The sync sends 100 rows per request now.",
    tools: ["Edit sync/push.go", "Bash go test ./sync"],
    band: [0.65, 0.92],
    types: ["insight"],
  },
  {
    prompt: "How should errors cross the FFI boundary? Codes or exceptions?",
    answer:
      "Error codes. Exceptions must not unwind through the C ABI; that is undefined behaviour. I propose an enum plus a thread-local last-error message, as SQLite does it.",
    tools: ["Read src/ffi.rs", "Read include/core.h"],
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt: "Revert everything, this is going nowhere. We'll live with the slow path.",
    answer: "All changes of this session are reverted; the slow path stays.",
    tools: ["Bash git checkout -- ."],
    band: [0.55, 0.88],
    types: ["decision", "correction", "iteration"],
  },
  {
    prompt: "extract the colors into css variables",
    answer: "The 14 colours are variables in tokens.css; all components use them.",
    tools: ["Write src/tokens.css", "Edit src/card.css", "Edit src/button.css"],
    band: [0.38, 0.68],
    types: ["iteration", "routine"],
  },
  {
    prompt: "write a migration that adds `archived_at` to projects",
    answer:
      "Added migration 20260314_archived_at with an index on non-archived projects; it runs and rolls back cleanly.",
    tools: [
      "Write db/migrate/20260314_archived_at.rb",
      "Bash rails db:migrate",
      "Bash rails db:rollback",
    ],
    band: [0.4, 0.68],
    types: ["iteration"],
  },
  {
    prompt:
      "Ugh. The agent deleted my .env.local while cleaning up. Never run git clean without asking.",
    answer:
      "I am sorry. I will not run git clean without asking. The file cannot be restored from git; the variable names are in .env.example.",
    band: [0.6, 0.9],
    types: ["correction", "decision"],
  },
  {
    prompt: "Test passes alone but not in the suite",
    answer:
      "Order dependence: `test_locale` sets the process locale and never restores it, so the date formatting test sees German month names. I restore it in a fixture; the suite passes in random order.",
    tools: [
      "Bash pytest -p random_order !! 1 failed",
      "Read tests/test_locale.py",
      "Edit tests/conftest.py",
      "Bash pytest -p random_order",
    ],
    band: [0.62, 0.9],
    types: ["insight"],
  },
  {
    prompt: "ja genau so",
    answer: "Prima.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "por favor añade un botón para exportar a PDF",
    answer:
      "Añadí el botón de exportación a PDF en la vista de facturas; usa el mismo servicio que el correo.",
    tools: ["Edit src/Factura.tsx", "Edit src/pdf.ts", "Bash npm test"],
    band: [0.42, 0.7],
    types: ["iteration"],
  },
  {
    prompt:
      "We agreed with the data team that event names are snake_case and past tense, e.g. order_placed.",
    answer: "I renamed the four events that deviate and added a lint rule for new ones.",
    tools: ["Edit src/events.ts", "Write tools/lint-events.ts"],
    band: [0.68, 0.9],
    types: ["decision"],
  },
  {
    prompt: "lol the cat walked over my keyboard, ignore that",
    answer: "No harm done!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "Try a bigger batch size.",
    answer:
      "With 256 it runs out of memory on the 24 GB card; 192 fits and trains 18 % faster than 128, same loss.",
    tools: [
      "Edit configs/base.yaml",
      "Bash python train.py !! CUDA out of memory",
      "Edit configs/base.yaml",
      "Bash python train.py",
    ],
    band: [0.5, 0.75],
    types: ["iteration"],
  },
];
