/** Turns as people type them and what must be left of them; most were written before the rules that they check. */
import { describe, test } from "bun:test";
import { expectRemembered } from "./candidates-fixtures.ts";
import type { SaidTurn } from "./candidates-fixtures.ts";

describe("a shop, in other voices", () => {
  test.each<SaidTurn>([
    {
      prompt: "pagination is cursor based everywhere, offset paging killed the replica in march",
      answer: "ok",
      want: [["pagination", "cursor"]],
    },
    { prompt: "I'm in Bogota this month so CI at 9 is my 4am, whatever", answer: "ok", want: [] },
    {
      prompt:
        "if sendgrid acts up write to Paulo at sendgrid support, he knows our account (#88213)",
      answer: "ok",
      want: [["paulo", "sendgrid"]],
    },
    {
      prompt: "from 15 nov to 3 jan no schema changes, holiday season",
      answer: "Understood.",
      want: [["schema changes"]],
    },
    {
      prompt:
        "cool cool. btw every endpoint needs a zod schema, no exceptions. anyway, where were we",
      answer: "We were adding the coupon route.",
      want: [["zod", "endpoint"]],
    },
    {
      prompt: "stories live next to the component, *.stories.tsx, and chromatic runs on every PR",
      answer: "ok",
      want: [["stories", "chromatic"]],
    },
    {
      prompt:
        "default locale is pt-BR, en is the fallback, translations come from lokalise every night",
      answer: "ok",
      want: [["pt-br"]],
    },
    {
      prompt: "we round half even, finance checked that",
      answer: "ok",
      want: [["round", "half even"]],
    },
    {
      prompt: "the e2e login test is flaky, fix it",
      answer:
        "The test clicked before hydration finished. It now waits for the form to be enabled, and 20 runs in a row passed.",
      want: [],
    },
    {
      prompt: "why do we get two emails per order?",
      answer:
        "Because the consumer acknowledged after sending: when the ack timed out, RabbitMQ redelivered the message and the mail went out again. I moved the ack before the send and added a dedup key.",
      want: [["emails", "redelivered"]],
    },
    {
      prompt: "prod db is read only for us, writes go through the admin tool",
      answer: "ok",
      want: [["prod", "read only"]],
    },
    {
      prompt: "can you set replicas to 4 in prod?",
      answer: "replicas is 4 in values-prod.yaml.",
      want: [["replicas", "4"]],
    },
    { prompt: "give me 5 example rows for the docs", answer: "Here are five rows ...", want: [] },
    { prompt: "undo that, the old version was better", answer: "Reverted.", want: [] },
    {
      prompt: "first do the model, then the view. after that we look at the tests",
      answer: "ok",
      want: [],
    },
    {
      prompt: 'the docs say "always call dispose()" but it doesn\'t exist anymore, right?',
      answer: "Right, it was removed in 3.0.",
      want: [],
    },
    { prompt: "yes do it, and also the other two files", answer: "Done.", want: [] },
    { prompt: "how many bytes is a uuid?", answer: "16 bytes.", want: [] },
    { prompt: "this always happens when I'm about to leave...", answer: "Let me look.", want: [] },
    { prompt: "we decided to watch dune tonight so i'm off at 6", answer: "Have fun.", want: [] },
    {
      prompt: "what if we moved everything to kafka? just thinking out loud",
      answer: "It would decouple...",
      want: [],
    },
    {
      prompt: "the button is 3px too low in safari, nudge it",
      answer: "Fixed with translateY(-3px).",
      want: [],
    },
    {
      prompt: "you need the vpn for staging, host is bastion.shopfront.example",
      answer: "ok",
      want: [["bastion.shopfront.example"]],
    },
    {
      prompt: "two approvals needed for anything in infra/, one for the rest",
      answer: "ok",
      want: [["approvals", "infra"]],
    },
    {
      prompt: "test merchant is 'Lumen Books' id 4411, use that one for manual tests",
      answer: "ok",
      want: [["4411"]],
    },
    { prompt: "python 3.12 only, 3.13 breaks our c extension", answer: "ok", want: [["3.12"]] },
    {
      prompt: "we tried celery before, it lost tasks on deploys. thats why its all cron now",
      answer: "Got it.",
      want: [["celery"]],
    },
    {
      prompt: "call the table payout_batches not batches, and the fk batch_id",
      answer: "Renamed.",
      want: [["payout_batches"]],
    },
    {
      prompt: "name the counter refund_rejected_total please",
      answer: "Counter refund_rejected_total is incremented on each rejection.",
      want: [["refund_rejected_total"]],
    },
    {
      prompt: "logs are in loki, label app=checkout, keep 14 days",
      answer: "ok",
      want: [["loki"]],
    },
    {
      prompt: "lower the sampling rate to 5%, datadog bill was insane",
      answer: "Sampling is 5 percent now.",
      want: [["sampling", "5"]],
    },
    {
      prompt: "lets put new buckets in eu-north-1 from now on",
      answer: "ok",
      want: [["eu-north-1"]],
    },
    {
      prompt: "the maps api key has 10k calls a day, prod uses about 7k",
      answer: "ok",
      want: [["10k", "maps"]],
    },
    {
      prompt:
        "For your information, the acceptance tests must be executed against the simulator, because the hardware rig is shared with the Graz team.",
      answer: "Understood.",
      want: [["simulator", "acceptance"]],
    },
    {
      prompt:
        "is important: the module of invoice is not to be touch before the audit finish in january",
      answer: "Understood, I leave it alone.",
      want: [["invoice", "audit"]],
    },
    {
      prompt: "indent 2, single quotes, no semis",
      answer: "ok",
      want: [["indent", "single quotes"]],
    },
    {
      prompt: "i prefer type over interface, and named exports",
      answer: "ok",
      want: [["type", "interface"]],
    },
    {
      prompt: "dont ask before running tests, just run them",
      answer: "ok",
      want: [["ask", "tests"]],
    },
    {
      prompt: "Kenji and me pair on tuesdays, so leave the parser alone on those days",
      answer: "ok",
      want: [["kenji", "tuesdays"]],
    },
    {
      prompt:
        "$ kubectl get pods\nNAME READY STATUS\napi-1 0/1 CrashLoopBackOff\nwhats up with that",
      answer:
        "The liveness probe hits /health on port 3000 but the server listens on 8080, so the kubelet kills it. I changed the probe to 8080.",
      want: [["8080", "probe"]],
    },
    {
      prompt:
        "fixed it myself, the cert had expired. certs are renewed by hand every 90 days, remind the team in #infra",
      answer: "ok",
      want: [["certs", "90 days"]],
    },
    {
      prompt: "we shipped 4.2.0 yesterday, 4.1 is not supported any more",
      answer: "ok",
      want: [["4.1"]],
    },
  ])("$prompt", (turn) => expectRemembered(turn));
});

