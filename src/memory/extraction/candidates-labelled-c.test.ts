/** Turns as people type them and what must be left of them; most were written before the rules that they check. */
import { describe, test } from "bun:test";
import { expectRemembered } from "./candidates-fixtures.ts";
import type { SaidTurn } from "./candidates-fixtures.ts";

describe("a ledger, a back office and data feeds, in run-on chat", () => {
  test.each<SaidTurn>([
    {
      prompt: "new endpoints are kebab-case plural, /refund-requests not /refundRequest",
      answer: "Renamed the route.",
      want: [["kebab-case"]],
    },
    {
      prompt:
        "ok the refund thing: merchants may refund up to 180 days after capture, after that support does it by hand",
      answer: "REFUND_WINDOW_DAYS is 180.",
      want: [["180 days", "refund"]],
    },
    {
      prompt: "log it with the request id, never the iban or the name, gdpr",
      answer: "Only the request id is logged.",
      want: [["iban"]],
    },
    {
      prompt: "tomek moved to the platform team, ask Ana-Maria about kafka stuff from now on",
      answer: "ok",
      want: [["ana-maria", "kafka"]],
    },
    {
      prompt:
        "the 429s come from us. limiter is per ip but everything comes through the same nat, make it per api key",
      answer: "The limiter now uses the API key as its bucket.",
      want: [["limiter", "api key"]],
    },
    {
      prompt: "node 22 everywhere please, CI still has 20",
      answer: "CI and the Dockerfile use Node 22 now.",
      want: [["node", "22"]],
    },
    {
      prompt: "swap winston for pino, winston blocks the loop under load",
      answer: "Logger is pino now.",
      want: [["pino", "winston"]],
    },
    {
      prompt: "what's our sla again? 99.9 for the payout api, reports dont count",
      answer: "Noted.",
      want: [["99.9", "payout"]],
    },
    {
      prompt:
        "hotfix branches start with hot/ and go straight to main, everything else through develop",
      answer: "ok",
      want: [["hot", "main"]],
    },
    {
      prompt:
        "thing i learned today: crc32 is 32 bit so two tenants can share a shard. use xxh3_64",
      answer: "src/shard.ts uses xxh3_64 now.",
      want: [["xxh3_64"]],
    },
    {
      prompt:
        "sandbox keys start with tk_, live ones with lk_. the middleware should reject tk_ in prod",
      answer: "Added the check.",
      want: [["tk", "lk"]],
    },
    {
      prompt: "a11y: contrast AA at least, focus rings stay visible. Noor audits us every quarter",
      answer: "ok",
      want: [["contrast"], ["noor"]],
    },
    {
      prompt: "the editor migration is done, mobx is gone. jotai only",
      answer: "Removed mobx.",
      want: [["jotai", "mobx"]],
    },
    {
      prompt: "breakpoints are 480/768/1200, nothing else, design complained",
      answer: "ok",
      want: [["480", "768", "1200"]],
    },
    {
      prompt:
        "use the useMoney hook to format amounts, Intl directly gets the currency position wrong for chf",
      answer: "Replaced.",
      want: [["usemoney"]],
    },
    {
      prompt: "safari 15 support is dropped, we target 16.4+",
      answer: "Updated browserslist.",
      want: [["16.4"]],
    },
    {
      prompt: "why is the table empty on first load",
      answer:
        "The query key did not contain the merchant id, so react-query served the cached empty result of the previous merchant. The key is now ['payouts', merchantId].",
      want: [["query key", "merchant"]],
    },
    {
      prompt: "msw for api mocks in tests, handlers live in src/mocks",
      answer: "ok",
      want: [["msw", "src/mocks"]],
    },
    {
      prompt:
        "sigh. bruno says we cant upgrade react before the kit supports 19, so stay on 18 until january",
      answer: "ok",
      want: [["18", "january"]],
    },
    {
      prompt: "duckdb replaces the pandas step in export too",
      answer: "Done.",
      want: [["duckdb", "export"]],
    },
    {
      prompt: "fx rates come from ecb at 16:00, weekends use friday's",
      answer: "ok",
      want: [["ecb", "16:00"]],
    },
    {
      prompt: "keep raw files 400 days in s3://corp-raw, glacier after 90",
      answer: "ok",
      want: [["400 days", "corp-raw"]],
    },
    {
      prompt: "export batch of 500 times out on their side. 200 works",
      answer: "BATCH is 200 now.",
      want: [["200", "batch"]],
    },
    {
      prompt: "type hints on everything and mypy strict, Selim will run it in CI from october",
      answer: "ok",
      want: [["mypy"]],
    },
    {
      prompt: "ingest alerts to #data-alerts, not my inbox",
      answer: "ok",
      want: [["data-alerts"]],
    },
    {
      prompt:
        "the partner renamed value_date to booking_date in their file yesterday, thats what broke it",
      answer: "load() accepts both names now.",
      want: [["booking_date", "value_date"]],
    },
    {
      prompt:
        "ok airflow it is after all, cron is unmanageable with 14 jobs. management signed off",
      answer: "I'd start with the settlement DAG.",
      want: [["airflow", "cron"]],
    },
    {
      prompt: "I'm on holiday 12-23 october, Ines takes over my reviews",
      answer: "Enjoy!",
      want: [["ines", "reviews"]],
    },
    { prompt: "thx. run it with --dry-run once more", answer: "Same result.", want: [] },
    { prompt: "haha ok. make it prettier", answer: "Done.", want: [] },
    { prompt: "we agreed on tacos after standup btw", answer: "Nice.", want: [] },
    {
      prompt: "what does pandas do with NaN in groupby?",
      answer: "It drops those keys unless dropna=False.",
      want: [],
    },
    { prompt: "never thought i'd say that but the types helped", answer: "Good.", want: [] },
    { prompt: "i forgot, how do i drop a column in polars", answer: "df.drop('x')", want: [] },
    { prompt: "stop", want: [] },
    { prompt: "rename that to settleBatch and move it up", answer: "Done.", want: [] },
    { prompt: "port it to fastify 5", answer: "Ported; 3 plugins needed an update.", want: [] },
    {
      prompt: "remember me to look at the invoice bug tomorrow",
      answer: "I cannot set reminders.",
      want: [],
    },
    {
      prompt: "is 8.5% vat right for switzerland?",
      answer: "It is 8.1 percent since 2024.",
      want: [],
    },
  ])("$prompt", (turn) => expectRemembered(turn));
});

