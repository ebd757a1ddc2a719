/** Plans for a candidate beside known memories. */
import { describe, expect, test } from "bun:test";
import type { Candidate, MemoryNode } from "#domain";
import { candidateOf, knownNode } from "../../../test/support/memory/candidates.ts";
import { opposedBy, overtakenBy, planCandidate, type MergePlan } from "./plan.ts";

const near = (node: MemoryNode) => ({ node, lexical: 0.5, similarity: 0.9, fused: 0.5 });
const planOf = (candidate: Candidate, ...nodes: readonly MemoryNode[]): MergePlan =>
  planCandidate(candidate, nodes.map(near));
const doubts = (plan: MergePlan): number => (plan.type === "skip" ? -1 : plan.doubted.length);
const order = (l0: string, over: Partial<Candidate> = {}): Candidate =>
  candidateOf({ l0, maker: "signal", ...over });

const pipeline = "the nightly import runs at 02:00";

describe("known already", () => {
  test("the same words from another session strengthen what is there", () => {
    expect(planOf(order(pipeline), knownNode(pipeline))).toMatchObject({
      type: "skip",
      reinforce: true,
    });
  });

  test.each([
    ["The nightly import runs at 02:00.", pipeline],
    ["nightly import runs at 02:00", pipeline],
    ["测试数据库在端口5432。", "测试数据库在端口5432"],
    ["Always run the linter before a commit", "Please always run the linter before a commit."],
    ["bitte immer auf Deutsch antworten", "Immer auf Deutsch antworten"],
  ])("case, articles, courtesy and marks make no other statement: %s", (newer, older) => {
    expect(planOf(order(newer), knownNode(older)).type).toBe("skip");
  });

  test("the same words of the same turn change nothing", () => {
    const evidence = { sessionId: "s1", turn: 1, line: null, quote: pipeline };
    expect(
      planOf(order(`web: ${pipeline} — done`, { evidence }), knownNode(pipeline)),
    ).toMatchObject({ type: "skip", reinforce: false });
  });

  test("a superseded memory does not stand in the way of saying it anew", () => {
    const old = knownNode(pipeline, {}, { status: "superseded" });
    expect(planOf(order(pipeline), old).type).toBe("create");
  });

  test("a global rule covers the project that repeats it", () => {
    const rule = knownNode("User: never use emoji in commits", { project: null });
    expect(planOf(order("never use emoji in commits"), rule).type).toBe("skip");
  });

  test("what only the agent had said becomes the user's word when the user says it", () => {
    const noted = knownNode(pipeline, { origin: "agent" });
    expect(planOf(order(pipeline), noted)).toMatchObject({ type: "supersede", ended: [noted] });
    expect(planOf(order(pipeline, { origin: "agent" }), knownNode(pipeline)).type).toBe("skip");
  });

  test.each([
    ["exports go to folder out-a", "exports go to folder out-b, out-a was removed"],
    ["the CI runner is called mars", "the CI runner is called venus now, mars is gone"],
    ["the API accepts XML", "the API accepts XML only for legacy tenants, JSON otherwise"],
    ["push to main", "never push to main"],
    ["tabs over spaces", "spaces over tabs"],
    ["staging listens on port 5432", "staging listens on port 6432"],
    ["キャッシュは5分保持", "キャッシュは15分保持"],
    ["the parser is written in C", "the parser is written in C++"],
    ["the offset is 1", "the offset is -1"],
    ["the margin is 10%", "the margin is 10‰"],
    ["the limit is >5", "the limit is <5"],
    ["settings are in Config.json", "settings are in config.json"],
    ["the key is called fooBar", "the key is called foobar"],
    ["logs go to /var/log/x", "logs go to ~/var/log/x"],
    ["the bucket is s3://shop/logs", "the bucket is s3://shop/log"],
    ["the gate is green before the merge", "the gate is green after the merge"],
    ["the launch icon is 🚀", "the launch icon is 🛸"],
    ["the margin is 10²", "the margin is 102"],
  ])("a statement that says more or other things is never known: %s / %s", (older, newer) => {
    expect(planOf(order(newer), knownNode(older)).type).not.toBe("skip");
  });
});

describe("another project", () => {
  test.each(["q", null])("(%p) is never the same memory, nor ended by its slot", (project) => {
    const slot = "staging database · port";
    const other = knownNode("staging database listens on 6432", { project, slot });
    const plan = planOf(order("staging database listens on 7432", { slot }), other);
    expect(plan.type).toBe("create");
    expect(doubts(plan)).toBe(0);
  });
});

