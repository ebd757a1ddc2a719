/** Wordings of orders in which what is kept begins or ends elsewhere than usual. All texts are invented. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

describe("a condition or a habit that ends stands before the rule", () => {
  test.each([
    "when you write sql, always use lower case keywords",
    "before you commit, always run make fmt",
    "wenn du Tests schreibst, nutze nie sleep",
    "quand tu écris du SQL, utilise toujours des minuscules",
    "cuando escribas SQL, usa siempre minúsculas",
    "когда пишешь SQL, всегда используй строчные",
    "写SQL的时候，总是用小写关键字",
    "never use moment again, always use luxon for dates",
    "no more tabs, always use spaces",
    "stop adding emojis to commit messages, from now on plain text only",
    "don't use moment any more, from now on use luxon",
    "write docs in English again from now on",
    "с этого момента снова пиши документацию на английском",
  ])("%s", (prompt) => expect(kept(prompt)).toEqual([prompt]));

  test.each(["when you start the server, it always fails", "when i run it, never ends"])(
    "no rule: %s",
    (prompt) => expect(kept(prompt)).toEqual([]),
  );
});

describe("what stands before an order or behind it in its line is none of it", () => {
  test.each([
    [
      "Support told me that labels hold 28 days. Please remember that labels hold 28 days.",
      "labels hold 28 days.",
    ],
    [
      "1) rename it 2) remember that the desk is help@bluefin.dev 3) run the linter",
      "the desk is help@bluefin.dev",
    ],
    ["Remember this, the port is 4402.", "the port is 4402."],
    ["```\nmake kafka-up\n```\nRemember this, it starts kafka for the tests.", "make kafka-up"],
    [
      "Merk dir, dass alle Texte US-Schreibweise haben. Übersetze:\n\nAb jetzt gilt Maskenpflicht.",
      "alle Texte US-Schreibweise haben.",
    ],
    ["After the call with Lotte we decided to store cents.", "we decided to store cents."],
    ["原因は期限が0になっていたことでした。", "原因は期限が0になっていたことでした。"],
    [
      "The root cause was that the proxy strips the header.",
      "The root cause was that the proxy strips the header.",
    ],
    [
      "Immer erst die Tests laufen lassen, bevor du committest.",
      "Immer erst die Tests laufen lassen, bevor du committest.",
    ],
  ])("%s", (prompt, line) => {
    expect(kept(prompt).map((one) => one.replace(/^remember: /u, ""))).toEqual([line]);
  });

  test.each([
    "In the docs they say we decided to drop IE.",
    "原因は何でしたか。",
    "we decided that one",
    "Support told me that: always push to main. Fix it.",
  ])("nothing: %s", (prompt) => expect(kept(prompt)).toEqual([]));
});

describe("what is kept begins and ends where it does", () => {
  test.each([
    [
      "merk dir dass Kisten bei uns mit K- anfangen. und fass das zusammen:\n\nLiebe Kunden, ab sofort neue Preise.",
      "Kisten bei uns mit K- anfangen.",
    ],
    [
      'lembra que o ambiente de testes é o "caju". resume esse texto aí:\n\nPessoal, o café acabou.',
      'o ambiente de testes é o "caju".',
    ],
    [
      '记住我们的测试环境叫"白鹭"。翻译下面的话:\n\nThe office is closed.',
      '我们的测试环境叫"白鹭"。',
    ],
    ["quick note to remember: kites fly on tuesdays", "kites fly on tuesdays"],
    [
      "Run the e2e suite (and remember that it needs DISPLAY=:7).",
      "Run the e2e suite: it needs DISPLAY=:7",
    ],
    ["Fix the build (and from now on use pnpm), then push", "from now on use pnpm"],
    ["Fix the spec (btw remember: the seed is 4711)", "the seed is 4711"],
    ["remember that deploys go through Tilda, then Ove", "deploys go through Tilda, then Ove"],
    ["remember that for releases: bump, tag, push", "for releases: bump, tag, push"],
    // The next sentence asks for work, or asks.
    ["merk dir: der Lotse heißt Alba. Schau dir bitte den Import an.", "der Lotse heißt Alba."],
    ["merk dir: der Lotse heißt Alba. Sieh mal im Log nach.", "der Lotse heißt Alba."],
    ["merk dir: der Lotse heißt Alba. Er hat 8 GB.", "der Lotse heißt Alba. Er hat 8 GB."],
    ["запомни: лоцмана зовут Альба. Взгляни на импорт.", "лоцмана зовут Альба."],
    ["remember: the pilot is called Alba. Peek at the import.", "the pilot is called Alba."],
    [
      "n'oublie pas que le quai est en PHP 7.4. Du coup est-ce que ça passe ?",
      "le quai est en PHP 7.4.",
    ],
    // A word of passage, or a statement, before a colon.
    ["unrelated: remember that the gauge listens on 5151", "the gauge listens on 5151"],
    ["unabhängig davon: merk dir dass der Pegel auf 5151 lauscht", "der Pegel auf 5151 lauscht"],
    [
      "the limit was raised: keep in mind that it is 250 requests a minute",
      "the limit was raised: it is 250 requests a minute",
    ],
    [
      "das Limit wurde erhöht: merk dir, dass jetzt 250 gelten",
      "das Limit wurde erhöht: jetzt 250 gelten",
    ],
    [
      "nos han subido el límite: ten en cuenta que son 250 por minuto",
      "nos han subido el límite: son 250 por minuto",
    ],
    [
      "la revue est déplacée : n'oublie pas qu'elle se fait le jeudi",
      "la revue est déplacée: elle se fait le jeudi",
    ],
    ["o limite subiu: lembra que agora são 250", "o limite subiu: agora são 250"],
    ["лимит подняли: запомни, что теперь 250", "лимит подняли: теперь 250"],
    ["限制提高了：记住现在是250", "限制提高了: 现在是250"],
    // A reason behind a pointer is no fact.
    [
      "the gauge allows 20 reads. remember that, we always forget it.",
      "the gauge allows 20 reads.",
    ],
    [
      "der Pegel erlaubt 20 Abrufe. merk dir das, das vergessen wir immer.",
      "der Pegel erlaubt 20 Abrufe.",
    ],
    ["le quai ferme à 20 h. retiens ça, on l'oublie toujours.", "le quai ferme à 20 h."],
    [
      "el muelle cierra a las 20. recuérdalo, que luego se nos olvida.",
      "el muelle cierra a las 20.",
    ],
    ["o cais fecha às 20. lembra disso, a gente sempre esquece.", "o cais fecha às 20."],
    ["причал закрывается в 20. запомни это, мы вечно забываем.", "причал закрывается в 20."],
    ["码头20点关门。记住这个，我们老是忘。", "码头20点关门。"],
    ["桟橋は20時に閉まります。覚えておいて、いつも忘れるから。", "桟橋は20時に閉まります。"],
    ["der Pegel braucht VPN.\ndas bitte für die zukunft behalten.", "der Pegel braucht VPN."],
    ["あと桟橋の点検は毎月だと覚えておいて", "桟橋の点検は毎月だ"],
    ["apunta que los cambios van en el changelog", "los cambios van en el changelog"],
    ["take note, the changes go into the changelog", "the changes go into the changelog"],
    ["记住我喜欢用制表符", "我喜欢用制表符"],
    // Advice belongs to its statement.
    [
      "remember that logs are in ops/log, check there first",
      "logs are in ops/log, check there first",
    ],
    ["remember: the seed is 4711, use it for every run", "the seed is 4711, use it for every run"],
    [
      "remember that prod is read-only, use the replica instead. fix the header",
      "prod is read-only, use the replica instead.",
    ],
    [
      "merk dir, dass das Schema generiert ist, änder es nie von Hand",
      "das Schema generiert ist, änder es nie von Hand",
    ],
    [
      "retiens que les logs sont dans ops/log, vérifie toujours là d'abord",
      "les logs sont dans ops/log, vérifie toujours là d'abord",
    ],
    [
      "recuerda que los logs están en ops/log, revisa siempre ahí primero",
      "los logs están en ops/log, revisa siempre ahí primero",
    ],
    [
      "lembra que os logs ficam em ops/log, verifica lá primeiro",
      "os logs ficam em ops/log, verifica lá primeiro",
    ],
    [
      "запомни, что логи лежат в ops/log, проверь сначала там",
      "логи лежат в ops/log, проверь сначала там",
    ],
    ["记住日志在 ops/log 里，先看那里", "日志在 ops/log 里，先看那里"],
    ["remember that the port is 4402, run the tests first", "the port is 4402"],
    [
      "remember that the port is 4402, use it every time, then fix the login",
      "the port is 4402, use it every time",
    ],
    ["le port est 8431, n'oublie plus ça et ensuite continue", "le port est 8431"],
    ["from now on secrets are never logged, fix it", "from now on secrets are never logged"],
    ["führe die Migrationen nie aus", "führe die Migrationen nie aus"],
    ["remember that the port is 4402, then fix the login", "the port is 4402"],
    [
      "keep in mind for later sessions that the tests need redis on 6390",
      "the tests need redis on 6390",
    ],
    ["merk dir für spätere Sitzungen, dass die Tests Redis brauchen", "die Tests Redis brauchen"],
    ["remember that the bucket is s3-lynx, thx", "the bucket is s3-lynx"],
    ["merk dir: der Bucket ist s3-luchs, danke", "der Bucket ist s3-luchs"],
    ["one more thing - remember - the sftp host is sftp-9", "the sftp host is sftp-9"],
    ["Rappelle-toi qu'Inès valide les migrations", "Inès valide les migrations"],
    [
      "merk dir mal bitte das der mailserver jetzt postfix-2 heißt",
      "der mailserver jetzt postfix-2 heißt",
    ],
    ["忘れないで、リリースは毎週水曜日です", "リリースは毎週水曜日です"],
    ["don't forget to note: the emulator needs 6 GB", "the emulator needs 6 GB"],
    ["forget that, the header is X-Crane. remember it", "the header is X-Crane."],
    ["vergiss das, der Header ist X-Crane. merk dir das", "der Header ist X-Crane."],
    ["decision: gitflow", "decision: gitflow"],
    ["désormais, tabulations", "désormais, tabulations"],
  ])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));

  test("a number of things is a memory each", () =>
    expect(
      kept("remember two things: the api lives in apps/core, and the jobs live in apps/tick"),
    ).toEqual(["the api lives in apps/core", "the jobs live in apps/tick"]));

  test("an order for all projects stands before a colon in Japanese too", () =>
    expect(ordersOf(turnOf("すべてのプロジェクトで覚えておいて：返事は短く"))).toMatchObject([
      { l0: "返事は短く", project: null },
    ]));
});

test.each([
  ["In all my projects: answer me in English.", "answer me in English.", null],
  ["Für alle meine Projekte: antworte auf Deutsch.", "antworte auf Deutsch.", null],
  [
    "Rows are numbered per year, not globally. Keep that in mind.",
    "Rows are numbered per year, not globally.",
    "p",
  ],
  [
    "Make sure you always lint before you say it is done.",
    "Make sure you always lint before you say it is done.",
    "p",
  ],
])("%s", (prompt, l0, project) =>
  expect(ordersOf(turnOf(prompt)).map((one) => [one.l0, one.project && "p"])).toEqual([
    [l0, project],
  ]),
);

test("what an answer proposes is kept with what it cures", () =>
  expect(
    ordersOf(
      turnOf("good find, remember this for next time pls", {
        previousAnswer:
          "The pier test fails because the clock runs in UTC. I suggest to set TZ=Europe/Berlin in pier.yml.",
      }),
    ).map(({ l0 }) => l0),
  ).toEqual([
    "The pier test fails because the clock runs in UTC. I suggest to set TZ=Europe/Berlin in pier.yml.",
  ]));

test("a task behind an order says nothing of where it holds", () =>
  expect(
    ordersOf(turnOf("remember that the queue is called heron, rename it everywhere")),
  ).toMatchObject([{ l0: "the queue is called heron", project: turnOf("").project }]));

test("a command of the answer is named and saved for later", () =>
  expect(
    ordersOf(
      turnOf("please save that command for next time", {
        previousPrompt: "how do i fill the demo data?",
        previousAnswer: "Run this:\n\n```\nmake seed ROWS=500\n```\n\nIt takes a minute.",
      }),
    ).map(({ l0 }) => l0),
  ).toEqual(["Run this: make seed ROWS=500"]));

test.each([
  "across all repos: rename foo to bar",
  "Everywhere: fix the typos",
  "save this file for later",
])("no order: %s", (prompt) => expect(kept(prompt)).toEqual([]));

test.each(["decision: yes", "remember two things: milk", "覚えておいて、テストを直してください"])(
  "no order: %s",
  (prompt) => expect(kept(prompt)).toEqual([]),
);

test.each([
  [
    "um so the staging port is 8431 remember that and then uh fix the login",
    "the staging port is 8431",
  ],
  [
    "so basically the demo account is called falcon remember that and then uh run the tests",
    "the demo account is called falcon",
  ],
  [
    "okay so our invoices are numbered per year uh remember that and then open the file",
    "our invoices are numbered per year",
  ],
  [
    "the release branch is cut on tuesdays please remember that and uh then look at the build",
    "the release branch is cut on tuesdays",
  ],
  [
    "we deploy from the box called heron keep that in mind and then um start with the tests",
    "we deploy from the box called heron",
  ],
  [
    "the api returns cents not euros remember this and uh now add the endpoint",
    "the api returns cents not euros",
  ],
  ["also der Port ist 8431 merk dir das und dann äh mach die Tests", "also der Port ist 8431"],
  ["le port est 8431 retiens ça et ensuite euh lance les tests", "le port est 8431"],
  ["el puerto es 8431 recuérdalo y luego eh corre los tests", "el puerto es 8431"],
  ["a porta é 8431 lembra disso e depois é roda os testes", "a porta é 8431"],
  ["порт 8431 запомни это и потом э запусти тесты", "порт 8431"],
  [
    "the sandbox key lives in bitwarden remember that and then uh",
    "the sandbox key lives in bitwarden",
  ],
])("dictated without marks: %s", (prompt, line) => {
  expect(ordersOf(turnOf(prompt)).map(({ l0 }) => l0)).toEqual([line]);
});
test.each([
  "i can't remember that and then uh it crashed",
  "do you remember that and then what happened",
  "she will remember that and then complain",
  "the cache should remember that and then expire it",
  "users remember that and then leave",
  "you said you remember that and then you forgot",
])("dictated, and no order: %s", (prompt) => {
  expect(ordersOf(turnOf(prompt))).toEqual([]);
});

describe("words of an order that order nothing", () => {
  test.each([
    // A speaker, a text or a mark of code before a colon.
    "the vendor wrote: remember that all parcels go with DHL",
    "ticket 4: remember that the port is 9",
    "TODO: remember to update the docs",
    "his message: keep in mind that the port is 4",
    "don't forget the second argument in that call",
    "vergiss nicht das zweite Argument in diesem Aufruf",
    "не забудь обновить readme после этого",
    "don't forget to update the readme after that",
    // Code, and the name of a rule that stands elsewhere.
    "remember = useRef(null); why is remember.current undefined",
    "remember() is never called",
    "the rule in .eslintrc: no-console, why is it off",
    // Recalled.
    "can you remember the last thing we talked about?",
    // Momentary.
    "from now on until lunch i'm in a meeting, continue with the form",
    "make sure you always close the tag in this file, line 12",
    "from now on line 30 the indentation is off",
    // Written into a file, or pointed at something.
    "notiere die Endpunkte bitte im CHANGELOG",
    "note les points d'entrée dans docs/api.md",
    "anota os endpoints num arquivo docs/api.md",
    "apunta los cambios en el changelog",
    "apunta el dominio al servidor nuevo",
    "запиши изменения в CHANGELOG",
    "変更点をCHANGELOGにメモして",
    "write down the changes in the changelog",
    // The name of a box in a form.
    "记住密码那个选项没有生效",
    "记住我这个按钮默认勾上",
    "stop saving the file on every keystroke, debounce it",
    // A reason for the task behind it.
    "parseDate is never called from now on, remove it",
    "the old endpoint is no longer used from now on, delete that",
    "parseDate wird ab jetzt nie aufgerufen, entferne es",
    "parseDate n'est plus jamais appelé désormais, supprime-le",
    "ya no se llama a parseDate a partir de ahora, bórralo",
    "parseDate nunca mais é chamado a partir de agora, remove isso",
    "parseDate больше никогда не вызывается с этого момента, удали это",
    "今後 parseDate は呼ばれないので、それを削除して",
  ])("%s", (prompt) => expect(kept(prompt)).toEqual([]));
});

test.each([
  ["rememeber that the pump needs 30 s", "the pump needs 30 s"],
  [
    "can u store this for later sessions: the driver is in tools/zpl. thx",
    "the driver is in tools/zpl.",
  ],
  ["remember it finally: the api is versioned by header", "the api is versioned by header"],
  ["note to self and to you: the freeze is on the 14th", "the freeze is on the 14th"],
  [
    "let me be clear, always ask me before you add a package",
    "always ask me before you add a package",
  ],
  ["nie wieder moment.js hier benutzen! ersetz es", "nie wieder moment.js hier benutzen!"],
  ["больше никогда не используй тут moment.js", "больше никогда не используй тут moment.js"],
  ["We pay Hetzner. I don't want to say it again so commit it to memory.", "We pay Hetzner."],
  ["- lint: biome\n- tests: vitest\n\nremember this list", "lint: biome tests: vitest"],
  [
    "`make proto && make gen`\n\nthats how you build it, note it",
    "make proto && make gen thats how you build it",
  ],
  ["ach und merk dir noch, dass der Port 9 ist", "der Port 9 ist"],
  ["retiens que le port est 9. traduis ça :\n\nBonjour.", "le port est 9."],
  ["Tests run on sqlite. Save this.", "Tests run on sqlite."],
  ["garde juste en tête que c'est Ada qui valide", "c'est Ada qui valide"],
  ["Guarda para mais tarde: as notas valem 24 horas.", "as notas valem 24 horas."],
  ["Wichtig und bitte behalten: Images nie auf alpine.", "Images nie auf alpine."],
  [
    "notier dir noch dass frau Berg die Freigaben macht und dann räum die TODOs auf",
    "frau Berg die Freigaben macht",
  ],
  [
    "Ten en cuenta: los importes van en céntimos. Cambia por favor el modelo.",
    "los importes van en céntimos.",
  ],
  [
    "for the next two days use the mirror registry, keep that in mind",
    "for the next two days use the mirror registry",
  ],
  [
    "remember: for the next two days use the mirror registry",
    "for the next two days use the mirror registry",
  ],
])("an order in other words: %s", (prompt, line) => expect(kept(prompt)).toEqual([line]));

test("a list below an order that names it is kept item by item", () => {
  const prompt = "Keep this list in mind:\n- orders-api: Jo\n- search: Ada\n\nwhat is a good name?";
  expect(kept(prompt)).toEqual(["orders-api: Jo", "search: Ada"]);
});

test.each([
  ["remember for tests we use sqlite", "for tests we use sqlite"],
  ["merk dir für tests nehmen wir sqlite", "für tests nehmen wir sqlite"],
  [
    "Die Rechnungsnummern müssen lückenlos sein. Merk dir das für alle Module.",
    "Die Rechnungsnummern müssen lückenlos sein.",
  ],
])("what a fact is for belongs to it; what an order is for does not: %s", (prompt, fact) => {
  expect(kept(prompt)).toEqual([fact]);
});

describe("who or what as the subject of a statement tells", () => {
  test.each([
    ["anota que quem faz o deploy agora é o Wesley, não mais a Rosângela"],
    ["remember that who does the deploy is Wesley"],
    ["remember what runs the nightly job is cron-7"],
    ["merk dir, wer die Freigaben macht, ist jetzt Frau Özkan"],
    ["retiens que qui fait le déploiement est Yannick"],
    ["recuerda que quien hace el deploy es Gorka"],
    ["запомни, что кто делает деплой — это Зина"],
    ["记住谁负责部署是小王"],
    ["デプロイするのは森さんだと覚えておいて"],
  ])("%s", (prompt) => {
    const [fact = ""] = kept(prompt);
    expect(fact).toMatch(/(?:Wesley|cron-7|Özkan|Yannick|Gorka|Зина|小王|森さん)/u);
    expect(fact).toMatch(/^(?:quem|who|what|wer|qui|quien|кто|谁|デプロイ)/u);
  });

  test.each([
    "anota quem faz o deploy",
    "remember who does the deploy",
    "remember what the port is in staging",
    "remember who said that the port is 80",
    "remember what happens when the build is red",
    "merk dir wer der Chef ist",
    "retiens qui est Yannick",
    "recuerda quién es Gorka",
    "lembra quem é o Wesley",
    "запомни, кто делает деплой",
    "记住谁负责部署",
  ])("a question does not: %s", (prompt) => expect(kept(prompt)).toEqual([]));
});
