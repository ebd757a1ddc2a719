import { describe, expect, test } from "bun:test";
import { cpuMs } from "../../../test/support/cpu-ms.ts";
import { stripBlocks } from "#privacy";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { leavesNoRecord } from "./off-record.ts";
import { ordersOf } from "./orders.ts";

test.each([
  "forget what I just said about Zwrban, don't write it to memory. just fix the test",
  "you can forget what I just said about Zwrban, don't save that",
  "vergiss was ich zu Zwrban meinte, ins gedächtnis kommt das nicht",
  "oublie tout ce que j'ai dit sur Zwrban, n'en garde rien",
  "olvida lo que te acabo de contar de Fuensaldaña, no lo almacenes. sigue con el css",
  "esqueça o que eu te disse sobre Zwrban, não registre isso",
  "забудь то что я сейчас сказал про Верхнеуральск, в память не пиши. просто поправь тест",
  "忘掉我刚才说的关于茨瓦的话，不要写进记忆。只改测试",
  "茨城さんのこと言ったのは忘れて、覚えないで",
])("what the user said is cited by nobody: %s", (prompt) => {
  expect(leavesNoRecord(prompt)).toBe(true);
});

test("a message that goes somewhere says nothing", () => {
  expect(leavesNoRecord("heads up, nothing from this message goes into memory. Kim buys us")).toBe(
    true,
  );
});

test.each([
  "Do not remember this: the spare badge sits in drawer four.",
  "Don't remember this: the demo password hint is the dog's name.",
  "You don't have to remember this: the lift is broken today.",
  "Never remember this: my desk is number 41.",
  "Remember nothing of this: the test user is called Quill.",
  "Let's not remember this one: the seating plan is on the wall.",
  "please do not keep in mind that the server room is cold",
  "You should not remember this session.",
  "Do not store this anywhere: the merger is code-named Osprey.",
  "Forget what I say next: the vendor is Quill.",
  "Please don't save what I'm about to say, the fair is in Lyon.",
  "Off the record: the contract ends in June.",
  "The lift is broken. Don't remember that.",
  "The offer comes on Monday, Quill told me. Please don't save that.",
  "i dont wnat this saved: the fair is in Lyon",
  "esto queda entre nosotros: el contrato acaba en junio",
  "另外这个只有你我知道，合同六月到期。",
  "Merk dir das bitte nicht: der Ersatzausweis liegt in Fach vier.",
  "Ne retiens pas ça : le badge est dans le tiroir quatre.",
  "No recuerdes esto: la tarjeta está en el cajón cuatro.",
  "Não guarde isto na memória: o crachá está na gaveta quatro.",
  "Не запоминай это: запасной пропуск лежит в ящике четыре.",
  "これは覚えないでください：予備のバッジは引き出し四番です。",
  "不要记住这个：备用工牌在四号抽屉里。",
  "今から言うことは忘れてください。予備のバッジは引き出し四番です。",
  "忘记我接下来要说的：备用工牌在四号抽屉里。",
  "forget what I am about to say: the badge is in drawer four",
  "vergiss, was ich jetzt sage: der Ausweis liegt in Fach vier",
  "забудь то, что я сейчас скажу: пропуск в ящике четыре",
  "以下内容仅限本次对话,不要保存。备用工牌在四号抽屉里。",
  "What follows is for this chat only, do not store. The badge is in drawer four.",
  "Ce qui suit est pour cette conversation seulement, ne pas enregistrer. Le badge est là.",
  "Lo que sigue es solo para esta conversación, no guardar. La tarjeta está allí.",
  "O que segue é só para esta conversa, não guardar. O crachá está lá.",
])("off the record: %s", (typed) => {
  expect(leavesNoRecord(typed)).toBe(true);
});