describe("replaced", () => {
  const slot = "orders queue · name";
  const queue = (over: Partial<Candidate> = {}, node: Partial<MemoryNode> = {}): MemoryNode =>
    knownNode("orders go through orders-v1", { slot, ...over }, node);
  const newer = (over: Partial<Candidate> = {}): Candidate =>
    candidateOf({ l0: "the queue of orders is called kestrel", slot, ...over });

  test("another value of the same slot ends the ones before, however they are worded", () => {
    const [one, two] = [queue(), { ...queue(), id: 2, uri: "mem://test/2" }];
    expect(planOf(newer(), one, two)).toMatchObject({ type: "supersede", ended: [one, two] });
  });

  test("so does a memory that names it, whatever its slot or project", () => {
    const named = queue({ slot: "other · thing", project: "q" }, { id: 7 });
    expect(planOf(newer({ replaces: [7] }), named)).toMatchObject({ ended: [named] });
  });

  test.each([
    ["words of a tool", { origin: "tool" as const }, {}, {}],
    ["words of the agent against the user's", { origin: "agent" as const }, {}, {}],
    [
      "the agent naming what the user said",
      { origin: "agent" as const, slot: null, replaces: [1] },
      {},
      {},
    ],
    ["older words against newer ones", { atMs: 500 }, {}, {}],
    ["a retracted memory", {}, {}, { status: "retracted" as const }],
    ["another attribute", { slot: "orders queue · region" }, {}, {}],
    ["a value with an end, which leaves what has none", { expiresAt: 9_000 }, {}, {}],
  ])("never by %s", (_, candidate, known, node) => {
    expect(planOf(newer(candidate), queue(known, node)).type).toBe("create");
  });

  test("a turn that is judged late is overtaken by the later value of its slot alone", () => {
    const later = queue({}, { updatedAt: 5_000 });
    expect(overtakenBy(newer(), [near(later)])?.id).toBe(later.id);
    expect(overtakenBy(newer(), [near(queue())])).toBeNull();
    expect(overtakenBy(newer({ slot: null }), [near(later)])).toBeNull();
  });
});