describe("the same three, months later", () => {
  test.each<SaidTurn>([
    {
      prompt:
        "morning. ok so kyc: we use Onfido for persons and Moody for companies, never the other way round",
      answer: "Understood.",
      want: [["onfido"]],
    },
    {
      prompt: "why is /transfers 3x slower than yesterday",
      answer:
        "The new audit trigger on transfers writes synchronously to audit_log, which has no index on entity_id, so each insert scans the table. I added the index and the latency is back to 40 ms.",
      want: [["audit", "index"]],
    },
    {
      prompt: "good. ids in public urls are ulids, internal ones stay bigserial, dont mix",
      answer: "ok",
      want: [["ulids", "bigserial"]],
    },
    {
      prompt:
        "put the openapi file under version control, the client team (Hendrik) generates from it nightly",
      answer: "Added openapi.json to the repo.",
      want: [["hendrik"]],
    },
    {
      prompt: "hm the 30s on the gateway is too short for the statement export, go 120",
      answer: "Gateway timeout is 120 s for /statements now.",
      want: [["120"]],
    },
    {
      prompt: "we never delete merchants btw, only archived_at, auditors",
      answer: "Switched to archived_at.",
      want: [["archived_at"]],
    },
    {
      prompt: "no that metric is per region, the global one is transfers_total",
      answer: "Corrected.",
      want: [["transfers_total"]],
    },
    {
      prompt: "slack for incidents is #inc-money and Paola runs them",
      answer: "ok",
      want: [["inc-money", "paola"]],
    },
    {
      prompt:
        "ok remember: kafka prod cluster is kfk3, the other two are getting shut down in november",
      answer: "Noted.",
      want: [["kfk3"]],
    },
    {
      prompt: "and yes the api key header is X-Api-Key not Authorization, historical",
      answer: "ok",
      want: [["x-api-key"]],
    },
    {
      prompt:
        "so the deadlock: two workers update balances in different order. from now on always lock accounts by ascending id",
      answer: "withAccounts() sorts the ids before locking.",
      want: [["ascending", "accounts"]],
    },
    {
      prompt: "moving forms to react-hook-form, formik is unmaintained",
      answer: "Replaced formik in the two settings forms.",
      want: [["react-hook-form", "formik"]],
    },
    {
      prompt:
        "toast in the bottom left, 4 seconds, errors stay until dismissed. thats from the new guidelines",
      answer: "Done.",
      want: [["toast", "4 seconds"]],
    },
    {
      prompt: "Jonna does QA on thursdays, so merges by wednesday evening",
      answer: "ok",
      want: [["jonna"]],
    },
    {
      prompt: "we dont use enums, string unions only",
      answer: "Converted.",
      want: [["enums", "unions"]],
    },
    {
      prompt:
        "the vite proxy thing bit me again. port is 5174 because 5173 is taken by the kit storybook",
      answer: "ok",
      want: [["5174"]],
    },
    {
      prompt: "dark mode: tokens only, no hex in components. lint rule coming",
      answer: "ok",
      want: [["tokens", "hex"]],
    },
    {
      prompt: "users in brazil see the wrong currency",
      answer:
        "Root cause: the locale was read from navigator.language instead of the merchant profile, so Brazilian merchants with an English browser got USD formatting. formatMoney now takes the merchant currency.",
      want: [["navigator.language"]],
    },
    {
      prompt: "please keep components under 200 lines, split otherwise",
      answer: "ok",
      want: [["200 lines"]],
    },
    {
      prompt: "analytics is posthog, self hosted at ph.corp.example, no google anything",
      answer: "ok",
      want: [["posthog"]],
    },
    {
      prompt: "dbt for the transforms, no more sql in python strings",
      answer: "ok",
      want: [["dbt"]],
    },
    {
      prompt: "sepa file cutoff is 14:30, anything later goes next business day",
      answer: "ok",
      want: [["14:30"]],
    },
    {
      prompt: "partition by booking_date not by load date, otherwise the late files kill us",
      answer: "Changed.",
      want: [["booking_date"]],
    },
    {
      prompt: "the vault path for the sftp password is kv/feeds/sftp, dont put it in env",
      answer: "ok",
      want: [["kv/feeds/sftp"]],
    },
    {
      prompt: "sftp host changed: sftp2.bank.example, port 2222",
      answer: "Updated.",
      want: [["sftp2.bank.example", "2222"]],
    },
    {
      prompt: "Mirko in treasury wants the liquidity report by 7, in EUR millions, one decimal",
      answer: "ok",
      want: [["mirko", "liquidity"]],
    },
    {
      prompt: "great expectations was overkill, we dropped it. plain asserts in the job",
      answer: "Removed.",
      want: [["great expectations"]],
    },
    {
      prompt: "tz: everything utc in the warehouse, cet only in reports",
      answer: "ok",
      want: [["utc", "cet"]],
    },
    {
      prompt: "and the dedupe window is 48h not 24",
      answer: "Dedupe window is 48 hours.",
      want: [["dedupe", "48"]],
    },
    {
      prompt: "ok one thing, dont show me whole files, just the changed lines",
      answer: "ok",
      want: [["changed lines"]],
    },
    {
      prompt: "what was that command to squash commits again",
      answer: "git rebase -i HEAD~3",
      want: [],
    },
    {
      prompt: "my flight got delayed so i have another hour lol. next: the tests",
      answer: "ok",
      want: [],
    },
    { prompt: "try with 4 workers", answer: "2x faster.", want: [] },
    { prompt: "nice nice. format and push", answer: "Pushed.", want: [] },
    { prompt: "does polars have a rolling median?", answer: "Yes, rolling_median.", want: [] },
    {
      prompt: "it prints 17 rows now, expected 16",
      answer: "One duplicate header row; filtered.",
      want: [],
    },
    { prompt: "remind me what this function does", answer: "It merges...", want: [] },
    { prompt: "i never liked this name. rename to settleAll", answer: "Renamed.", want: [] },
    { prompt: "the wifi here is horrible, sorry if i drop", answer: "No problem.", want: [] },
    { prompt: "open a PR for it, draft", answer: "Opened.", want: [] },
  ])("$prompt", (turn) => expectRemembered(turn));
});