describe("a harbour system, hurriedly", () => {
  test.each<SaidTurn>([
    {
      prompt:
        "hey. quick one: the sandbox resets every night at 4, so dont leave fixtures in there",
      answer: "ok",
      want: [["sandbox", "4"]],
    },
    {
      prompt: "wrong again. amounts in the ledger are signed, credits negative",
      answer: "Sorry, fixed.",
      want: [["ledger", "signed"]],
    },
    {
      prompt: "can you look why the image build takes 14 minutes",
      answer:
        "The cause is that the COPY of node_modules comes before the lockfile step, so every change invalidates the layer. I reordered it and the build takes 3 minutes.",
      want: [["copy", "layer"]],
    },
    {
      prompt: "ok. then lets cap it at 3 attempts, the bank blocks us after 5",
      answer: "MAX_ATTEMPTS is 3 now.",
      want: [["3", "attempts"]],
    },
    {
      prompt: "Rosa does the releases, if she is away its Tim. neither on mondays",
      answer: "ok",
      want: [["rosa", "releases"]],
    },
    {
      prompt: "docs go to docs/ as mdx, adr numbers are four digits",
      answer: "ok",
      want: [["mdx"], ["adr", "four digits"]],
    },
    {
      prompt: "hm ok. we have 3 envs: dev, uat and prod. uat is what the client sees",
      answer: "ok",
      want: [["uat", "client"]],
    },
    {
      prompt: "the mobile team still calls v1 of the api until february, dont remove it",
      answer: "ok",
      want: [["v1", "february"]],
    },
    {
      prompt: "memory limit on the pods is 512Mi and thats not negotiable, platform team said so",
      answer: "ok",
      want: [["512mi"]],
    },
    {
      prompt: "also error messages are for humans: what happened, what to do, no codes",
      answer: "ok",
      want: [["error messages"]],
    },
    { prompt: "test it again please", answer: "All 22 tests pass.", want: [] },
    {
      prompt: "why is it red",
      answer: "The linter complains about an unused variable in cart.ts; I removed it.",
      want: [],
    },
    {
      prompt: "is there a way to make ripgrep ignore minified files?",
      answer: "Use --max-columns.",
      want: [],
    },
    { prompt: "nah forget it. lets do the other thing first", answer: "ok", want: [] },
    {
      prompt: "hmm, 3 of them fail on my machine but not on yours",
      answer: "Your Node is older.",
      want: [],
    },
    {
      prompt: "can you make a table of pros and cons, keep it to 6 rows",
      answer: "| pro | con | ...",
      want: [],
    },
    {
      prompt: "btw mocks for the payment provider are in test/fakes, not __mocks__",
      answer: "ok",
      want: [["test/fakes"]],
    },
    {
      prompt: "and petra from qa wants a changelog entry per ticket",
      answer: "Added one.",
      want: [["petra", "changelog"]],
    },
    {
      prompt:
        "graphql is federated, each service owns its subgraph, the router config is in infra/router",
      answer: "ok",
      want: [["federated"]],
    },
    {
      prompt: "we got burned by moment timezones so it's luxon everywhere",
      answer: "ok",
      want: [["luxon"]],
    },
    {
      prompt: "for the record: downtime window is sundays 3 to 5 utc",
      answer: "ok",
      want: [["downtime", "sundays"]],
    },
    {
      prompt: "pls no default exports, my editor hates them",
      answer: "ok",
      want: [["default exports"]],
    },
    {
      prompt: "the invoice numbers must be gapless, thats german law",
      answer: "ok",
      want: [["invoice numbers", "gapless"]],
    },
    {
      prompt: "change the session timeout from 30 to 20 min, pen test finding",
      answer: "Session timeout is 20 minutes.",
      want: [["session timeout", "20"]],
    },
    {
      prompt: "use ulid for new ids, uuid only where it already is",
      answer: "ok",
      want: [["ulid"]],
    },
    {
      prompt:
        "wait, who approved that? i told you 2 weeks ago that the old queue is gone, it's all on sqs",
      answer: "Understood, everything is on SQS.",
      want: [["sqs"]],
    },
    {
      prompt: "my github handle is jfarrow and i review in the mornings",
      answer: "ok",
      want: [["jfarrow"]],
    },
    { prompt: "explain like im new to rust, i come from python", answer: "ok", want: [["python"]] },
    {
      prompt: "yes. and for next time: run fmt before you show me a diff",
      answer: "ok",
      want: [["fmt", "diff"]],
    },
    {
      prompt:
        "ok so conclusion: the leak is in the websocket hub, clients that disconnect uncleanly are never removed from the map",
      answer: "Right.",
      want: [["leak", "websocket"]],
    },
    {
      prompt: "what did we say about the cache key? -- ah right, tenant id first, then locale",
      answer: "Yes.",
      want: [["tenant id", "locale"]],
    },
    {
      prompt: "deploy freeze next week because of black friday",
      answer: "ok",
      want: [["freeze", "black friday"]],
    },
    { prompt: "cool, ship it", answer: "Merged.", want: [] },
    {
      prompt: "i'd rather have small commits, one per logical change",
      answer: "ok",
      want: [["small commits"]],
    },
    {
      prompt: "nightly job? 01:30 utc, owned by the data guys (channel #data-nightly)",
      answer: "ok",
      want: [["01:30", "data-nightly"]],
    },
    {
      prompt: "no no. the flag is called enable_new_tax, not newTax",
      answer: "Renamed.",
      want: [["enable_new_tax"]],
    },
    {
      prompt: "we pay for 5 seats on sentry, so dont invite bots",
      answer: "ok",
      want: [["5 seats", "sentry"]],
    },
    {
      prompt: "terraform state for prod is in a separate account, 4411-8822, ask Ines for the role",
      answer: "ok",
      want: [["4411-8822"]],
    },
    { prompt: "let me think... ok do the first variant", answer: "Done.", want: [] },
  ])("$prompt", (turn) => expectRemembered(turn));
});