describe("an order near another one is shown with it, and never ends it by itself", () => {
  test.each([
    [
      "el límite de la API son 100 peticiones por minuto",
      "nos han subido el límite: son 250 peticiones por minuto",
    ],
    ["发布由老周负责", "发布以后由小郑负责,老周调走了"],
    ["我们用的是 webpack 打包", "我们改用 vite 打包了,不用 webpack"],
    [
      "das Wartungsfenster ist dienstags um 22 Uhr",
      "Das Wartungsfenster wurde verlegt: es ist donnerstags um 23 Uhr",
    ],
    ["the demo account is called heron", "the demo account is called falcon"],
    ["staging listens on port 5432", "staging listens on port 6432"],
    ["Priya is the release manager", "Priya left, Tom is the release manager now"],
    ["we use Heroku for hosting", "we switched hosting from Heroku to fly.io"],
    ["测试数据库在端口5432", "测试数据库在端口6432"],
    ["use tabs for indentation", "use spaces for indentation"],
    ["always use tabs", "always use spaces"],
    ["from now on use pnpm", "from now on use yarn"],
    ["answer in German", "please answer in English from now on"],
    ["always squash commits", "never squash commits"],
    ["never push to main", "you may push to main now"],
    ["utilise des tabulations pour l'indentation", "utilise des espaces pour l'indentation"],
    ["einrücken mit Tabs", "einrücken mit Leerzeichen"],
    ["インデントはタブを使う", "インデントはスペースを使う"],
    ["缩进用制表符", "缩进用空格"],
    ["Alice is the owner", "Bob is the owner"],
    ["from now on use node 22", "from now on use node 24"],
    ["standup 9:30", "standup 10:00"],
    ["squash merges only", "rebase merges only"],
    ["our CTO is Alva Lind", "our CTO is Jonas Berg"],
    ["le port de test est Brest", "le port de test est Calais"],
    // Several values of one subject: both lists may hold.
    ["the pilots are Ana and Tom", "the pilots are Kim and Bo"],
    ["the tide ports are 4402 and 4403", "the tide ports are 5502 and 5503"],
    ["die Lotsen sind Ana und Tom", "die Lotsen sind Kim und Bo"],
    ["лоцманы — Аня и Том", "лоцманы — Ким и Бо"],
    ["领航员是 Ana 和 Tom", "领航员是 Kim 和 Bo"],
    ["the demo pier is called Sund and has 9 cranes", "the demo pier is Vik now, not Sund"],
    ["der Testhafen heißt Sund", "der Testhafen ist Vik, nicht mehr Sund"],
    // A verb that leads to another amount of the same.
    ["la limite d'envoi est de 20 Mo", "la limite d'envoi passe à 35 Mo"],
    ["el cierre contable es el día 5", "el cierre contable pasa al día 9"],
    ["das Seitenlimit liegt bei 60", "das Seitenlimit steigt auf 90"],
    ["o limite de páginas é de 60", "o limite de páginas sobe para 90"],
    ["лимит страниц составляет 60", "лимит страниц повышается до 90"],
    ["页数上限是60", "页数上限提高到90"],
    ["ページ上限は60です", "ページ上限は90に上がります"],
  ])("%s / %s", (older, newer) => {
    const plan = planOf(order(newer), knownNode(older));
    expect(plan.type).toBe("create");
    expect(doubts(plan)).toBe(1);
  });

  test.each([
    ["never push to main", "never push to main without asking"],
    ["the feature branches go to preview", "the feature branches go to preview and docs to pages"],
    ["printer A is on floor 3", "printer B is on floor 2"],
    ["service A listens on port 1", "service B listens on port 2"],
    ["standup is at 9:30", "the retro is at 15:00"],
    ["images stay under 150 kB", "the bundle budget is 200 kB"],
    ["audit logs are kept 13 months", "debug logs are kept 7 days"],
    ["Ticket POL-358 is about the retry storm", "Ticket POL-359 is about the login page"],
    ["never force push to main", "never merge on a weekend"],
    ["never log tokens", "never log passwords"],
    ["never edit vendor", "never edit generated files"],
    ["use pnpm", "use vitest"],
    ["we use pnpm", "we use Docker"],
    ["use pytest for the api", "use vitest for the web"],
    ["always run the linter before you commit", "always run the tests before you push"],
    ["用pnpm", "用docker"],
    ["our designer is Lena", "our tester is Tomas"],
    ["the staging host is kite-7", "the production host is kite-9"],
    ["the pier is closed on mondays", "the pier is 12 m deep"],
    ["read-only users only on prod", "squash merges only"],
    ["node 22 is on the runner", "python 3.12 is on the runner"],
    ["der Mailserver ist mail1.kelp.dev", "der Mailserver nutzt Port 587"],
    ["le serveur de build est mars", "le serveur de build a 16 coeurs"],
    ["el cliente piloto es Oakmoor", "el cliente piloto paga en mayo"],
  ])("but not when it adds to it or is about another thing: %s / %s", (older, newer) => {
    expect(doubts(planOf(order(newer), knownNode(older)))).toBe(0);
  });

  test("a save with a slot is in doubt beside an order, which has none; not beside another slot", () => {
    const l0 = "staging listens on port 6432";
    const save = order(l0, { slot: "staging · port" });
    const old = "staging listens on port 5432";
    expect(doubts(planOf(save, knownNode(old)))).toBe(1);
    expect(doubts(planOf(save, knownNode(old, { slot: "test server · port" })))).toBe(0);
  });

  test("what the session call and the agent say of itself is in no doubt", () => {
    const old = knownNode("staging listens on port 5432");
    const l0 = "staging listens on port 6432";
    expect(doubts(planOf(order(l0, { maker: "extract" }), old))).toBe(0);
    expect(doubts(planOf(order(l0, { origin: "agent" }), old))).toBe(0);
  });
});

