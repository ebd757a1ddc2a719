/**
 * Turns of one project in order, and what is active in the end: what replaces what, and what must stay. Run without an
 * embedder; likeness is told by words alone.
 */
import { test } from "bun:test";
import { expectActive } from "./sequences-fixtures.ts";
import type { Sequence } from "./sequences-fixtures.ts";

test.each<Sequence>([
  {
    name: "rate limit raised",
    turns: [
      ["rate limit is 100 rps per key", "ok"],
      ["raise the rate limit to 250 rps, partners complain", "Rate limit is 250 rps per key now."],
    ],
    keep: [["rate limit", "250"]],
    gone: [["rate limit", "100"]],
  },
  {
    name: "log retention changes with 'now'",
    turns: [
      ["we keep logs 14 days", "ok"],
      ["logs are kept 30 days now, audit wants it", "ok"],
    ],
    keep: [["logs", "30"]],
    gone: [["logs", "14"]],
  },
  {
    name: "two different retentions stay",
    turns: [
      ["audit logs are kept 13 months", "ok"],
      ["debug logs are kept 7 days", "ok"],
    ],
    keep: [
      ["audit", "13"],
      ["debug", "7"],
    ],
    gone: [],
  },
  {
    name: "two ports stay",
    turns: [
      ["staging postgres is on port 5433", "ok"],
      ["staging redis is on port 6380", "ok"],
    ],
    keep: [
      ["postgres", "5433"],
      ["redis", "6380"],
    ],
    gone: [],
  },
  {
    name: "staging and prod urls stay",
    turns: [
      ["staging is https://stage.corp.example", "ok"],
      ["prod is https://app.corp.example", "ok"],
    ],
    keep: [["stage.corp.example"], ["app.corp.example"]],
    gone: [],
  },
  {
    name: "staging url moved",
    turns: [
      ["staging is https://stage.corp.example", "ok"],
      ["staging moved to https://stage2.corp.example", "ok"],
    ],
    keep: [["stage2.corp.example"]],
    gone: [["staging is https"]],
  },
  {
    name: "owner changes",
    turns: [
      ["Marta owns the billing service", "ok"],
      ["Jonas took over billing from Marta", "ok"],
    ],
    keep: [["jonas", "billing"]],
    gone: [["marta owns"]],
  },
  {
    name: "owners of two services stay",
    turns: [
      ["Marta owns the billing service", "ok"],
      ["Jonas owns the search service", "ok"],
    ],
    keep: [
      ["marta", "billing"],
      ["jonas", "search"],
    ],
    gone: [],
  },
  {
    name: "unknown tools replaced",
    turns: [
      ["we use flarn for background jobs", "ok"],
      ["flarn is out, we move to quibble for background jobs", "ok"],
    ],
    keep: [["quibble"]],
    gone: [["we use flarn"]],
  },
  {
    name: "ci provider",
    turns: [
      ["ci runs on circleci", "ok"],
      ["we moved ci from circleci to buildkite", "ok"],
    ],
    keep: [["buildkite"]],
    gone: [["ci runs on circleci"]],
  },
  {
    name: "node version",
    turns: [
      ["we are on node 20", "ok"],
      ["bump node to 22", "Node is 22 in .nvmrc and CI."],
    ],
    keep: [["node", "22"]],
    gone: [["node 20"]],
  },
  {
    name: "standup moved",
    turns: [
      ["standup is at 9:30 every day", "ok"],
      ["standup moved to 10:00", "ok"],
    ],
    keep: [["standup", "10:00"]],
    gone: [["9:30"]],
  },
  {
    name: "two meetings stay",
    turns: [
      ["standup is at 9:30 every day", "ok"],
      ["retro is on friday at 15:00", "ok"],
    ],
    keep: [
      ["standup", "9:30"],
      ["retro", "15:00"],
    ],
    gone: [],
  },
  {
    name: "backups and deploy times stay",
    turns: [
      ["the nightly backup runs at 02:00", "ok"],
      ["move the report job to 05:00", "The report job runs at 05:00 now."],
    ],
    keep: [
      ["backup", "02:00"],
      ["report", "05:00"],
    ],
    gone: [],
  },
  {
    name: "ui library",
    turns: [
      ["let's go with mui for the components", "ok"],
      ["we switch from mui to radix, bundle got too big", "ok"],
    ],
    keep: [["radix"]],
    gone: [["go with mui"]],
  },
  {
    name: "short then detailed",
    turns: [
      ["keep your answers short please", "ok"],
      ["actually I want detailed answers from now on", "ok"],
    ],
    keep: [["detailed"]],
    gone: [["keep your answers short"]],
  },
  {
    name: "tabs flip",
    turns: [
      ["I prefer tabs over spaces", "ok"],
      ["I prefer spaces over tabs now", "ok"],
    ],
    keep: [["spaces over tabs"]],
    gone: [["tabs over spaces"]],
  },
  {
    name: "rule relaxed",
    turns: [
      ["never force push", "ok"],
      ["force push is fine on your own feature branches", "ok"],
    ],
    keep: [["never force push"]],
    gone: [],
  },
  {
    name: "threshold correction",
    turns: [
      ["alert fires at p99 > 250ms", "ok"],
      ["no, the alert is at 400ms", "Corrected: the alert fires at p99 > 400ms."],
    ],
    keep: [["400"]],
    gone: [["250"]],
  },
  {
    name: "bucket correction",
    turns: [
      ["backups go to s3://corp-backups-eu", "ok"],
      ["backups go to s3://corp-backups-us instead of s3://corp-backups-eu", "ok"],
    ],
    keep: [["corp-backups-us"]],
    gone: [["backups go to s3://corp-backups-eu."]],
  },
  {
    name: "retry counts of two clients stay",
    turns: [
      ["the mobile sdk retries 6 times", "ok"],
      ["the webhook worker retries 8 times", "ok"],
    ],
    keep: [
      ["mobile", "6"],
      ["webhook", "8"],
    ],
    gone: [],
  },
  {
    name: "timeouts of two services stay",
    turns: [
      ["set the gateway timeout to 30s", "Gateway timeout is 30s."],
      ["set the worker timeout to 5 minutes", "Worker timeout is 5 minutes."],
    ],
    keep: [
      ["gateway", "30s"],
      ["worker", "5 minutes"],
    ],
    gone: [],
  },
  {
    name: "fact then more about it",
    turns: [
      ["Lotte is our designer", "ok"],
      ["Lotte wants svg icons only, no icon fonts", "ok"],
    ],
    keep: [["lotte", "designer"], ["svg"]],
    gone: [],
  },
  {
    name: "case and decision on the same tool stay",
    turns: [
      [
        "redis failed over and we lost the queue, find out why",
        "Root cause: the replica was promoted before it had the last writes, so the queue keys were lost.",
      ],
      ["we use redis for sessions only", "ok"],
    ],
    keep: [["replica", "promoted"], ["sessions"]],
    gone: [],
  },
  {
    name: "deadline moves",
    turns: [
      ["launch is on 2 december", "ok"],
      ["launch slips to 9 december", "ok"],
    ],
    keep: [["9 december"]],
    gone: [["2 december"]],
  },
  {
    name: "same rule again",
    turns: [
      ["never commit to main directly", "ok"],
      ["again: never commit to main directly!", "ok"],
    ],
    keep: [["never commit to main"]],
    gone: [],
  },
  {
    name: "budget changed with correction",
    turns: [
      ["bundle budget is 200 kB", "ok"],
      ["bundle budget goes to 240 kB, marketing needs the video player", "ok"],
    ],
    keep: [["240"]],
    gone: [["200"]],
  },
  {
    name: "page weights differ",
    turns: [
      ["bundle budget is 200 kB", "ok"],
      ["images must be under 150 kB", "ok"],
    ],
    keep: [["200"], ["150"]],
    gone: [],
  },
  {
    name: "drop a rule's tool keeps others",
    turns: [
      ["tests use factories, never fixtures", "ok"],
      ["we drop enzyme, testing library only", "ok"],
    ],
    keep: [["factories"], ["testing library"]],
    gone: [],
  },
  {
    name: "channel changes",
    turns: [
      ["alerts go to #ops-alerts", "ok"],
      ["alerts go to #sre-alerts from now on", "ok"],
    ],
    keep: [["sre-alerts"]],
    gone: [["ops-alerts"]],
  },
  {
    name: "feature flags vs config",
    turns: [
      ["feature flags go through launchdarkly", "ok"],
      ["config goes through consul", "ok"],
    ],
    keep: [["launchdarkly"], ["consul"]],
    gone: [],
  },
  {
    name: "person leaves, unrelated stays",
    turns: [
      ["Ravi reviews the sql migrations", "ok"],
      ["Mia reviews the terraform", "ok"],
      ["Ravi left, Sven reviews sql migrations now", "ok"],
    ],
    keep: [["sven"], ["mia"]],
    gone: [["ravi reviews"]],
  },
  {
    name: "pool of another service",
    turns: [
      ["set the api pool to 25", "The api pool is 25."],
      ["set the worker pool to 5", "The worker pool is 5."],
    ],
    keep: [
      ["api", "25"],
      ["worker", "5"],
    ],
    gone: [],
  },
  {
    name: "cache ttl twice",
    turns: [
      ["cache ttl is 5 minutes", "ok"],
      ["cache ttl -> 60s", "Cache TTL is 60 seconds now."],
    ],
    keep: [["60"]],
    gone: [["5 minutes"]],
  },
  {
    name: "branching policy",
    turns: [
      ["we rebase, never merge commits", "ok"],
      ["we squash merge from now on, no more rebasing", "ok"],
    ],
    keep: [["squash"]],
    gone: [["we rebase"]],
  },
  {
    name: "merchants hit the 60 limit on black friday rehearsals. make it 300 per minute",
    turns: [
      [
        "rate limits: 60 per minute per merchant, sliding window, in redis",
        "Implemented as a sorted set per merchant.",
      ],
      [
        "merchants hit the 60 limit on black friday rehearsals. make it 300 per minute",
        "Limit is 300 per minute per merchant now.",
      ],
    ],
    keep: [["300"]],
    gone: [["60 per minute per merchant, sliding"]],
  },
  {
    name: "Lotte went on parental leave, Arjun is the new PM for checkout",
    turns: [
      ["Lotte is PM for checkout, she decides on copy", "ok"],
      ["Lotte went on parental leave, Arjun is the new PM for checkout", "Noted."],
    ],
    keep: [["arjun", "pm"]],
    gone: [["lotte is pm"]],
  },
  {
    name: "cypress keeps timing out in ci so I ported the e2e stuff to playwright last night. cypress can go",
    turns: [
      ["e2e with cypress, they live in e2e/, run them headless", "ok"],
      [
        "cypress keeps timing out in ci so I ported the e2e stuff to playwright last night. cypress can go",
        "Removed cypress.",
      ],
    ],
    keep: [["playwright"]],
    gone: [["e2e with cypress"]],
  },
  {
    name: "ingest every 15 minutes please, the dashboard lags",
    turns: [
      ["ingest runs hourly at minute 5", "ok"],
      ["ingest every 15 minutes please, the dashboard lags", "ingest runs every 15 minutes now."],
    ],
    keep: [["15 minutes"]],
    gone: [["hourly at minute 5"]],
  },
  {
    name: "stg1 is dead, staging is stg3.corp.example now",
    turns: [
      ["staging lives on stg1.corp.example", "ok"],
      ["stg1 is dead, staging is stg3.corp.example now", "ok"],
    ],
    keep: [["stg3.corp.example"]],
    gone: [["staging lives on stg1"]],
  },
  {
    name: "compliance called: raw events must stay 400 days before glacier",
    turns: [
      ["keep raw events 90 days then glacier", "Lifecycle rule set: 90 days, then Glacier."],
      [
        "compliance called: raw events must stay 400 days before glacier",
        "Lifecycle rule is 400 days now.",
      ],
    ],
    keep: [["400"]],
    gone: [["keep raw events 90"]],
  },
  {
    name: "from today PRs need two approvals, one from platform",
    turns: [
      ["PRs need one approval", "ok"],
      ["from today PRs need two approvals, one from platform", "ok"],
    ],
    keep: [["two approvals"]],
    gone: [["one approval"]],
  },
  {
    name: "we moved amounts to integer minor units, numeric rounding bit us",
    turns: [
      ["amounts are numeric(12,2)", "ok"],
      ["we moved amounts to integer minor units, numeric rounding bit us", "ok"],
    ],
    keep: [["minor units"]],
    gone: [["numeric(12,2)"]],
  },
  {
    name: "5s is too tight for the bank, timeout 12s",
    turns: [
      ["http client timeout 5s, 3 retries", "Set."],
      ["5s is too tight for the bank, timeout 12s", "Timeout is 12 s now."],
    ],
    keep: [["12"]],
    gone: [["http client timeout 5s"]],
  },
  {
    name: "flags moved to configcat, src/flags.ts is gone",
    turns: [
      ["flags are in src/flags.ts", "ok"],
      ["flags moved to configcat, src/flags.ts is gone", "ok"],
    ],
    keep: [["configcat"]],
    gone: [["flags are in src/flags.ts"]],
  },
  {
    name: "marlene wants the fx report in #fx-desk instead of mail",
    turns: [
      ["the fx report goes to Marlene by mail at 7", "ok"],
      ["marlene wants the fx report in #fx-desk instead of mail", "Posted to #fx-desk."],
    ],
    keep: [["fx-desk"]],
    gone: [["by mail"]],
  },
  {
    name: "no more develop branch, everything goes off main",
    turns: [
      ["we branch off develop", "ok"],
      ["no more develop branch, everything goes off main", "ok"],
    ],
    keep: [["main"]],
    gone: [["branch off develop"]],
  },
  {
    name: "switch training to a g6.4xlarge, cheaper per epoch",
    turns: [
      ["training runs on a g5.2xlarge", "ok"],
      ["switch training to a g6.4xlarge, cheaper per epoch", "Training uses g6.4xlarge."],
    ],
    keep: [["g6.4xlarge"]],
    gone: [["g5.2xlarge"]],
  },
  {
    name: "canary 5% for an hour after last week's mess",
    turns: [
      ["canary is 10% for 20 minutes", "ok"],
      ["canary 5% for an hour after last week's mess", "Canary is 5% for 60 minutes."],
    ],
    keep: [["5%"]],
    gone: [["10%"]],
  },
  {
    name: "pager goes to Selma from october, Gustav is on the rewrite",
    turns: [
      ["Gustav has the pager this quarter", "ok"],
      ["pager goes to Selma from october, Gustav is on the rewrite", "ok"],
    ],
    keep: [["selma"]],
    gone: [["gustav has the pager"]],
  },
  {
    name: "deploys are fine until 18:00 now that we have the new rollback",
    turns: [
      ["no deploys after 16:00", "ok"],
      ["deploys are fine until 18:00 now that we have the new rollback", "ok"],
    ],
    keep: [["18:00"]],
    gone: [["no deploys after 16:00"]],
  },
  {
    name: "export batch 500 -> 2000, works fine",
    turns: [
      ["batch size for the export is 500", "ok"],
      ["export batch 500 -> 2000, works fine", "BATCH is 2000."],
    ],
    keep: [["2000"]],
    gone: [["size for the export is 500"]],
  },
  {
    name: "we go with tailwind for all new components, css modules stay where they are",
    turns: [
      ["styling is css modules", "ok"],
      ["we go with tailwind for all new components, css modules stay where they are", "ok"],
    ],
    keep: [["tailwind"]],
    gone: [],
  },
  {
    name: "default currency is CHF for the swiss tenant",
    turns: [
      ["default currency is EUR", "ok"],
      ["default currency is CHF for the swiss tenant", "ok"],
    ],
    keep: [["eur"], ["chf"]],
    gone: [],
  },
  {
    name: "the webhook log is kept 30 days",
    turns: [
      ["webhook timeout is 5s", "ok"],
      ["the webhook log is kept 30 days", "ok"],
    ],
    keep: [["5s"], ["30 days"]],
    gone: [],
  },
  {
    name: "redis is not allowed for money stuff",
    turns: [
      ["we use redis for sessions", "ok"],
      ["redis is not allowed for money stuff", "ok"],
    ],
    keep: [["sessions"], ["money"]],
    gone: [],
  },
  {
    name: "Bo reviews frontend PRs",
    turns: [
      ["Ann reviews backend PRs", "ok"],
      ["Bo reviews frontend PRs", "ok"],
    ],
    keep: [["ann"], ["bo"]],
    gone: [],
  },
  {
    name: "why did requests hang last night?",
    turns: [
      ["the pool max is 20", "ok"],
      [
        "why did requests hang last night?",
        "Root cause: the pool of 20 connections was exhausted because the report job held 15 of them for 40 minutes.",
      ],
    ],
    keep: [["pool max is 20"], ["exhausted"]],
    gone: [],
  },
  {
    name: "never log access tokens either",
    turns: [
      ["never log card numbers", "ok"],
      ["never log access tokens either", "ok"],
    ],
    keep: [["card numbers"], ["access tokens"]],
    gone: [],
  },
  {
    name: "run settle at 03:30",
    turns: [
      ["settle job starts 03:00", "ok"],
      ["the cleanup job starts at 05:00", "ok"],
      ["run settle at 03:30", "settle starts at 03:30 now."],
    ],
    keep: [["cleanup", "05:00"], ["03:30"]],
    gone: [["settle job starts 03:00"]],
  },
  {
    name: "drop the legacy admin page",
    turns: [
      ["we support chrome, firefox and safari 16", "ok"],
      ["drop the legacy admin page", "Removed."],
    ],
    keep: [["firefox"]],
    gone: [],
  },
  {
    name: "replicas in staging is 2",
    turns: [
      ["replicas in prod is 6", "ok"],
      ["replicas in staging is 2", "ok"],
    ],
    keep: [["6"], ["2"]],
    gone: [],
  },
  {
    name: "docs live under services/docs",
    turns: [
      ["the api lives in the mono repo under services/api", "ok"],
      ["docs live under services/docs", "ok"],
    ],
    keep: [["services/api"], ["services/docs"]],
    gone: [],
  },
  {
    name: "fraud alerts go to #fraud-ops",
    turns: [
      ["deploy messages go to #deploys", "ok"],
      ["fraud alerts go to #fraud-ops", "ok"],
    ],
    keep: [["deploys"], ["fraud-ops"]],
    gone: [],
  },
  {
    name: "refund window is 180 days from now on, legal lost the case",
    turns: [
      ["refund window is 90 days", "ok"],
      ["refund window is 180 days from now on, legal lost the case", "ok"],
    ],
    keep: [["180"]],
    gone: [["90 days"]],
  },
  {
    name: "we're switching from bugsnag to sentry this week",
    turns: [
      ["errors go to bugsnag", "ok"],
      ["we're switching from bugsnag to sentry this week", "Replaced the client."],
    ],
    keep: [["sentry"]],
    gone: [["errors go to bugsnag"]],
  },
  {
    name: "formik is unmaintained, new forms use react-hook-form, formik gets removed in q1",
    turns: [
      ["forms use formik + yup here", "ok"],
      ["formik is unmaintained, new forms use react-hook-form, formik gets removed in q1", "ok"],
    ],
    keep: [["react-hook-form"]],
    gone: [["forms use formik"]],
  },
  {
    name: "exports are signed off by Ravi since Ilse retired",
    turns: [
      ["Ilse from compliance signs off data exports", "ok"],
      ["exports are signed off by Ravi since Ilse retired", "ok"],
    ],
    keep: [["ravi"]],
    gone: [["ilse from compliance"]],
  },
  {
    name: "snapshots hourly please, storage is cheap",
    turns: [
      ["snapshot every 6 hours, keep 10", "ok"],
      ["snapshots hourly please, storage is cheap", "Snapshots run hourly now."],
    ],
    keep: [["hourly"]],
    gone: [["every 6 hours"]],
  },
  {
    name: "rates cache can be 10 minutes, ecb publishes once a day anyway",
    turns: [
      ["cache ttl for rates is 60s", "ok"],
      [
        "rates cache can be 10 minutes, ecb publishes once a day anyway",
        "Rates cache TTL is 10 minutes now.",
      ],
    ],
    keep: [["10 minutes"]],
    gone: [["60s"]],
  },
  {
    name: "deploys are every weekday now",
    turns: [
      ["we deploy tuesdays and thursdays", "ok"],
      ["deploys are every weekday now", "ok"],
    ],
    keep: [["weekday"]],
    gone: [["tuesdays and thursdays"]],
  },
  {
    name: "demo tenant got wiped, its red-panda now",
    turns: [
      ["the demo tenant is blue-otter", "ok"],
      ["demo tenant got wiped, its red-panda now", "ok"],
    ],
    keep: [["red-panda"]],
    gone: [["blue-otter"]],
  },
  {
    name: "raise max upload to 25 MB",
    turns: [
      ["max upload is 10 MB", "ok"],
      ["raise max upload to 25 MB", "Max upload is 25 MB."],
    ],
    keep: [["25 mb"]],
    gone: [["10 mb"]],
  },
  {
    name: "winston out, pino in",
    turns: [
      ["logs are json via winston", "ok"],
      ["winston out, pino in", "Swapped."],
    ],
    keep: [["pino"]],
    gone: [["json via winston"]],
  },
  {
    name: "infra changes need 3 approvals after the outage",
    turns: [
      ["use 2 approvals for infra changes", "ok"],
      ["infra changes need 3 approvals after the outage", "ok"],
    ],
    keep: [["3 approvals"]],
    gone: [["2 approvals"]],
  },
  {
    name: "finance moved the deadline, settlement report is due at 06:30",
    turns: [
      ["the settlement report is due at 08:00", "ok"],
      ["finance moved the deadline, settlement report is due at 06:30", "ok"],
    ],
    keep: [["06:30"]],
    gone: [["08:00"]],
  },
  {
    name: "rotate api keys every 30 days, new policy",
    turns: [
      ["api keys rotate every 90 days", "ok"],
      ["rotate api keys every 30 days, new policy", "ok"],
    ],
    keep: [["30 days"]],
    gone: [["90 days"]],
  },
  {
    name: "no more mobx, we standardise on jotai",
    turns: [
      ["state management is mobx", "ok"],
      ["no more mobx, we standardise on jotai", "ok"],
    ],
    keep: [["jotai"]],
    gone: [["management is mobx"]],
  },
  {
    name: "models moved to triton on gpu2, torchserve is gone",
    turns: [
      ["the ml models are served with torchserve on gpu1", "ok"],
      ["models moved to triton on gpu2, torchserve is gone", "ok"],
    ],
    keep: [["triton"]],
    gone: [["served with torchserve"]],
  },
  {
    name: "actually just be brief, no examples",
    turns: [
      ["i like long explanations with examples", "ok"],
      ["actually just be brief, no examples", "ok"],
    ],
    keep: [["brief"]],
    gone: [["long explanations"]],
  },
  {
    name: "no sorry, the export bucket is corp-exports-b",
    turns: [
      ["bucket for exports is corp-exports-a", "ok"],
      ["no sorry, the export bucket is corp-exports-b", "Right, corp-exports-b."],
    ],
    keep: [["corp-exports-b"]],
    gone: [["corp-exports-a"]],
  },
  {
    name: "airflow now schedules the jobs, the cron box is off",
    turns: [
      ["jobs are scheduled with cron on the box", "ok"],
      ["airflow now schedules the jobs, the cron box is off", "ok"],
    ],
    keep: [["airflow"]],
    gone: [["cron on the box"]],
  },
  {
    name: "we raised the minimum ios to 17",
    turns: [
      ["minimum ios is 15", "ok"],
      ["we raised the minimum ios to 17", "ok"],
    ],
    keep: [["17"]],
    gone: [["minimum ios is 15"]],
  },
  {
    name: "biome replaces eslint and prettier",
    turns: [
      ["lint with eslint", "ok"],
      ["biome replaces eslint and prettier", "ok"],
    ],
    keep: [["biome"]],
    gone: [["lint with eslint"]],
  },
  {
    name: "Ravi signs off invoices",
    turns: [
      ["Ilse signs off data exports", "ok"],
      ["Ravi signs off invoices", "ok"],
    ],
    keep: [["ilse"], ["ravi"]],
    gone: [],
  },
  {
    name: "max batch is 500 rows",
    turns: [
      ["max upload is 10 MB", "ok"],
      ["max batch is 500 rows", "ok"],
    ],
    keep: [["10"], ["500"]],
    gone: [],
  },
  {
    name: "passwords rotate every 180 days",
    turns: [
      ["api keys rotate every 90 days", "ok"],
      ["passwords rotate every 180 days", "ok"],
    ],
    keep: [
      ["api keys", "90"],
      ["passwords", "180"],
    ],
    gone: [],
  },
  {
    name: "mobile tests run on jest",
    turns: [
      ["web tests run on vitest", "ok"],
      ["mobile tests run on jest", "ok"],
    ],
    keep: [["vitest"], ["jest"]],
    gone: [],
  },
  {
    name: "metrics go to datadog",
    turns: [
      ["errors go to sentry", "ok"],
      ["metrics go to datadog", "ok"],
    ],
    keep: [["sentry"], ["datadog"]],
    gone: [],
  },
  {
    name: "the crawler uses sqlite",
    turns: [
      ["the api uses postgres", "ok"],
      ["the crawler uses sqlite", "ok"],
    ],
    keep: [["postgres"], ["sqlite"]],
    gone: [],
  },
  {
    name: "load test tenant is red-panda",
    turns: [
      ["demo tenant is blue-otter", "ok"],
      ["load test tenant is red-panda", "ok"],
    ],
    keep: [["blue-otter"], ["red-panda"]],
    gone: [],
  },
  {
    name: "no schema changes in december",
    turns: [
      ["no deploys on fridays", "ok"],
      ["no schema changes in december", "ok"],
    ],
    keep: [["fridays"], ["december"]],
    gone: [],
  },
  {
    name: "postgres 16 is our main db",
    turns: [
      ["we dropped mongo last year because of the joins", "ok"],
      ["postgres 16 is our main db", "ok"],
    ],
    keep: [["mongo"], ["postgres"]],
    gone: [],
  },
  {
    name: "move my reminder job to 9:00",
    turns: [
      ["standup is at 9:30", "ok"],
      ["move my reminder job to 9:00", "The reminder job runs at 9:00."],
    ],
    keep: [["standup", "9:30"]],
    gone: [],
  },
])("$name", expectActive);
