/** Set A, further part: turns in other manners of speaking, first used to measure, then to tune. */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setA3: readonly LabelledTurn[] = [
  {
    prompt: "Implement a circuit breaker around the payment provider calls.",
    answer:
      "I've added a circuit breaker around the payment provider.\n\n**Changes**\n- `src/payments/breaker.ts`: half-open after 30 s, opens after 5 consecutive failures\n- `src/payments/client.ts`: all calls go through it\n- 7 unit tests\n\nAll tests pass. Let me know if you'd like different thresholds.",
    tools: [
      "Read src/payments/client.ts",
      "Write src/payments/breaker.ts",
      "Edit src/payments/client.ts",
      "Write src/payments/breaker.test.ts",
      "Bash npx vitest run",
    ],
    band: [0.5, 0.72],
    types: ["iteration"],
  },
  {
    prompt:
      "The websocket disconnects every 60 seconds in production but not locally. Figure out why.",
    answer:
      "I found the issue.\n\n## Root cause\nThe ALB in front of the service has an idle timeout of 60 seconds, and our heartbeat interval is 90 seconds. Locally there is no load balancer.\n\n## Fix\nI lowered the heartbeat to 25 seconds in `ws/heartbeat.go`.",
    tools: [
      "Bash kubectl logs deploy/ws",
      "Read ws/heartbeat.go",
      "Bash aws elbv2 describe-load-balancer-attributes",
      "Edit ws/heartbeat.go",
    ],
    band: [0.7, 0.9],
    types: ["insight"],
  },
  {
    prompt: "Yes, please do that",
    answer: "I've renamed the three functions and updated the call sites.",
    tools: ["Edit src/a.ts", "Edit src/b.ts"],
    band: [0.3, 0.6],
    types: ["iteration", "routine"],
  },
  {
    prompt: "sounds good, go ahead",
    answer: "Great! I'll start with the schema and then move on to the resolvers.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "What does the `--frozen-lockfile` flag do?",
    answer:
      "It makes the install fail instead of updating the lockfile when package.json and the lockfile disagree. It's recommended for CI.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "Help me understand how authentication works in this codebase",
    answer:
      "Here's how it works:\n\n1. The gateway validates the JWT and forwards `x-user-id`.\n2. Services trust that header inside the mesh.\n3. Admin routes check the role claim again.\n\nThe entry point is `gateway/src/auth.ts`.",
    tools: ["Grep jwt", "Read gateway/src/auth.ts", "Read services/users/src/context.ts"],
    band: [0.15, 0.6],
    types: ["routine", "insight", "iteration"],
  },
  {
    prompt:
      "I've thought about it overnight. We're dropping GraphQL. REST with an OpenAPI spec, generated clients. The N+1 problems and the caching story just aren't worth it.",
    answer:
      "Makes sense. I'll draft a migration plan: start with the read-only endpoints, keep GraphQL until the mobile app has moved.",
    band: [0.7, 0.9],
    types: ["decision"],
  },
  {
    prompt: "Please stick to British spelling in all user-facing copy.",
    answer:
      "I've switched the copy to British spelling (colour, organise, cancelled) in 5 files and will keep to it.",
    tools: ["Edit src/copy/en.json"],
    band: [0.5, 0.85],
    types: ["decision"],
  },
  {
    prompt: "That's not what I asked for. I wanted the sum per month, not per week.",
    answer:
      "You're right, I misread the request. The query now groups by `date_trunc('month', paid_at)`.",
    before: [{ prompt: "Give me revenue per month", answer: "Here's the weekly revenue query." }],
    tools: ["Edit reports/revenue.sql"],
    band: [0.58, 0.85],
    types: ["correction"],
  },
  {
    prompt:
      "Hmm, I don't think that's the reason. The same code worked before the upgrade to Angular 18.",
    answer:
      "Good point, that rules out the template. I bisected the upgrade commits: the behaviour changed with zone.js 0.14.5, which no longer patches `queueMicrotask`. So change detection isn't triggered after the promise resolves. Calling `markForCheck` in the subscription fixes it.",
    before: [{ prompt: "list doesn't refresh", answer: "The template binding is wrong." }],
    tools: [
      "Bash git bisect run npm test !! exit 1",
      "Bash git bisect log",
      "Read src/list.component.ts",
      "Edit src/list.component.ts",
      "Bash npm test",
    ],
    band: [0.7, 0.92],
    types: ["correction", "insight"],
  },
  {
    prompt: "Increase the timeout of the integration tests to 60s",
    answer: "Done. The timeout in `jest.integration.config.js` is now 60,000 ms.",
    tools: ["Edit jest.integration.config.js"],
    band: [0.28, 0.52],
    types: ["routine", "iteration"],
  },
  {
    prompt: "Add JSDoc to the public functions in utils",
    answer: "I've added JSDoc comments to all 12 exported functions in `src/utils`.",
    tools: ["Edit src/utils/date.ts", "Edit src/utils/string.ts"],
    band: [0.3, 0.5],
    types: ["routine"],
  },
  {
    prompt: "Make the header sticky",
    answer:
      "The header is now sticky. I used `position: sticky; top: 0` and raised its z-index above the hero.",
    tools: ["Edit src/Header.module.css"],
    band: [0.3, 0.58],
    types: ["routine", "iteration"],
  },
  {
    prompt: "The CI is failing on main, can you take a look?",
    answer:
      "The failure comes from a snapshot that contains today's date. I've frozen the clock in that test, and CI should be green again.",
    tools: [
      "Bash gh run view --log-failed",
      "Read test/invoice.test.ts",
      "Edit test/invoice.test.ts",
      "Bash npm test",
    ],
    band: [0.6, 0.88],
    types: ["insight"],
  },
  {
    prompt: "Let's try using a Web Worker for the CSV parsing",
    answer:
      "I moved the parsing into a Web Worker. The UI no longer freezes on the 80 MB sample; total time is about the same (6.1 s vs 5.9 s).",
    tools: ["Write src/csv/worker.ts", "Edit src/csv/import.ts", "Bash npm run build"],
    band: [0.5, 0.78],
    types: ["iteration", "decision"],
  },
  {
    prompt:
      "Unfortunately the worker approach breaks in Safari. Let's fall back to chunked parsing on the main thread",
    answer:
      "Replaced the worker with chunked parsing using `requestIdleCallback` (with a `setTimeout` fallback for Safari). The UI stays responsive.",
    tools: ["Bash rm src/csv/worker.ts", "Edit src/csv/import.ts", "Bash npm run build"],
    band: [0.55, 0.8],
    types: ["iteration", "decision"],
  },
  {
    prompt: "check if there are any unused exports",
    answer: "I ran knip: there are four unused exports, all in `src/legacy`.",
    tools: ["Bash npx knip"],
    band: [0.05, 0.4],
    types: ["routine"],
  },
  {
    prompt: "Can you write the PR description?",
    answer:
      "## What\nMoves CSV parsing off the critical path.\n\n## Why\nLarge imports froze the UI.\n\n## Testing\nManual test with the 80 MB sample.",
    tools: ["Bash git diff main"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "create a new branch for this",
    answer: "Created and switched to `feat/csv-chunks`.",
    tools: ["Bash git checkout -b feat/csv-chunks"],
    band: [0, 0.4],
    types: ["routine"],
  },
  {
    prompt: "Tests are green locally? Then push it.",
    answer: "All 142 tests pass; pushed to origin.",
    tools: ["Bash npm test", "Bash git push"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt:
      "Interesting! So the embeddings drift because we re-normalise after quantisation. That's the piece I was missing. Everything downstream makes sense now.",
    answer:
      "Exactly. Normalising once before quantisation keeps the cosine scale stable; recall@10 goes back from 0.71 to 0.89.",
    tools: ["Edit embed/quantise.py", "Bash python eval_recall.py"],
    band: [0.85, 1],
    types: ["insight"],
  },
  {
    prompt: "It works now, thank god. What was it?",
    answer:
      "The environment variable was read at import time, before dotenv had loaded. Moving the read into the factory fixed it.",
    tools: [],
    before: [{ prompt: "still undefined", answer: "Let me move the read into the factory." }],
    band: [0.5, 0.95],
    types: ["insight"],
  },
  {
    prompt:
      "We keep running into this: whoever adds a migration forgets to update the seed script.",
    answer:
      "I've added a test that runs the seed against the latest schema, so a forgotten update fails in CI.",
    tools: ["Write tests/seed.test.ts", "Bash npm test"],
    band: [0.55, 0.9],
    types: ["insight", "iteration"],
  },
  {
    prompt: "For the record: invoices are numbered per legal entity, gaps are illegal in Germany.",
    answer:
      "Thanks, noted. The current sequence would leave gaps on rollback, so I'd switch to a locked counter table per entity.",
    band: [0.5, 0.85],
    types: ["insight", "decision"],
  },
  {
    prompt: "why is there a sleep(3) in deploy.sh?",
    answer:
      "It waits for the old container to release port 8080; without it the new one fails to bind. It was added in commit 4f2a after an incident.",
    tools: ["Read deploy.sh", "Bash git log -S'sleep 3' deploy.sh"],
    band: [0.4, 0.85],
    types: ["insight", "routine"],
  },
  {
    prompt: "Convert the class component to hooks",
    answer:
      "Converted `OrderList` to a function component with hooks. Behaviour is unchanged; the tests pass without modification.",
    tools: ["Edit src/OrderList.tsx", "Bash npm test"],
    band: [0.4, 0.66],
    types: ["iteration", "routine"],
  },
  {
    prompt: "Optimize this query, it takes 12 s",
    answer:
      "The query now takes 80 ms. It was doing a sequential scan on `events` because of the cast on `created_at`; comparing against a timestamp range lets it use the index.",
    tools: [
      "Bash psql -c 'explain analyze …'",
      "Edit src/queries/events.sql",
      "Bash psql -c 'explain analyze …'",
    ],
    band: [0.6, 0.88],
    types: ["insight", "iteration"],
  },
  {
    prompt: "Set up GitHub Actions for the Go module",
    answer:
      "I've set up a workflow that runs `go vet`, `golangci-lint` and the tests on Go 1.22 and 1.23, with module caching.",
    tools: ["Write .github/workflows/go.yml", "Bash actionlint"],
    band: [0.42, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "I get 'Module not found: crypto' when bundling",
    answer:
      "Webpack 5 no longer polyfills Node core modules. I replaced the `crypto` import by the Web Crypto API in `src/hash.ts`; the bundle builds.",
    tools: [
      "Bash npx webpack !! Module not found: Error: Can't resolve 'crypto'",
      "Edit src/hash.ts",
      "Bash npx webpack",
    ],
    band: [0.55, 0.85],
    types: ["insight", "iteration", "error"],
  },
  {
    prompt: "Same error as before, nothing changed",
    answer:
      "Let me look at the actual request. The proxy strips the header before it reaches the app. I don't have access to its config; could you check `proxy_set_header` there?",
    tools: ["Bash curl -v localhost/api !! 401 Unauthorized"],
    before: [{ prompt: "401 on every call", answer: "I changed the middleware order." }],
    band: [0.45, 0.75],
    types: ["error", "iteration", "insight"],
  },
  { prompt: "haha nice", answer: "Glad you like it!", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "what's your favourite programming language?",
    answer: "I enjoy many, but I have a soft spot for Lisp.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "Explain the CAP theorem like I'm five",
    answer: "Imagine two friends sharing a toy list over the phone...",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "how many lines of code does this repo have",
    answer: "About 48,000 lines of TypeScript.",
    tools: ["Bash cloc src"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "use 2 spaces",
    answer: "Reformatted with two spaces.",
    tools: ["Edit .editorconfig", "Bash npx prettier --write src"],
    band: [0.3, 0.75],
    types: ["routine", "decision", "correction"],
  },
  {
    prompt: "Wait, the free tier limit is 5 projects. You hard-coded 3.",
    answer: "Thanks for catching that. The limit is now 5, read from `plans.free.projects`.",
    before: [{ prompt: "enforce the limit", answer: "Added a check for 3 projects." }],
    tools: ["Edit src/plans.ts"],
    band: [0.55, 0.85],
    types: ["correction"],
  },
  {
    prompt:
      "After trying both for a week: Playwright. Cypress can't do multi-tab, and that's half of our flows.",
    answer: "I'll migrate the remaining 14 Cypress specs to Playwright.",
    band: [0.68, 0.9],
    types: ["decision"],
  },
  {
    prompt: "abort, wrong branch",
    interrupted: true,
    tools: ["Edit src/x.ts"],
    band: [0.1, 0.7],
    types: ["error", "correction", "iteration", "routine"],
  },
  {
    prompt: "add an index on orders(customer_id, created_at)",
    answer: "Added the index in migration 0042, created concurrently.",
    tools: ["Write migrations/0042_orders_idx.sql", "Bash npm run migrate"],
    band: [0.35, 0.68],
    types: ["iteration", "routine"],
  },
  {
    prompt: "The model overfits badly. Any suggestions?",
    answer:
      "A few options, in the order I would try them: stronger augmentation (cheap), weight decay 0.05, then a smaller backbone. Given only 3k images I'd start with augmentation.",
    band: [0.3, 0.72],
    types: ["decision", "iteration", "insight", "routine"],
  },
  {
    prompt: "ok do augmentation first",
    answer:
      "Added RandAugment (n=2, m=9) and mixup 0.2. Validation accuracy rises from 71.4 % to 76.9 % after 20 epochs.",
    tools: ["Edit data/transforms.py", "Edit configs/train.yaml", "Bash python train.py"],
    band: [0.5, 0.75],
    types: ["iteration", "decision"],
  },
  {
    prompt: "turn on strict mode in tsconfig and fix what breaks",
    answer:
      "Strict mode is on. I fixed 61 errors: most were possibly-undefined accesses in `src/api`. Two turned out to be real bugs: a missing await in `syncUser` and an unchecked null in `applyCoupon`.",
    tools: [
      "Edit tsconfig.json",
      "Bash npx tsc --noEmit !! 61 errors",
      "Edit src/api/user.ts",
      "Edit src/api/coupon.ts",
      "Edit src/api/order.ts",
      "Bash npx tsc --noEmit",
    ],
    band: [0.55, 0.85],
    types: ["iteration", "insight"],
  },
];