describe("told as changed from one value to another", () => {
  test.each([
    ["o deploy é na sexta", "o deploy mudou de sexta para terça"],
    ["le port est 8080", "le port est passé de 8080 à 8090"],
    ["el despliegue es el viernes", "el despliegue cambió de viernes a martes"],
    ["der Server ist alpha-1", "der Server ist von alpha-1 auf beta-2 umgezogen"],
    ["the staging database listens on port 5432", "the staging database moved from 5432 to 6432"],
    ["网关端口是 8080", "网关端口从 8080 改成 8090 了"],
  ])("%s: ends by %s", (older, newer) => {
    const old = knownNode(older);
    expect(planOf(order(newer), old)).toMatchObject({
      type: "supersede",
      ended: [old],
      reason: "told as changed",
    });
  });

  test.each([
    // The newer one speaks of the old value in words of its own.
    ["exports go to folder out-a", "exports go to folder out-b, out-a was removed"],
    ["deploys run from branch main", "deploys run from branch live, main is frozen"],
    ["the CI runner is called mars", "the CI runner is called venus now, mars is gone"],
    ["always use moment for dates", "never use moment again, always use luxon for dates"],
    ["el muelle de pruebas es Tajo", "el muelle de pruebas es Duero, Tajo se cerró"],
    ["der Lotse Alba heißt", "der Lotse jetzt Weser heißt, Alba ist verkauft"],
    ["we keep the tides in Redis", "we keep the tides in Valkey instead of Redis"],
    ["the tide gauge is called teal", "the tide gauge is called umber. teal got sold"],
    // It denies the older one word for word.
    ["the ferry sails from Skagen", "the ferry moved to Grenaa, it no longer sails from Skagen"],
    ["tides are read on Tuesdays", "tides are no longer read on Tuesdays but on Fridays"],
    // A cue, and two values of one kind.
    ["the tide key rotates on the 1st", "the tide key rotates on the 15th now"],
    ["handover is at 9:30", "handover moved to 10:15"],
    ["the tide limit is 30", "the tide limit was raised to 45"],
    ["the demo is on thursdays at 4", "the demo got moved to wednesdays at 2"],
    ["o balde das amarras é cais-sul", "o balde das amarras mudou pra cais-norte"],
    ["the buoy database listens on port 5544", "the buoy database moved to port 5610"],
    ["buoys need 4 GB of memory", "buoys need 6 GB of memory since the upgrade"],
    ["the harbour master is Priya", "the harbour master is Joost since Monday"],
    ["the pilot boat is called otter", "the pilot boat is called heron now"],
    // It speaks of all but the value and a verb.
    ["local dev uses port 3000", "we switched local dev from port 3000 to port 4000"],
    ["the error tracker is Sentry", "we replaced Sentry with GlitchTip as the error tracker"],
    // It denies the value with which the older one ends.
    ["tides are written as CSV", "tides are written as Parquet and no longer as CSV"],
    ["the flag for cranes is crane_v2", "the flag for cranes is called crane_next, not crane_v2"],
    // A copula or a verb of naming, and another value of one kind.
    ["the minimum node version is 18", "the minimum node version is 22"],
    ["the staging URL is https://stg.kelp.dev", "the staging URL is https://staging.kelp.io"],
    ["gateway timeouts are 8 seconds", "gateway timeouts are 15 seconds"],
    ["the mirrors are db1", "the mirrors are now db2"],
    ["the tide server is 10.0.0.4", "the tide server is 10.0.0.9"],
    ["der Lotse heißt Alba", "der Lotse heißt Weser"],
    // Another number of a name, and the same of a unit.
    ["we use Java 11 in the backend", "we moved to Java 21 in the backend"],
    ["wir nutzen Java 11 im Backend", "wir sind im Backend auf Java 21 umgestiegen"],
    ["nous utilisons Java 11 au backend", "nous sommes passés à Java 21 au backend"],
    ["usamos Java 11 en el backend", "hemos pasado a Java 21 en el backend"],
    ["usamos Java 11 no backend", "mudamos para Java 21 no backend"],
    ["мы используем Java 11 на бэкенде", "на бэкенде мы перешли на Java 21"],
    ["后端用 Java 11", "后端升级到 Java 21 了"],
    ["接口超时是 10 秒", "接口超时改成 30 秒了"],
    // A list that says that it changed.
    ["the pilots are Ana and Tom", "the pilots are now Kim and Bo"],
    ["the pilots are Ana and Tom", "the pilots are now Ana and Bo"],
    ["die Lotsen sind Ana und Tom", "die Lotsen sind jetzt Kim und Bo"],
    ["les pilotes sont Ana et Tom", "les pilotes sont maintenant Kim et Bo"],
    ["los pilotos son Ana y Tom", "los pilotos son ahora Kim y Bo"],
    ["os pilotos são Ana e Tom", "os pilotos são agora Kim e Bo"],
    ["лоцманы — Аня и Том", "лоцманы теперь — Ким и Бо"],
    ["领航员是 Ana 和 Tom", "领航员现在是 Kim 和 Bo"],
    ["水先人はアナとトムです", "水先人は今はキムとボーです"],
    ["测试环境的端口是 8081", "测试环境的端口改成 8095 了"],
    ["検証用のポートは 7001 です", "検証用のポートは 7050 に変わりました"],
  ])("%s: ends by %s, which says that it changed", (older, newer) => {
    const old = knownNode(older);
    expect(planOf(order(newer), old)).toMatchObject({ type: "supersede", ended: [old] });
  });

  test.each([
    ["we use Redis", "we use Kafka, Redis caches"],
    ["we use Redis", "we use Kafka now"],
    ["the supported browsers are Chrome", "the supported browsers are Firefox, Chrome and Safari"],
    ["the supported browsers are Chrome", "the supported browsers are Firefox, Chrome, Safari"],
    ["the queue runs on RabbitMQ", "the queue runs on NATS now, plus RabbitMQ"],
    ["the queue runs on RabbitMQ", "the queue runs on NATS now as well"],
    ["the staging host is slow", "the staging host is heron now"],
    ["the API returns ms", "the API no longer returns XML, only ms"],
    ["the API accepts XML", "the API returns JSON now, not XML"],
    ["releases are cut on Thursdays", "releases are no longer cut on Tuesdays but on Thursdays"],
    ["port 5432 is open", "port 6432 is open now"],
    ["printer A jams", "printer B jams now"],
    ["wir nehmen Jest", "wir nehmen jetzt auch Vitest"],
    ["never log tokens", "never log passwords now"],
    ["port A is 1", "port B is 2, port A is 1"],
    ["the retro is in room 4", "the retro moved to 10:15"],
    ["uploads may be 20 MB", "downloads may be 35 MB now"],
    ["staging listens on port 5432", "staging listens on port 6432"],
    ["the retry limit is 3", "the retry delay is now 5"],
    ["the release branch is release/2", "the release tag is now v/3"],
    ["pool size is 10", "pool size of the replica is now 20"],
    ["standup is at 9:30", "standup on Fridays moved to 10:15"],
    ["the staging server is stage-1", "the staging server now runs debian-12"],
    // A second thing may stand behind any verb but a copula, and what is called one among several has others.
    ["staging runs on node 20", "staging runs on node 22"],
    ["the harbour team is happy", "the harbour team moved to Grenaa"],
    ["the demo is in room 4", "the demo got moved to wednesdays at 2"],
    ["the linter checks styles", "the linter checks scripts now"],
    ["the service talks to redis-1:6379", "the service talks to redis-2:6379"],
    ["a test account is demo-1", "a test account is demo-2"],
    ["one of the admins is ana-1", "one of the admins is bo-2"],
    ["the reviewers are Ana", "the reviewers are Bo"],
    ["the reviewers are Ana and Tom", "the reviewers are Ana, Tom and Kim now"],
    ["we use Java 11 in the backend", "we moved to Java 21 in the app"],
    ["we use Java 11 in the backend", "add support for Java 21"],
    ["Node 20 is supported", "Node 22 is supported now"],
    ["超时是 10 秒", "超时改成 3 分了"],
    ["接口超时是 10 秒", "接口重试改成 3 次了"],
    ["the reviewers are Ana and Tom", "the testers are now Kim and Bo"],
    ["the reviewers are ana@kelp.dev", "the reviewers are bo@kelp.dev"],
    ["los espejos son db1", "los espejos son db2"],
    ["die Backups sind 02:00", "die Backups sind 14:00"],
    ["the tide server is 10.0.0.4", "the tide server is 64"],
    ["the API gateway is GraphQL", "the API gateway is HTTPS"],
    ["the API gateway is public", "the API gateway is slow now"],
    ["the fee for cards is 2%", "the fee for transfers is 1%"],
    ["the limit of uploads is 50", "the limit of uploads is 80, but for admins only"],
    ["the service accepts XML", "the service returns JSON now, not XML"],
    ["logs go to Loki", "we replaced Loki with Tempo for traces"],
    ["网关的端口是 8080", "网站的端口是 8081"],
  ])("%s: does not end by %s", (older, newer) => {
    expect(planOf(order(newer), knownNode(older)).type).not.toBe("supersede");
  });

  test.each([
    ["the api database listens on port 5432", "the staging database moved from 5432 to 6432"],
    ["the staging database listens on port 7432", "the staging database moved from 5432 to 6432"],
    ["the staging database is on 15432", "the staging database moved from 5432 to 6432"],
    ["o deploy da web fica sempre na sexta", "o deploy mudou de sexta para terça"],
    ["数据库端口是 8080", "网关端口从 8080 改成 8090 了"],
  ])("%s: stays beside %s", (older, newer) => {
    expect(planOf(order(newer), knownNode(older)).type).toBe("create");
  });

  test("never by what an agent says", () => {
    const newer = order("the port moved from 5432 to 6432", { origin: "agent" });
    expect(planOf(newer, knownNode("the port is 5432")).type).toBe("create");
  });
});

test("an agent's word is held against the wording of a memory, not against the mark of the user's words", () => {
  const worded =
    'E2E tests use the installed command (the user: "just use the command that is installed")';
  const said = (l0: string): Candidate => candidateOf({ l0, origin: "agent", maker: "manual" });
  const opposed = (l0: string): number => opposedBy(said(l0), [near(knownNode(worded))]).length;
  expect(opposed("The SQL stays on the CLI, since cwd comes from env, not user input")).toBe(0);
  expect(opposed("E2E tests use the vendored command, not the installed command")).toBe(1);
});
