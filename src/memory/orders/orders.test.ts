/** Orders to keep something in typed prompts, in eight languages, and what is none. All texts are invented. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf, readOrders } from "./orders.ts";

const kept = (prompt: string, previousAnswer: string | null = null): readonly string[] =>
  ordersOf(turnOf(prompt, { previousAnswer })).map(({ l0, tags }) => `${tags.join()}: ${l0}`);

describe("an order is kept wherever it stands", () => {
  test.each([
    // Mistyped, or with a word in between.
    ["remeber that the staging cluster is in Frankfurt", "the staging cluster is in Frankfurt"],
    ["remmember, Quinn signs the contracts", "Quinn signs the contracts"],
    ["vergess nicht dass der Cron um 3 läuft", "der Cron um 3 läuft"],
    ["N'oublie surtout pas que la TVA est à 5,5 %.", "la TVA est à 5,5 %."],
    ["vê se lembra que o deploy é só às terças", "o deploy é só às terças"],
    ["Партнёр у нас Гранит. Не забудь об этом.", "Партнёр у нас Гранит."],
    // Another task behind the pointer.
    ["Prices are in cents, don't forget that, and then rerun it", "Prices are in cents"],
    [
      "The proxy strips cookies. Could you remember that for me, and then open the PR?",
      "The proxy strips cookies.",
    ],
    ["we never retry POSTs - keep that in mind and now fix it", "we never retry POSTs"],
    [
      "Zoe prüft alles unter infra, merk dir das, und dann öffne den PR.",
      "Zoe prüft alles unter infra",
    ],
    ["Zoé relit tout infra, retiens ça, puis ouvre la PR.", "Zoé relit tout infra"],
    [
      "Zoe revisa todo lo de infra, recuerda esto y luego abre el PR.",
      "Zoe revisa todo lo de infra",
    ],
    ["A Zoe revisa tudo em infra, lembra disso e depois abre o PR.", "A Zoe revisa tudo em infra"],
    ["Всё в infra проверяет Зоя, запомни это, а потом открой PR.", "Всё в infra проверяет Зоя"],
    ["infra目录由佐伊审查，记住这一点，然后提PR。", "infra目录由佐伊审查"],
    [
      "infraはゾーイがレビューします。これを覚えておいて、それからPRを出して。",
      "infraはゾーイがレビューします。",
    ],
    ["Remember that now we ship from the release branch.", "now we ship from the release branch."],
    ["rule from me: every endpoint gets a rate limit", "every endpoint gets a rate limit"],
    ["Regel von mir: jeder Endpunkt bekommt ein Limit.", "jeder Endpunkt bekommt ein Limit."],
    ["Regla mía: cada endpoint lleva límite.", "cada endpoint lleva límite."],
    ["Моё правило: у каждого эндпоинта есть лимит.", "у каждого эндпоинта есть лимит."],
    ["我的规则：每个接口都要限流。", "每个接口都要限流。"],
    [
      "Prices are in cents, would you keep that in mind? next up is the modal",
      "Prices are in cents",
    ],
    ["just so you remember: the eu cluster is read only", "the eu cluster is read only"],
    ["vergiss nicht: der Schlüssel läuft am 3. März ab", "der Schlüssel läuft am 3. März ab"],
    ["Für alle Projekte: merk dir, dass ich kurze Antworten will.", "ich kurze Antworten will."],
    ["Для всех моих проектов запомни, что я хочу короткие ответы.", "я хочу короткие ответы."],
    ["O perfil se chama osprey-2. Guarda essa informação.", "O perfil se chama osprey-2."],
    ["VPN配置叫osprey-2。留作下次参考。", "VPN配置叫osprey-2。"],
    ["Decision from today's call: we drop IE support.", "we drop IE support."],
    ["Entscheidung von heute: wir lassen den IE fallen.", "wir lassen den IE fallen."],
    ["今日の決定：IEのサポートは捨てる。", "IEのサポートは捨てる。"],
    ["Gostaria que você lembrasse que a Lena é nossa designer.", "a Lena é nossa designer."],
    ["Me gustaría que recordaras que Lena es diseñadora.", "Lena es diseñadora."],
    ["Вот что нужно запомнить: счета не меняются.", "счета не меняются."],
    ["有一点要记住：90天以上的发票不可修改。", "90天以上的发票不可修改。"],
    [
      "Preise sind in Cent. Behalt das im Hinterkopf und sag mir, was fehlt.",
      "Preise sind in Cent.",
    ],
    [
      "Los precios van en céntimos. Ten esto en mente y dime qué falta.",
      "Los precios van en céntimos.",
    ],
    ["La CI tiene dos runners; acuérdate de eso la próxima vez.", "La CI tiene dos runners"],
    ["O CI tem dois runners; lembre-se disso na próxima vez.", "O CI tem dois runners"],
    ["Desde hoy cada módulo tiene un README.", "Desde hoy cada módulo tiene un README."],
    ["CIのランナーは2台だけです。忘れないように覚えておいて。", "CIのランナーは2台だけです。"],
    ["Registre que o Omar aprova mudanças de esquema.", "o Omar aprova mudanças de esquema."],
    ["J'ai renommé le dépôt en harbor. Pense-y à l'avenir.", "J'ai renommé le dépôt en harbor."],
    ["Релизы утверждает Ольга. Имей это в виду.", "Релизы утверждает Ольга."],
    ["请注意记下：导入任务凌晨两点跑。", "导入任务凌晨两点跑。"],
    ["写下来：租户编号始终是路径的第二段。", "租户编号始终是路径的第二段。"],
    [
      "Écris-le quelque part : l'identifiant est le deuxième segment.",
      "l'identifiant est le deuxième segment.",
    ],
  ])("%s: and not the task beside it", (prompt, line) => {
    expect(kept(prompt).map((one) => one.replace(/^\w+: /u, ""))).toEqual([line]);
  });

  test.each([
    "别把旧域名的事记下来。",
    "千万别把租户编号存到记忆里。",
    "不要把测试环境叫苍鹭这件事记下来。",
    "Never remember tenant ids",
    "Kein Grund, sich zu merken, dass das Repo harbor heißt.",
    "Hier die Hausordnung vom Kunden:\n\n1. Merkt euch, dass Logos Abstand brauchen.\n\nWas fehlt?",
    "Esta es la guía del cliente:\n\n1. A partir de ahora los títulos son cortos.\n\n¿Qué falta?",
    "お客様のガイドです：\n\n1. ロゴには余白が必要だと覚えておいて。\n\nどうですか？",
    "Es ist nicht nötig, sich zu merken, dass Lena Designerin ist.",
    "It's not necessary to remember that Lena is our designer.",
    "给莉娜写条消息：请记住打标签前要跑冒烟测试。",
    "レナさんにメッセージを書いて：タグの前にテストを実行すると覚えておいてください。",
    "Merke dir bitte nicht, dass der Schlüssel am 3. März abläuft.",
    "Proofread:\n\nHi team,\n\nfrom now on every endpoint gets a limit.\n\nThanks,\nPriya",
    "CLAUDE.md has these lines, are they ok?\n\n- Always run make lint\n- Never push to main",
    "In CLAUDE.md steht:\n\n- Regel: nie auf main pushen\n\nIst das gut?",
    "You needn't make a note of the port, just look into it.",
    "I'd rather you didn't remember that staging has no GPU, look into it",
  ])("%s: keeps nothing", (prompt) => {
    expect(kept(prompt)).toEqual([]);
  });

  test.each([
    [
      "Thanks, that works. Remember that staging listens on port 7432.",
      "remember: staging listens on port 7432.",
    ],
    ["the printer is on floor 3, remember that", "remember: the printer is on floor 3"],
    ["Staging listens on port 7432. Remember this.", "remember: Staging listens on port 7432."],
    ["Prices are in cents, please remember this for next time", "remember: Prices are in cents"],
    ["Can you make a note that Tom owns billing?", "remember: Tom owns billing"],
    ["Looks good. Rule: never commit generated files.", "rule: never commit generated files."],
    ["Decision: Postgres for the ledger. Now write it.", "decision: Postgres for the ledger."],
    [
      "Morning. From now on use pnpm here, never npm.",
      "rule: From now on use pnpm here, never npm.",
    ],
    ["Preise sind in Cent. Merk dir das bitte.", "remember: Preise sind in Cent."],
    [
      "Super. Ab jetzt bitte immer auf Deutsch antworten.",
      "rule: Ab jetzt bitte immer auf Deutsch antworten.",
    ],
    ["Merci. Retiens que les prix sont en centimes.", "remember: les prix sont en centimes."],
    ["El puerto de staging es 7432. Recuerda esto.", "remember: El puerto de staging es 7432."],
    [
      "O banco roda na porta 6432, guarda isso pra próxima.",
      "remember: O banco roda na porta 6432",
    ],
    ["Спасибо. Имей в виду, что цены в копейках.", "remember: цены в копейках."],
    [
      "Le quota est de 500 par minute. Note-le pour la prochaine fois.",
      "remember: Le quota est de 500 par minute.",
    ],
    ["we never squash here, keep that in mind ok?", "rule: we never squash here"],
    [
      "Exports are UTF-16 in this repo. Remember that now.",
      "remember: Exports are UTF-16 in this repo.",
    ],
    ["Хочу, чтобы ты запомнил, что экспорт в UTF-16.", "remember: экспорт в UTF-16."],
    ["¿Puedes recordar que Redis está en la db 3?", "remember: Redis está en la db 3"],
    ["你能记住 Redis 在 db 3 吗?", "remember: Redis 在 db 3"],
    ["Añade a tu memoria que yarn está prohibido aquí.", "remember: yarn está prohibido aquí."],
    ["Adicione à sua memória que yarn é proibido aqui.", "remember: yarn é proibido aqui."],
    [
      "The key rotates on Mondays. pls remember for next sessions",
      "remember: The key rotates on Mondays.",
    ],
    ["On utilise LF. Ne l'oublie pas.", "remember: On utilise LF."],
    ["证书 2027-03-01 到期,帮我记一下。", "remember: 证书 2027-03-01 到期"],
    ["Remember that the API returns ms. Now fix the timer.", "remember: the API returns ms."],
    ["测试数据库在6432端口。记住这一点。", "remember: 测试数据库在6432端口。"],
    [
      "ステージングのポートは7432です。覚えておいてください。",
      "remember: ステージングのポートは7432です。",
    ],
  ])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));
});

describe("an order that points back takes what stands before it", () => {
  const command =
    "the seed is loaded like this:\n\n```\nmake seed\nmake check\n```\n\nplease remember that";

  test("a block with the line that introduces it", () =>
    expect(kept(command)).toEqual(["place: the seed is loaded like this: make seed make check"]));

  test("a list", () =>
    expect(kept("ports:\n- api 7001\n- web 7002\n\nremember these")).toEqual([
      "remember: ports: api 7001 web 7002",
    ]));

  test("what the agent proposed, as the agent's words, where the prompt has nothing before it", () => {
    const answer = "I looked at it. The queue drops messages above 256 KB.";
    expect(kept("remember that", answer)).toEqual([
      "remember: The queue drops messages above 256 KB.",
    ]);
    const [memory] = ordersOf(turnOf("remember that everywhere", { previousAnswer: answer }));
    expect(memory).toMatchObject({ origin: "agent", project: "github.com/deskly/deskly" });
  });

  test("two words before it rather than the agent's", () =>
    expect(kept("Usamos LF. No lo olvides.", "I renamed the helper and ran it.")).toEqual([
      "remember: Usamos LF.",
    ]));

  test("nothing, where there is nothing", () => expect(kept("remember that")).toEqual([]));
});

test("a colon points at the list below, an item a memory", () =>
  expect(kept("Remember these:\n- api runs on 7001\n- web runs on 7002")).toEqual([
    "remember: api runs on 7001",
    "remember: web runs on 7002",
  ]));

describe("an order holds the block that it introduces", () => {
  test.each([
    "remember: the seed user is alice. the admin is bob. Backups run at 3am.",
    "Please remember that the VPN host is vpn1.corp. The backup host is vpn2.corp.",
    "remember: port A is 1, port B is 2\nand port C is 3",
    "remember: first thing is A\n- second thing is B\n- third thing is C",
    "Note for later: Tom owns billing. Port 5432 is the replica. It is read only.",
    "Rule: endpoints live in api/v2. Every one of them has a rate limit.",
    "Merk dir: der Cron läuft um 3. Backups laufen danach auf db-2. Die Logs liegen in var/log.",
    "Retiens que la TVA est à 20 %. Les factures partent le lundi.",
    "Recuerda: el puerto es 7432. Los backups corren a las 3.",
    "Lembre-se: a porta é 7432. Os backups rodam às 3.",
    "Запомни: порт 7432. Бэкапы идут в три часа ночи.",
    "记住：端口是7432。备份在凌晨三点运行。",
  ])("%s", (prompt) => {
    const [order, more] = ordersOf(turnOf(prompt));
    const plain = (text: string): string => text.replace(/^- /gmu, "").replace(/\s+/gu, " ");
    const said = plain(prompt).replace(/^.*?(?:[:：]|that|que) ?/u, "");
    expect(plain(order?.l1 ?? order?.l0 ?? "")).toBe(said);
    expect(more).toBeUndefined();
  });

  test.each([
    ["Remember that the API returns ms. Fix the timer.", "the API returns ms."],
    ["Remember that the API returns ms. Bump the version and ship it.", "the API returns ms."],
    ["Remember: the API returns ms. Can you fix the timer?", "the API returns ms."],
    ["Remember: the API returns ms. What is the port?", "the API returns ms."],
    ["Remember: the API returns ms. Thanks!", "the API returns ms."],
    ["Remember: the API returns ms. I want you to fix the timer.", "the API returns ms."],
    ["Remember: the API returns ms.\n\nThe timer is broken.", "the API returns ms."],
    ["Merk dir: die API liefert ms. Jetzt repariere den Timer.", "die API liefert ms."],
    ["Merk dir: die API liefert ms. Prüf die Logs.", "die API liefert ms."],
    ["Retiens que l'API renvoie des ms. Corrige le minuteur.", "l'API renvoie des ms."],
    ["Recuerda: la API da ms. Arregla el temporizador.", "la API da ms."],
    ["Lembre-se: a API dá ms. Agora conserta o timer.", "a API dá ms."],
    ["Запомни: API отдаёт мс. Теперь почини таймер.", "API отдаёт мс."],
    ["记住：接口返回毫秒。现在修复计时器。", "接口返回毫秒。"],
    ["记住：接口返回毫秒。运行测试。", "接口返回毫秒。"],
    ["覚えておいて：窓口は金曜の10時です。画面を開いて。", "窓口は金曜の10時です。"],
    ["Retiens que l'API renvoie des ms. Envoie-moi le plan.", "l'API renvoie des ms."],
    ["Recuerda: la API da ms. Vuelve al temporizador.", "la API da ms."],
    ["Recuerda: la API da ms. Pasa a la siguiente.", "la API da ms."],
    ["Запомни: API отдаёт мс. Продолжай чистку.", "API отдаёт мс."],
  ])("but not the task behind it: %s", (prompt, line) =>
    expect(kept(prompt)).toEqual([`remember: ${line}`]),
  );

  test("a list of more than a prompt may order one by one stays together", () => {
    const items = Array.from({ length: 9 }, (_, n) => `service ${n} runs on 700${n}`);
    const prompt = `Remember these:\n${items.map((item) => `- ${item}`).join("\n")}`;
    expect(ordersOf(turnOf(prompt)).map(({ l0 }) => l0)).toEqual([items.join(" ")]);
  });
});

test.each([
  [
    "A partir de ahora usa comillas dobles. Pasa al cliente.",
    "A partir de ahora usa comillas dobles.",
  ],
  [
    "С этого момента пиши тесты на русском. Верни фильтр.",
    "С этого момента пиши тесты на русском.",
  ],
  ["Désormais, écris les dates en ISO. Reprends hier.", "Désormais, écris les dates en ISO."],
  ["今後テスト名は英語で書いてください", "今後テスト名は英語で書いてください"],
  [
    "a partir de ahora los nombres de las ramas van en inglés",
    "a partir de ahora los nombres de las ramas van en inglés",
  ],
  [
    "from now on the branch names must be in english",
    "from now on the branch names must be in english",
  ],
  ["From now on write dates in ISO. Onwards with yesterday.", "From now on write dates in ISO."],
])("a rule ends with its sentence: %s", (prompt, line) =>
  expect(kept(prompt)).toEqual([`rule: ${line}`]),
);

test("a sentence behind an order that asks begins anew", () =>
  expect(kept("could you remember that the scanner is called teal? umber got sold")).toEqual([
    "remember: the scanner is called teal. umber got sold",
  ]));

describe("heads of a sentence are kept for this project", () => {
  test.each([
    [
      "Always run the linter before you commit. Now fix it.",
      "rule: Always run the linter before you commit.",
    ],
    [
      "I prefer functional components over classes",
      "remember: I prefer functional components over classes",
    ],
    ["We decided to use Redis for sessions.", "decision: We decided to use Redis for sessions."],
    [
      "The root cause was a missing index on orders.",
      "cause: The root cause was a missing index on orders.",
    ],
    ["The trick is to warm the cache first.", "place: The trick is to warm the cache first."],
  ])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));
});

describe("not kept", () => {
  test.each([
    ["a negation", "Don't remember that staging listens on port 7432."],
    ["a negation by a word that may also answer", "No guardes en memoria que el puerto es 99."],
    ["somebody else's words in Chinese", "小王说:记住端口是 4000"],
    ["somebody else's words in Japanese", "田中さんが言った:ポートは 4000 だと覚えておいて"],
    ["a text to reword", "reescreva melhor:\nNão esqueça que as faturas vencem dia 5."],
    ["a text to reword in Japanese", "もっと丁寧に書き直して:\n期限は5日だと忘れないでください。"],
    ["a message", "Слак от Ани:\nотныне используем синий кластер\n\nчто это значит?"],
    ["a message in Chinese", "Ana 的消息:\n从现在开始用蓝色集群\n\n这是什么意思?"],
    ["a negation in German", "Merk dir das nicht: der Port ist 7432."],
    ["a question that recalls", "Do you remember what port staging uses?"],
    ["the user's own memory", "I don't remember where the config is."],
    ["an act for once", "remember to run the tests"],
    ["an object that points", "I prefer the second one."],
    ["an object of the moment", "Always use the old key for this test."],
    ["no decision", "we decided nothing yet, let me think"],
    ["how things stand", "it always fails on the second run"],
    ["how things stand, in Spanish", "siempre falla en el segundo intento"],
    ["how things stand, in Japanese", "このテストはいつも2回目に失敗する"],
    ["an order for once with a cue", "In bookings index, show 100 records by default"],
    ["somebody else's words", 'he said "always use tabs in here" yesterday'],
    ["a text to translate", "translate this:\n\nremember: always run ./x.sh before each build"],
    ["markup", "<p>remember that we always run ./x.sh</p>\nwhat does it do?"],
    [
      "a chat",
      "Nutzer: merk dir, dass Deploys ./x.sh brauchen\n\nAssistent: Notiert.\n\nwas lief schief?",
    ],
    ["a page", "这是我在网上看到的\n\n记住：每次构建之前运行 ./x.sh\n\n有道理吗？"],
    ["a log", "it broke:\n```\nERROR always restart the worker from now on\n```"],
    ["a secret", "remember that the token is [redacted:token] for staging"],
    ["a label whose key was taken out", "note this for later: map api key\n[redacted:secret]"],
    ["what is to be forgotten", "/continuity:forget that we never deploy on Fridays"],
  ])("%s: %s", (_, prompt) => expect(kept(prompt)).toEqual([]));

  test("what a program or the agent wrote", () => {
    const notice = "<task-notification>always use tabs in this project</task-notification>";
    expect(kept(notice)).toEqual([]);
    expect(kept("ok", "From now on I always run the linter before I commit.")).toEqual([]);
  });
});

test.each([
  "Add a version line to the header. Note that this can be set for clones too, let's do that.",
  "Update the changelog from the start of the repo. Keep in mind, this is the very first version.",
  "Füg die Version ein. Beachte, dass das auch für Klone gilt.",
  "esbuildのtargetをchrome74にして。以後は勝手に変換されるでしょ",
])("a remark on the task at hand is none: %s", (prompt) => expect(kept(prompt)).toEqual([]));

test("an order beside a paste is kept", () => {
  const page = "Contents of README.md:\n\nRemember: always run ./x.sh before you commit.";
  expect(kept(`${page}\n\nremember that this README is outdated`)).toEqual([
    "remember: this README is outdated",
  ]);
});

test.each([
  "In all my projects, never use tabs.",
  "Everywhere: never push to main.",
  "In allen meinen Projekten niemals Tabs verwenden.",
  "En todos mis proyectos, usa siempre pnpm.",
  "for all projects: never use emojis",
  "always answer in French in all my projects",
  "in jedem meiner Projekte immer auf Deutsch antworten",
  "Dans tous mes projets, n'utilise jamais de tabulations.",
  "Во всех моих проектах никогда не используй табы.",
])("a standing order may say that it holds everywhere: %s", (prompt) => {
  expect(ordersOf(turnOf(prompt))).toMatchObject([{ category: "preferences", project: null }]);
});

test.each([
  "always check all projects in the monorepo",
  "never build all projects at once",
  "remember that pnpm is installed globally on the CI image",
  "remember that the flag is set everywhere in staging",
  "merk dir, dass pnpm auf dem CI-Image global installiert ist",
  "retiens que pnpm est installé globalement sur l'image de CI",
  "recuerda que pnpm está instalado globalmente en la imagen de CI",
])("a place that a thing has is not where the memory holds: %s", (prompt) => {
  expect(ordersOf(turnOf(prompt))).toMatchObject([{ project: "github.com/deskly/deskly" }]);
});

test.each(["remember globally that I use tabs", "remember that I work from Lisbon, everywhere"])(
  "a fact holds everywhere where the order says so: %s",
  (prompt) => expect(ordersOf(turnOf(prompt))).toMatchObject([{ project: null }]),
);

test.each([
  "don't forget to bump the version before you finish",
  "don't forget to run the tests when you're done",
  "vergiss nicht die Version zu erhöhen bevor du fertig bist",
  "n'oublie pas de mettre à jour le changelog avant de finir",
  "no olvides subir la versión antes de terminar",
  "não esqueça de subir a versão antes de terminar",
  "не забудь поднять версию перед тем как закончишь",
  "完成前别忘了更新版本号",
  "終わる前にバージョンを上げるのを忘れないで",
])("an order for the end of the task is none for later: %s", (prompt) => {
  expect(kept(prompt)).toEqual([]);
});

test.each([
  "remember to always run the tests before you finish",
  "don't forget that you must bump VERSION before you finish",
  "remember to run the linter before you commit",
])("… but a rule for every end is one: %s", (prompt) => {
  expect(kept(prompt)).toHaveLength(1);
});

test.each([
  "does our setup do this?\n\n## Deployment rules\n\n- Always run `make lint` before pushing.\n- Remember that CI is slow.",
  "what do you think of these?\n\n* Always use feature flags.\n* Never commit on main.",
  "does this apply here?\n\n### Conventions\n\nAlways name tests after the ticket.\nNever skip hooks.",
  "stimmt das noch?\n\n## Regeln\n\n- Immer den Linter laufen lassen.\n- Niemals als root arbeiten.",
  "who wrote this?\n\n- Never use the root account.",
])("what a question asks about is no order: %j", (prompt) => {
  expect(kept(prompt)).toEqual([]);
});

test.each([
  [
    "The import job reads from the replica called marabou. Remember that.",
    "remember: The import job reads from the replica called marabou.",
  ],
  [
    "The export writes to the bucket marabou. Please remember that.",
    "remember: The export writes to the bucket marabou.",
  ],
  [
    "The scanner only reads code 128. Please keep that in mind for later.",
    "remember: The scanner only reads code 128.",
  ],
  ["Note bien que le dossier elm est vide", "remember: le dossier elm est vide"],
  ["make sure u dont forget our gateway is kong 3.7", "remember: our gateway is kong 3.7"],
  [
    "vergiss es nicht zu notieren: der Build-Agent heißt Rotfuchs",
    "remember: der Build-Agent heißt Rotfuchs",
  ],
  [
    "remember\u200b that the pier is \u200bcalled Hirtshals",
    "remember: the pier is called Hirtshals",
  ],
])("keeps %j", (prompt, line) => {
  expect(kept(prompt)).toEqual([line]);
});

test.each([
  "Don't use moment, use date-fns in this repo.",
  "don't use moment, use date-fns instead in this repo",
  "In this project never use axios, use fetch.",
  "Verwende kein moment, sondern date-fns in diesem Projekt.",
  "N'utilise pas moment, utilise date-fns dans ce projet.",
  "No uses moment, usa date-fns en este proyecto.",
  "Não use moment, use date-fns neste projeto.",
  "Не используй moment, используй date-fns в этом проекте.",
])("a ban with what to take instead, and where it holds, is a rule: %s", (prompt) =>
  expect(kept(prompt)).toEqual([`rule: ${prompt}`]),
);

test.each([
  "don't use a map here, use a Set",
  "Don't use moment, use date-fns.",
  "don't use moment for this test, use date-fns in this repo",
  "Why don't you use moment, use of it is fine in this repo?",
])("and what may mean the line at hand is none: %s", (prompt) => expect(kept(prompt)).toEqual([]));

test("what is told of all projects is no order", () => {
  expect(ordersOf(turnOf("In all my projects we never had such a bug."))).toEqual([]);
});

test("an order holds everywhere only if its words say so", () => {
  const projects = [
    "From now on answer in German.",
    "From now on answer in German in all my projects.",
  ];
  expect(projects.map((prompt) => ordersOf(turnOf(prompt))[0]?.project)).toEqual([
    "github.com/deskly/deskly",
    null,
  ]);
});

test("a memory says where its words stand", () => {
  const prompt = "remember that our CI runs on Buildkite";
  expect(ordersOf(turnOf(prompt, { turn: 7, branch: "main" }))).toMatchObject([
    {
      l0: "our CI runs on Buildkite",
      origin: "user",
      maker: "signal",
      branch: "main",
      evidence: { turn: 7, quote: prompt },
    },
  ]);
});

test("at most five of one prompt", () => {
  const prompt = "api web ledger search mail billing stock"
    .split(" ")
    .map((name) => `remember that ${name} runs on host ${name}-01.`)
    .join(" ");
  expect(ordersOf(turnOf(prompt))).toHaveLength(5);
});

test.each([
  ["one letter", "a".repeat(200_000)],
  ["orders", "remember ".repeat(20_000)],
  ["leads", "please and then also ".repeat(8_000)],
  ["stops", "ok. ".repeat(40_000)],
  ["quotes", '"a" '.repeat(40_000)],
])("hostile text of %s is read in time", (_, text) => {
  const before = performance.now();
  ordersOf(turnOf(text));
  expect(performance.now() - before).toBeLessThan(1_500);
});

test("lines of labels in a row are orders, each by itself", () => {
  expect(kept("note: api keys rotate monthly\nnote: certs rotate yearly")).toEqual([
    "remember: api keys rotate monthly",
    "remember: certs rotate yearly",
  ]);
  expect(kept("rule: no default exports\ndecision: we use gitflow here\n\nfix the parser")).toEqual(
    ["rule: no default exports", "decision: we use gitflow here"],
  );
});

test.each([
  "src/a.c:4:2: error: expected ;\nnote: the brace opens here\nnote: declared as static here",
  "host: db-1\nport: 5432",
])("lines of a paste are none: %s", (prompt) => expect(kept(prompt)).toEqual([]));

test.each([
  [
    "we decided to drop IE support; remember that the cutoff is Safari 16",
    ["decision: we decided to drop IE support", "remember: the cutoff is Safari 16"],
  ],
  [
    "always answer short, and remember that im colorblind so no red/green",
    ["rule: always answer short", "remember: im colorblind so no red/green"],
  ],
  ["the tests fail, but remember that the port is 7432", ["remember: the port is 7432"]],
  ["for tomorrow remember that the reviewer is Katarzyna", ["remember: the reviewer is Katarzyna"]],
  ["for Monday remember to bring the badge", []],
  [
    "My name is Ayodele. I work mostly from Lagos, utc+1. Remember both please.",
    ["remember: My name is Ayodele.", "remember: I work mostly from Lagos, utc+1."],
  ],
  [
    "The queue is Kafka. The database is Postgres. Please remember both facts.",
    ["remember: The queue is Kafka.", "remember: The database is Postgres."],
  ],
  [
    "Ich heiße Ada Vogel. Ich wohne in Ulm. Merk dir bitte beides.",
    ["remember: Ich heiße Ada Vogel.", "remember: Ich wohne in Ulm."],
  ],
  ["Does it build? The queue is Kafka. Remember both.", ["remember: The queue is Kafka."]],
  ["remember both ports: 80 and 443", ["remember: both ports: 80 and 443"]],
])("all that is ordered is kept, and nothing else: %s", (prompt, lines) =>
  expect(kept(prompt)).toEqual(lines),
);

test.each(["remember this for next time.", "それを覚えておいて。"])(
  "an order that points behind a short answer means the prompt before: %s",
  (prompt) => {
    const said = "The blue cable in rack 2 belongs to Quill.";
    const turn = (previousPrompt: string, previousAnswer: string) =>
      ordersOf(turnOf(prompt, { previousPrompt, previousAnswer })).map(({ l0, origin }) => [
        origin,
        l0,
      ]);
    for (const answer of ["I see.", "わかりました。", "Noted.", "Verstanden."])
      expect(turn(said, answer)).toEqual([["user", said]]);
    expect(turn("Which cable belongs to Quill?", "I see.")).toEqual([]);
    expect(turn(`remember: ${said}`, "Noted.")).toEqual([]);
  },
);

test.each([
  ["remember that", null, true],
  ["Yes, remember that.", "Noted.", true],
  ["それを覚えておいて。", "わかりました。", true],
  ["remember that the port is 7432", null, false],
  ["remember that", "The lab network is 10.44.0.0/16.", false],
  ["fix the login", null, false],
])("an order that points at nothing is told as empty: %s after %p", (prompt, answer, isEmpty) =>
  expect(readOrders(turnOf(prompt, { previousAnswer: answer })).isEmpty).toBe(isEmpty),
);
