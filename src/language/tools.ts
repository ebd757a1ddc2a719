/**
 * Tools of the trade by family. Two tools of one family fill the same place in a project ("tests run on jest" and
 * "tests run on vitest"), so that naming another one is a change and not an addition. General vocabulary only;
 * a tool that is missing here is treated as a plain word.
 */
const families: Readonly<Record<string, string>> = {
  "package manager": "npm pnpm yarn bun",
  "python packages": "pip poetry uv pipenv conda mamba pdm hatch rye",
  "test runner":
    "jest vitest mocha jasmine ava karma pytest unittest nose junit rspec phpunit testng",
  "browser tests": "cypress playwright selenium puppeteer testcafe detox appium maestro",
  charts:
    "chart.js chartjs visx uplot recharts d3 highcharts echarts plotly nivo victory apexcharts matplotlib seaborn bokeh altair",
  "client state": "redux zustand mobx jotai recoil xstate valtio pinia vuex ngrx",
  "ui framework": "react vue svelte angular solid preact qwik ember flutter swiftui uikit jetpack",
  "meta framework": "next.js nextjs nuxt remix sveltekit astro gatsby",
  bundler: "webpack vite rollup esbuild parcel turbopack rspack swc",
  linter:
    "eslint oxlint biome tslint ruff flake8 pylint rubocop golangci-lint ktlint swiftlint clippy",
  formatter: "prettier oxfmt black yapf gofmt rustfmt clang-format dprint",
  "web framework":
    "express fastify koa hapi hono nestjs django flask fastapi rails sinatra laravel spring gin echo fiber axum actix rocket phoenix",
  orm: "prisma drizzle kysely sequelize typeorm knex mikroorm sqlalchemy peewee hibernate jooq gorm diesel sqlx activerecord ecto",
  database:
    "postgres postgresql mysql mariadb sqlite oracle mssql mongodb mongo dynamodb cassandra cockroachdb couchdb firestore clickhouse duckdb snowflake bigquery redshift",
  cache: "redis memcached valkey dragonfly keydb hazelcast",
  queue: "kafka rabbitmq sqs nats pulsar kinesis celery sidekiq bullmq resque zeromq",
  search: "elasticsearch opensearch solr algolia meilisearch typesense",
  orchestrator: "airflow dagster prefect luigi temporal argo-workflows cron kestra",
  dataframe: "pandas polars dask spark modin vaex cudf",
  "ml framework": "pytorch tensorflow jax keras mxnet scikit-learn xgboost lightgbm",
  "experiment tracking": "wandb mlflow neptune comet tensorboard clearml aim",
  "feature flags": "unleash launchdarkly flagsmith growthbook split optimizely configcat",
  ci: "jenkins circleci travis buildkite teamcity drone bamboo gitlab-ci github-actions",
  deploy: "argocd fluxcd spinnaker helm kustomize capistrano ansible puppet chef saltstack",
  iac: "terraform opentofu pulumi cloudformation cdk bicep",
  cloud: "aws gcp azure hetzner digitalocean linode ovh heroku fly.io render vercel netlify",
  monitoring: "grafana datadog newrelic prometheus kibana splunk honeycomb dynatrace zabbix nagios",
  logging: "winston pino bunyan log4js log4j logback zap zerolog slog structlog loguru",
  errors: "sentry bugsnag rollbar airbrake crashlytics raygun",
  engine: "unity godot unreal bevy gamemaker phaser",
  rtos: "freertos zephyr threadx riot mbed nuttx",
  "build system": "make cmake meson bazel buck gradle maven sbt ant ninja scons nx turborepo",
  indentation: "tabs spaces",
};

/** Every family (what its tools are for) with its tools. */
export const toolFamilies: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(families).map(([family, tools]) => [family, tools.split(" ")]),
);

const familyByTool = new Map(
  Object.entries(families).flatMap(([family, tools]) =>
    tools.split(" ").map((tool) => [tool, family] as const),
  ),
);

/** Words that are tools only beside other evidence: they are common English too. */
const ambiguous = new Set(
  "make spring split render rocket next solid black comet drone ant gin echo phoenix chef puppet aim hatch argo spark buck split victory temporal fiber unity cron tabs spaces oracle express ember riot".split(
    " ",
  ),
);

/** The family of a tool name (lower case), null when unknown. */
export const toolFamily = (word: string): string | null => familyByTool.get(word) ?? null;

/** A tool beyond doubt: in a family and not a common English word. */
export const isTool = (word: string): boolean => familyByTool.has(word) && !ambiguous.has(word);