test.each([
  "I don't remember this function",
  "la variable queda entre nosotros y el servidor",
  "只有你我知道这个接口",
  "do not forget to run the tests",
  "Do not store tokens in the repository",
  "Remember this: the port is 4180.",
  "don't log in twice",
  "Why did you not remember this?",
  'Translate: "Do not remember this: the badge is in drawer four."',
  "Ich erinnere mich nicht an diese Funktion",
  "You don't remember this, but we decided on SQLite.",
  "I don't want it saved in localStorage",
  "Erase that right after the test run",
  "Nicht speichern: temporäre Dateien",
  "Vergiss das danach nicht",
  "n'oublie plus ça et ensuite continue",
  "这个文件仅限本地使用,不要提交",
  "さっき言ったテストは忘れてください",
  "Не храни пароли в памяти процесса",
  "Esto no debe quedar registrado en el log",
  "禁止保存：用户密码",
])("on the record: %s", (typed) => {
  expect(leavesNoRecord(typed)).toBe(false);
});

test.each([
  ["lines of a paste", "password: abc def\n".repeat(30_000)],
  ["tags", "<system-reminder> a\n".repeat(25_000)],
])("half a megabyte of %s is read in linear time", (_, text) => {
  const before = performance.now();
  expect(leavesNoRecord(text)).toBe(false);
  expect(performance.now() - before).toBeLessThan(5_000);
});

test.each([
  " ",
  "\t",
  "\u00a0",
  "<!-- x ",
  "<private>a ",
  "<word><private ",
  "<thing>\n",
  "<!-- x\n",
])("1 MB of %p is read in less than a second", (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  const started = cpuMs();
  leavesNoRecord(text);
  expect(cpuMs() - started).toBeLessThan(1_000);
});

test.each([
  [
    "marks of quotations",
    (n: number) => `${"> ".repeat(1 + (n % 40))}"'\`«„“ remember (that [ { <private ${n} `,
  ],
  ["rows that lead to an order", (n: number) => `${"ok ".repeat(5 + (n % 30))}"remember that ${n}`],
  ["a table", (n: number) => `| ${n} | admin / Xy${n}! | User: remember ${n} | a.b.c@x.y.z |`],
  [
    "orders between code",
    (n: number) => (n % 3 ? `{"a${n}": [${n}, "don't"],` : `remember ${n} is it`),
  ],
])("1 MB of lines with %s is read in less than two seconds", (_, line) => {
  const text = Array.from({ length: 20_000 }, (_, n) => line(n))
    .join("\n")
    .slice(0, 1_000_000);
  const started = cpuMs();
  leavesNoRecord(text);
  expect(cpuMs() - started).toBeLessThan(2_000);
});

describe("at the end of a long prompt", () => {
  const pastes = {
    log: "log line of the server\n".repeat(1_500),
    "long log": "log line of the server\n".repeat(5_000),
    code: "const a = await fetch(url);\n".repeat(1_200),
    fence: `\`\`\`\n${"const a = await fetch(url);\n".repeat(1_200)}\`\`\``,
    prose: "The settings are read. Then the server starts. It waits.\n".repeat(600),
    json: `${'  "name": "value of it",\n'.repeat(1_200)}}`,
    "one line": `{${'"name": "value of it", '.repeat(1_500)}}`,
  };
  test.each(Object.entries(pastes))("an order below a paste (%s) is seen", (_, paste) => {
    for (const order of ["off the record: Hooli is leaving", "Merk dir das nicht: Hooli geht"])
      for (const gap of ["\n ", "\n\n"]) expect(leavesNoRecord(paste + gap + order)).toBe(true);
    expect(leavesNoRecord(`${paste}\nI don't remember this function, what does it do?`)).toBe(
      false,
    );
  });
});

test.each([
  "My salary is 90k. Do not remember this.\n\nTranslate this into German",
  "Standup 10:30\nDo not remember this: Kim is leaving in May.",
])("what looks like another's text is off the record too where it says so: %p", (typed) => {
  expect(leavesNoRecord(typed)).toBe(true);
});

