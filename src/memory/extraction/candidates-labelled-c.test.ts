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
