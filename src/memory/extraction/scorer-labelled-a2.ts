/** Set A, further part: turns in other manners of speaking, first used to measure, then to tune. */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setA2: readonly LabelledTurn[] = [
  {
    prompt:
      "Could you wire up Stripe webhooks? Only checkout.session.completed and invoice.paid matter to us.",
    answer:
      "Webhooks are wired up at /stripe/hook with signature checks; both events update the subscription row, everything else is acknowledged and ignored.",
    tools: [
      "Read app/billing.py",
      "Write app/stripe_hook.py",
      "Edit app/urls.py",
      "Write tests/test_stripe_hook.py",
      "Bash pytest tests/test_stripe_hook.py",
    ],
    band: [0.45, 0.72],
    types: ["iteration"],
  },
  {
    prompt:
      "mmh the numbers in the dashboard and in the mail report don't agree, customers complain",
    answer:
      "They disagree because the mail report counts trials as paying customers: its query lacks the `trial_ends_at` filter that the dashboard has. I moved the filter into a shared view that both use, and yesterday's numbers now match.",
    tools: [
      "Bash psql -f reports/mail.sql",
      "Read dashboard/queries.ts",
      "Write db/views/paying.sql",
      "Edit reports/mail.sql",
    ],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  {
    prompt: "Please undo the last change, the team wants the old dialog back.",
    answer: "Reverted; the old dialog is back.",
    tools: ["Bash git revert --no-edit HEAD"],
    band: [0.3, 0.75],
    types: ["correction", "decision", "iteration", "routine"],
  },
  {
    prompt: "no need for a queue here. cron is enough, traffic is tiny",
    answer: "Fair, a cron entry it is: I replaced the queue worker by a job every ten minutes.",
    tools: ["Bash rm worker/queue.js", "Edit deploy/crontab"],
    band: [0.6, 0.9],
    types: ["decision", "correction"],
  },
  {
    prompt:
      "Hab grad gemerkt: der Sensor liefert Fahrenheit, nicht Celsius! Deshalb die komischen Werte.",
    answer: "Das erklärt alles. Ich rechne jetzt in der Treiberschicht um.",
    tools: ["Edit drivers/bme.c"],
    band: [0.68, 0.95],
    types: ["insight", "correction"],
  },
  {
    prompt: "wait, why did you add lodash? we have our own helpers in src/util",
    answer:
      "Right, I should have looked there first. I removed lodash and use `groupBy` from src/util.",
    before: [{ prompt: "group the orders by day", answer: "Done with lodash groupBy." }],
    tools: ["Edit src/orders.ts", "Edit package.json"],
    band: [0.6, 0.88],
    types: ["correction"],
  },
  { prompt: "looks good", answer: "Glad to hear it.", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "next",
    answer: "Next is the footer; tell me when to begin.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "is Rust faster than Go?",
    answer: "Often somewhat, since it has no garbage collector, but it depends on the workload.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "what time is it in Tokyo right now",
    answer: "I cannot see a clock, but Tokyo is UTC+9.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "put a log line before the retry",
    answer: 'Added `log.warn("retrying", attempt)` before the retry.',
    tools: ["Edit src/http.ts"],
    band: [0.28, 0.52],
    types: ["routine", "iteration"],
  },
  {
    prompt: "widen the sidebar a bit, 280px",
    answer: "The sidebar is 280px wide now.",
    tools: ["Edit src/layout.css"],
    band: [0.28, 0.52],
    types: ["routine", "iteration"],
  },
  {
    prompt: "delete the commented out code in main.go",
    answer: "Deleted 43 commented-out lines.",
    tools: ["Edit main.go"],
    band: [0.28, 0.5],
    types: ["routine"],
  },
  {
    prompt: "set node version to 22 in .nvmrc and the dockerfile",
    answer: "Both say 22 now.",
    tools: ["Edit .nvmrc", "Edit Dockerfile"],
    band: [0.3, 0.6],
    types: ["routine", "iteration"],
  },
  {
    prompt: "we're on Kubernetes 1.31 since yesterday, keep that in mind for the manifests",
    answer: "Understood. The PodSecurityPolicy leftovers can go then.",
    band: [0.45, 0.8],
    types: ["insight", "decision", "iteration"],
  },
  {
    prompt: "Our CTO signed off on moving to Hetzner by June, so no new AWS stuff please.",
    answer: "Noted: nothing new on AWS, the target is Hetzner by June.",
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt:
      "I'd rather have small PRs, one concern each. Don't bundle refactorings with features again.",
    answer: "Understood, I will split them.",
    band: [0.6, 0.9],
    types: ["decision", "correction"],
  },
  {
    prompt: "tests must be deterministic, no sleeps, no real clock",
    answer: "I replaced the sleeps with a fake clock in five tests.",
    tools: ["Edit tests/clock.rs", "Edit tests/queue.rs", "Bash cargo test"],
    band: [0.55, 0.85],
    types: ["decision", "correction"],
  },
  {
    prompt: "the animation stutters only on Pixel 4a",
    answer:
      "Its GPU falls back to software rendering for the blur filter above 8 px radius: the trace shows 38 ms in `skia::blur`. I capped the radius at 8 on that GPU family and the stutter is gone.",
    tools: [
      "Bash adb shell perfetto -o t.trace",
      "Read lib/anim/blur.dart",
      "Edit lib/anim/blur.dart",
    ],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  {
    prompt: "I think I found the reason for the OOM kills",
    answer: "Tell me.",
    band: [0.15, 0.6],
    types: ["routine", "iteration", "insight"],
  },
  {
    prompt: "the OOM kills happen when two exports overlap. each one loads the whole table",
    answer:
      "That matches the graphs. I made the export stream in chunks of 10,000 rows and added an advisory lock so that only one runs.",
    tools: ["Edit jobs/export.rb", "Bash rspec spec/export_spec.rb"],
    band: [0.6, 0.9],
    types: ["insight", "iteration"],
  },
  {
    prompt: "same story again: someone merged without the lockfile. third time this month",
    answer: "I added a CI check that fails when package.json changes without the lockfile.",
    tools: ["Edit .github/workflows/ci.yml"],
    band: [0.6, 0.92],
    types: ["insight", "decision", "iteration"],
  },
  {
    prompt: "nope, still 500",
    answer:
      "The handler now logs the stack. The exception is a null tenant, but I do not yet see who clears it.",
    tools: ["Edit src/handler.kt", "Bash curl -s localhost:8080/orders !! HTTP 500"],
    before: [{ prompt: "orders endpoint returns 500", answer: "I fixed the mapper." }],
    band: [0.48, 0.75],
    types: ["error", "iteration", "correction"],
  },
  {
    prompt: "try numba for the inner loop",
    answer:
      "Numba does not support the pandas groupby in there, so I went with plain numpy arrays: 14x faster than before.",
    tools: [
      "Edit sim/inner.py",
      "Bash python bench.py !! numba.core.errors.TypingError",
      "Edit sim/inner.py",
      "Bash python bench.py",
    ],
    band: [0.52, 0.75],
    types: ["iteration"],
  },
  {
    prompt: "Can you make the parser accept trailing commas?",
    answer: "The parser accepts trailing commas in arrays and objects now; three tests cover it.",
    tools: ["Edit src/parser.zig", "Edit src/parser_test.zig", "Bash zig build test"],
    band: [0.42, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "generate the openapi client and use it in the web app",
    answer:
      "The client is generated from openapi.yaml into packages/client, and the three fetch wrappers in the web app are gone.",
    tools: [
      "Bash npx openapi-typescript openapi.yaml -o packages/client/schema.ts",
      "Edit web/src/api.ts",
      "Edit web/src/orders.tsx",
      "Bash npm run build",
    ],
    band: [0.48, 0.72],
    types: ["iteration"],
  },
  {
    prompt:
      "wow ok. So the whole scheduler is just a priority queue with a clock? All the special cases melt away!",
    answer:
      "Yes: once every task carries its next due time, retries, cron and delays are the same operation. I removed 400 lines.",
    tools: ["Edit sched/core.py", "Bash pytest"],
    band: [0.85, 1],
    types: ["insight"],
  },
  {
    prompt: "HALLELUJAH it boots",
    answer:
      "The missing piece was the vector table offset: the bootloader jumps to 0x08010000, and VTOR still pointed to the old base. Every hang we chased this week follows from that.",
    tools: [
      "Edit boot/start.s",
      "Bash make flash !! hang at reset",
      "Edit boot/start.s",
      "Bash make flash",
    ],
    band: [0.78, 1],
    types: ["insight"],
  },
  {
    prompt: "what's in the CHANGELOG for 2.3?",
    answer: "Version 2.3 has two entries: faster sync and a fix for the tray icon.",
    tools: ["Read CHANGELOG.md"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "git status?",
    answer: "Two modified files, nothing staged.",
    tools: ["Bash git status"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "merge main into my branch",
    answer: "Merged main, no conflicts.",
    tools: ["Bash git merge main"],
    band: [0, 0.42],
    types: ["routine"],
  },
  { prompt: "brb, coffee", answer: "See you in a bit.", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "my daughter turned 5 today, she wants to be a compiler engineer haha",
    answer: "Happy birthday to her!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt:
      "we use the same term for two things: 'account' is the login in auth but the ledger in billing. let's call the latter 'ledger' consistently",
    answer: "Renamed in the billing module and the glossary.",
    tools: ["Edit billing/models.py", "Edit GLOSSARY.md", "Bash pytest billing"],
    band: [0.6, 0.9],
    types: ["decision", "insight"],
  },
  {
    prompt:
      "I read the paper again. Their trick, weight sharing across time steps, is what we miss.",
    answer:
      "That would explain our parameter count. I added a flag `share_time` and the 2-step model reaches their accuracy within 0.4 points.",
    tools: ["Edit model/core.py", "Bash python train.py --share_time"],
    band: [0.65, 0.92],
    types: ["insight"],
  },
  {
    prompt: "update dependencies",
    answer:
      "Updated 14 packages; eslint 9 needed its flat config, which I migrated. Tests and lint are green.",
    tools: ["Bash npm update", "Write eslint.config.js", "Bash rm .eslintrc.json", "Bash npm test"],
    band: [0.3, 0.65],
    types: ["routine", "iteration"],
  },
  {
    prompt: "how do I exit vim",
    answer: "Press Esc, then type :q! and Enter.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "you've used tabs. this is a spaces repo!!",
    answer: "Apologies, re-indented with four spaces.",
    before: [{ prompt: "write the helper", answer: "Here is the helper." }],
    tools: ["Edit helper.py"],
    band: [0.55, 0.85],
    types: ["correction"],
  },
  {
    prompt: "Why was the build red last night?",
    answer:
      "The runner image moved to Ubuntu 24.04, where python is 3.12 and `distutils` is gone; our setup.py imports it. I pinned the image and opened a ticket to drop distutils.",
    tools: [
      "Bash gh run view 991 --log-failed",
      "Read setup.py",
      "Edit .github/workflows/build.yml",
    ],
    band: [0.65, 0.9],
    types: ["insight"],
  },
  {
    prompt: "shall we split the repo? frontend people want their own",
    answer:
      "I would not: the API types are shared and releases are in lockstep. A CODEOWNERS split with path-filtered CI gives them the autonomy without a second repository.",
    tools: ["Read .github/CODEOWNERS", "Read package.json"],
    band: [0.5, 0.88],
    types: ["decision"],
  },
  {
    prompt: "add german translations for the onboarding",
    answer: "Added 38 strings in de.json; plural forms for `days` included.",
    tools: ["Edit locales/de.json", "Bash npm run i18n:check"],
    band: [0.38, 0.65],
    types: ["iteration", "routine"],
  },
  {
    prompt: "the e2e suite never runs on push, nightly only. that is on purpose",
    answer: "Understood, I leave the trigger as it is.",
    band: [0.5, 0.85],
    types: ["decision", "insight", "correction"],
  },
];