/** Memories that a prompt orders of which a part is private. */
const keptOf = (prompt: string): readonly string[] => {
  const { text, hidden } = stripBlocks(prompt);
  const told = { isPrivate: hidden.length > 0, previousAnswer: "The build uses port 9000." };
  return ordersOf(turnOf(text.trim(), told)).map(({ l0 }) => l0);
};
test.each([
  "remember that <private>X</private> is the code name",
  "remember that the code name is <private>X</private>",
  "remember: <private>X</private>",
  "remember this: <private>X</private>",
  "<private>X</private> is the code name, remember that",
  "remember that our buyer, <private>X</private>, signs in May",
  "please remember <private>X</private>.",
  "note that <private>X</private> leaves in May",
  "keep in mind that the vendor <private>X</private> is late",
  "merk dir, dass <private>X</private> der Codename ist",
  "merk dir: der Codename ist <private>X</private>",
  "remember that the client is called <private>X</private>",
  "Merke dir, der Kunde heißt <private>X</private>",
  "retiens que le client s'appelle <private>X</private>",
  "recuerda que el cliente se llama <private>X</private>",
  "lembre que o cliente se chama <private>X</private>",
  "запомни, что клиента зовут <private>X</private>",
  "retiens que <private>X</private> est le nom de code",
  "recuerda que el nombre es <private>X</private>",
  "lembre que <private>X</private> é o codinome",
  "запомни, что <private>X</private> это кодовое имя",
  "记住<private>北辰</private>是代号",
  "记住代号是<private>北辰</private>",
  "コード名は<private>北辰</private>です、覚えておいて",
  "always use <private>X</private> for the demo",
  "from now on call it <private>X</private>.",
  "remember that <private>X</private>",
  "the budget is <private>40k</private>. remember that",
  "remember: we pay <private>X</private>",
  "remember we owe <private>X</private> the money",
  "<private>X</private> pays us monthly, remember that",
  "remember that <private>X</private> and we share a floor",
  "merk dir: wir zahlen <private>X</private>",
  "merk dir, dass wir <private>X</private> beliefern",
  "souviens-toi que nous payons <private>X</private>",
  "recuerda que pagamos a <private>X</private>",
  "lembra que pagamos <private>X</private>",
  "запомни: мы платим <private>X</private>",
  "记住我们付给<private>北辰</private>",
  "覚えておいて：毎月<private>北辰</private>に払う",
  "remember: the release goes to <private>X",
  "always send the report to <private>X</private>",
])("an order whose object was private keeps nothing: %p", (prompt) => {
  expect(keptOf(prompt)).toEqual([]);
});
test.each([
  "remember that the port is 8431. <private>X is ill</private>",
  "<private>X</private>\nremember that the port is 8431",
  "remember that the port is 8431 <private>because X</private>",
  "remember: tests run with --bail\n<private>X</private>",
  "always use pnpm here. <private>X</private>",
  "<private>X</private> remember that the release is cut on Tuesdays.",
  "merk dir, dass der Port 8431 ist. <private>X</private>",
  "记住端口是8431。<private>X</private>",
  "from now on use single quotes (<private>X</private>)",
  "The port is 8431. Remember that. <private>X</private>",
  "remember that <b>the port</b> is 8431",
  "remember the  port is 8431",
  "remember the port is 4411. <private>the client is X</private>",
  "remember the port is 4411, <private>the client is X</private>",
  "remember the port is 4411 (<private>ask X</private>)",
  "<private>X</private>, remember that the release is cut on Tuesdays.",
  "<private>X is ill.</private> remember that the release is cut on Tuesdays.",
  "merk dir: der Port ist 4411, <private>sagt X</private>.",
  "remember the port is 4411\n<private>X",
])("an order beside what is private is kept: %p", (prompt) => {
  expect(keptOf(prompt)).toHaveLength(1);
});
