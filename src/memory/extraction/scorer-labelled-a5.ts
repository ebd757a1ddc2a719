/** Set A, further part: turns in other manners of speaking, first used to measure, then to tune. */
import type { LabelledTurn } from "./scorer-fixtures.ts";

export const setA5: readonly LabelledTurn[] = [
  {
    prompt: "Users report being logged out at random",
    answer:
      "The session store runs on three Redis replicas without sticky writes, so a read right after login can hit a replica that has not seen the session. I pointed session reads to the primary; the random logouts are gone in the soak test.",
    tools: [
      "Read server/session.ts",
      "Bash ./soak.sh 30m",
      "Edit server/session.ts",
      "Bash ./soak.sh 30m",
    ],
    band: [0.68, 0.92],
    types: ["insight"],
  },
  {
    prompt: "make the table sortable by every column",
    answer: "Every column header sorts now, ascending first; the state is kept in the URL.",
    tools: ["Edit src/Table.tsx", "Edit src/useSort.ts", "Bash npm test"],
    band: [0.42, 0.7],
    types: ["iteration"],
  },
  {
    prompt: "We settled the licence question: AGPL for the server, MIT for the SDKs.",
    answer: "I added both licence files and the SPDX headers.",
    tools: ["Write server/LICENSE", "Write sdk/LICENSE", "Bash ./scripts/spdx.sh"],
    band: [0.7, 0.92],
    types: ["decision"],
  },
  {
    prompt:
      "Oh! The tokens are counted twice because the middleware is registered twice. Now the whole billing mystery is solved.",
    answer:
      "Confirmed: app.ts and plugin.ts both register it. With one registration the counts match the invoices to the token.",
    tools: ["Read src/app.ts", "Edit src/plugin.ts", "Bash npm test"],
    band: [0.75, 1],
    types: ["insight"],
  },
  {
    prompt: "I disagree. Retrying a non-idempotent POST is exactly what caused the double charges.",
    answer:
      "You're right, that retry is dangerous. I removed it for POST and kept it for GET and PUT with an idempotency key.",
    before: [
      { prompt: "make the client robust", answer: "All requests are retried three times now." },
    ],
    tools: ["Edit src/client.ts", "Bash npm test"],
    band: [0.65, 0.92],
    types: ["correction", "insight"],
  },
  { prompt: "k", answer: "Anything else?", band: [0, 0.3], types: ["routine"] },
  {
    prompt: "looks good to me, merge it",
    answer: "Merged into main.",
    tools: ["Bash gh pr merge 41 --squash"],
    band: [0, 0.42],
    types: ["routine"],
  },
  {
    prompt: "what is a monad",
    answer:
      "A monad is a type with two operations, unit and bind, that lets you chain computations with context.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "what's the weather like in Lisbon in March",
    answer: "Mild, around 18 degrees, with some rain.",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "add .DS_Store to the gitignore",
    answer: "Added.",
    tools: ["Edit .gitignore"],
    band: [0.25, 0.5],
    types: ["routine"],
  },
  {
    prompt: "Fix the off-by-one in the pagination",
    answer:
      "Fixed: the last page no longer repeats the first row of the previous one. `offset` was computed from a one-based page number.",
    tools: ["Read src/page.ts", "Edit src/page.ts", "Bash npm test"],
    band: [0.45, 0.85],
    types: ["iteration", "insight"],
  },
  {
    prompt: "Write a Dockerfile for the worker",
    answer: "The Dockerfile builds in two stages and runs as a non-root user; the image is 84 MB.",
    tools: ["Write worker/Dockerfile", "Bash docker build worker"],
    band: [0.42, 0.68],
    types: ["iteration"],
  },
  {
    prompt: "tried your suggestion, the LED still doesn't blink",
    answer:
      "Then the pin mapping is the next suspect: please measure PB5 while the loop runs. I added a toggle on PC13 so that we can tell the two apart.",
    before: [{ prompt: "LED does not blink", answer: "Enable the GPIO clock." }],
    tools: ["Edit src/main.c", "Bash make flash"],
    band: [0.48, 0.72],
    types: ["iteration", "error"],
  },
  {
    prompt: "Drop the idea with the shared library, every team vendoring its own copy is fine.",
    answer: "Understood: no shared library. I closed the branch.",
    tools: ["Bash git branch -D shared-lib"],
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt: "nice catch!",
    answer: "Thanks! Shall I continue with the remaining handlers?",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "How do we deploy this thing?",
    answer:
      "Through `make release`: it tags, builds the image and lets Argo sync. The staging cluster follows main automatically, production needs the tag.",
    tools: ["Read Makefile", "Read deploy/argo.yaml"],
    band: [0.1, 0.6],
    types: ["routine", "insight"],
  },
  {
    prompt: "The import is done by Krzysztof's team, not us. Don't touch the loader.",
    answer:
      "Understood, I reverted my edit in the loader and only changed our side of the interface.",
    before: [{ prompt: "make the import faster", answer: "I parallelised the loader." }],
    tools: ["Bash git checkout loader/", "Edit api/import.ts"],
    band: [0.6, 0.9],
    types: ["correction", "decision"],
  },
  {
    prompt: "Shader looks washed out on OLED screens",
    answer:
      "The texture is tagged as linear but stored in sRGB, so the GPU applies the gamma curve twice. Marking it as sRGB in the importer fixes the colours on both devices.",
    tools: ["Read shaders/tone.frag", "Read import/textures.json", "Edit import/textures.json"],
    band: [0.65, 0.92],
    types: ["insight"],
  },
  {
    prompt: "move the constants to their own file",
    answer: "Moved to src/constants.ts; imports updated.",
    tools: ["Write src/constants.ts", "Edit src/app.ts"],
    band: [0.32, 0.62],
    types: ["routine", "iteration"],
  },
  {
    prompt: "no wait, undo, wrong file",
    answer: "Undone; src/app.ts is as before.",
    tools: ["Bash git checkout src/app.ts"],
    before: [{ prompt: "remove the header", answer: "Removed it from src/app.ts." }],
    band: [0.4, 0.75],
    types: ["correction", "error", "iteration"],
  },
  {
    prompt: "always squash when merging, and delete the branch afterwards",
    answer: "Will do.",
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt: "I can't get the SSO callback to work, it redirects forever",
    answer:
      "The loop is in the cookie: SameSite=Strict withholds it on the redirect back from the identity provider, so every callback looks like a new visitor. SameSite=Lax ends the loop; I changed it and added a test with a cross-site redirect.",
    tools: [
      "Bash curl -vL https://localhost/sso !! maximum redirects followed",
      "Read src/cookies.ts",
      "Edit src/cookies.ts",
      "Bash npm test",
    ],
    band: [0.68, 0.92],
    types: ["insight"],
  },
  {
    prompt: "Compare pgvector with Qdrant for our case",
    answer:
      "For 2 million vectors with metadata filters pgvector is enough: one database less to run, transactional with our rows, 30 ms at the 95th percentile in my test. Qdrant would pay off above roughly 50 million. I recommend pgvector.",
    tools: ["Bash python bench_vectors.py", "Read docs/search.md"],
    band: [0.6, 0.9],
    types: ["decision", "insight"],
  },
  {
    prompt: "pgvector then. thanks for testing",
    answer: "I added the extension to the migration and an HNSW index on embeddings.",
    before: [
      { prompt: "Compare pgvector with Qdrant for our case", answer: "I recommend pgvector." },
    ],
    tools: ["Write db/0031_pgvector.sql", "Bash make migrate"],
    band: [0.5, 0.88],
    types: ["decision", "iteration"],
  },
  {
    prompt: "run prettier on everything",
    answer: "Ran prettier; 12 files changed.",
    tools: ["Bash npx prettier --write ."],
    band: [0.15, 0.45],
    types: ["routine"],
  },
  {
    prompt: "is there a helper for parsing durations already?",
    answer: "Yes, `parseDuration` in pkg/timeutil.",
    tools: ["Grep parseDuration"],
    band: [0, 0.4],
    types: ["routine"],
  },
  {
    prompt: "the e-mail preview shows raw HTML entities",
    answer:
      "The subject was escaped twice, once by the template and once by the mailer. I removed the escape in the mailer.",
    tools: ["Read mailer/render.rb", "Edit mailer/render.rb", "Bash rspec spec/mailer"],
    band: [0.55, 0.88],
    types: ["insight", "iteration"],
  },
  {
    prompt: "happy friday everyone, beer o'clock soon",
    answer: "Enjoy the evening!",
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt: "add a retry with exponential backoff to the S3 upload",
    answer:
      "Uploads retry up to five times with jittered exponential backoff, starting at 200 ms; only 5xx and timeouts are retried. Three tests added.",
    tools: ["Edit upload/s3.py", "Edit tests/test_s3.py", "Bash pytest tests/test_s3.py"],
    band: [0.45, 0.72],
    types: ["iteration"],
  },
  {
    prompt: "Hast du die Tests laufen lassen?",
    answer: "Ja, alle 88 Tests sind grün.",
    tools: ["Bash ./gradlew test"],
    band: [0, 0.35],
    types: ["routine"],
  },
  {
    prompt: "Wir haben beschlossen, dass die API nur noch JSON spricht, XML fliegt raus.",
    answer: "Verstanden. Ich habe den XML-Serializer und seine Tests entfernt.",
    tools: ["Bash rm src/xml.ts", "Edit src/negotiate.ts", "Bash npm test"],
    band: [0.68, 0.92],
    types: ["decision"],
  },
  {
    prompt:
      "resulta que el servidor de pruebas usa otra zona horaria, por eso fallaban los informes",
    answer: "Ahora los informes usan UTC en todos los entornos.",
    tools: ["Edit informes/fecha.py", "Bash pytest"],
    band: [0.68, 0.92],
    types: ["insight"],
  },
  {
    prompt: "Upgrade to React 19",
    answer:
      "React is at 19.1. Two things needed work: `forwardRef` wrappers are gone in favour of plain refs, and the testing library had to move to version 16. All tests pass.",
    tools: [
      "Bash npm i react@19 react-dom@19",
      "Bash npm test !! 14 failed",
      "Edit src/Input.tsx",
      "Edit src/Modal.tsx",
      "Bash npm test",
    ],
    band: [0.42, 0.72],
    types: ["iteration", "routine"],
  },
  {
    prompt: "the agent must never write to the production database, read replicas only",
    answer: "Understood, I switched the connection string of the scripts to the replica.",
    tools: ["Edit scripts/db.sh"],
    band: [0.6, 0.9],
    types: ["decision"],
  },
  {
    prompt: "wonderful, now nothing compiles at all. what did you do?",
    answer:
      "I renamed the module but missed the re-export in lib.rs; my fault. It is back and everything compiles.",
    before: [{ prompt: "rename the module", answer: "Renamed." }],
    tools: ["Bash cargo check !! unresolved import", "Edit src/lib.rs", "Bash cargo check"],
    band: [0.55, 0.88],
    types: ["correction", "error"],
  },
  {
    prompt: "same pattern in the other three repos btw: a global logger that swallows the stack",
    answer: "I noted it in docs/known-issues.md and fixed it here with a child logger per request.",
    tools: ["Edit docs/known-issues.md", "Edit src/log.ts"],
    band: [0.62, 0.92],
    types: ["insight"],
  },
  {
    prompt: "Can we cache this?",
    answer:
      "Yes: the price list changes once a day, so I cached the response for an hour in the CDN and added a purge on publish.",
    tools: ["Edit src/prices.ts", "Edit src/publish.ts", "Bash npm test"],
    band: [0.45, 0.78],
    types: ["iteration", "decision"],
  },
  {
    prompt: "open the docs folder and tell me what is in there",
    answer: "There are three guides and an API reference.",
    tools: ["Bash ls docs"],
    band: [0, 0.3],
    types: ["routine"],
  },
  {
    prompt:
      "I spent the evening with the debugger: the scheduler starves low-priority jobs since aging is off by default",
    answer:
      "That fits the queue metrics. I enabled aging with a factor of 1.5 and the oldest waiting job is now under 4 minutes.",
    tools: ["Edit config/scheduler.yaml", "Bash ./bench/queue.sh"],
    band: [0.66, 0.92],
    types: ["insight"],
  },
  {
    prompt:
      "approach A (polling) hammers the API, approach B (webhooks) loses events on deploys. we combine: webhooks plus a nightly reconcile",
    answer:
      "Implemented: webhooks update immediately and a nightly job reconciles the last 48 hours.",
    tools: ["Edit src/hooks.ts", "Write src/reconcile.ts", "Bash npm test"],
    band: [0.6, 0.9],
    types: ["decision", "insight"],
  },
];
