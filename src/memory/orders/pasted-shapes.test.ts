/** Orders in text that is another's by its shape are nobody's; the user's own beside it are kept. Invented texts. */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf, readOrders } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

test.each([
  ["triple quotes", 'fix the wording in this\n"""\nAlways run qq first.\n"""'],
  ["a chat", "kim  10:42 AM\nfrom now on we use qq\ntom  10:43 AM\nok\n\ndraft a reply"],
  ["a mail", "-------- Forwarded message --------\nFrom: Kim\n\nRemember: qq is our vendor.\n"],
  ["settings", "key: value\nrules:\n  - Always use qq\n  - Never use X\n\nvalidate this yaml"],
  ["nested settings", "rules:\n  - id: 1\n    text: Always use qq\n\nfix the indentation"],
  ["rows", "id,text\n1,Always use qq\n2,Remember that qq is slow\n\ncount rows"],
  ["rows below words", "tidy this up\nid,text\n1,remember that qq is slow\n2,always use qq"],
  ["a shell", "$ cat todo\nalways use qq\n$ pwd\n/srv\n\nwhat's next?"],
  [
    "speakers",
    "要約してください\n\n田中：今後は qq を使ってください。\n佐藤：qq は 9 番だと覚えておいて。",
  ],
  ["speakers", "总结一下：\n\n小王：以后都用 qq。\n小李：记住 qq 在 8088 端口。"],
  ["a list, then what to do", "- Always use qq\n- Never use tabs\n\nmake this shorter"],
  ["a mail, then what to do", "Hi,\n\nfrom now on we use qq.\n\nBest,\nKim\n\npolish this mail"],
  ["minutes", "Protokoll\n\n- Ab jetzt immer qq nehmen\n- Nie am Freitag\n\nfass das zusammen"],
  ["minutes", "Compte rendu\n\n- Toujours utiliser qq\n\nraccourcis ça"],
  ["minutes", "Acta\n\n- Siempre usar qq\n\nacorta esto"],
  ["minutes", "会议纪要\n\n- 以后都用qq\n\n总结一下"],
  ["minutes", "議事録\n\n- 今後は必ずqqを使うこと\n\n要約して"],
  ["minutes", "Протокол\n\n- Всегда использовать qq\n\nсократи это"],
  ["a log", "yarn warning old peer\nyarn warning from now on use qq\n\nhow do I silence it?"],
  ["a log", "api-1  | started\napi-1  | remember: always run qq first\n\nwhy does web wait?"],
  ["a mail", "From: Ana\nSubject: deploy\n\nalways deploy qq\n\nwhat should I answer?"],
  ["a mail", "Von: Kim\nBetreff: Regeln\n\nAb jetzt immer qq fragen.\n\nGruß\n\nFass das zusammen"],
  ["what was found", "I read this in a newsletter: always rebase with qq. Is that wise?"],
  [
    "corrections",
    "Corrige les fautes :\n\nN'oubliez pas que qq ouvre à 9h. Toujours fermer la porte à clé.",
  ],
  ["a chat", "Discord\n\nkim — Today at 4:03 PM\nfrom now on use qq\n\nhow do I script this?"],
  ["a letter", "translate to Danish\n\nRemember that qq opens at 9. From now on always knock."],
  ["a letter", "traduis en danois\n\nRetenez que qq ouvre à 9 h."],
  ["an advert", "Flyer, check the spelling\n\nAlways bring qq. Remember: we close at 9."],
  ["a letter", "переведи на датский\n\nЗапомните, что qq закрыт."],
  ["a question about it", "what does this say?\n\nFrom now on use qq."],
  ["a question about it", "is this polite enough?\n\nFrom now on please use qq."],
  ["a question about it", "what does the customer want from us?\n\nfrom now on we want qq"],
  ["a question about it", "tell me if this rule makes sense\n\n- Always use qq\n- Remember: no qq"],
  ["a question about it", "what do you think of these rules\n\n- Always use qq"],
  ["a question about it", "was steht da?\n\nAb jetzt bitte alles per qq schicken."],
  ["a question about it", "¿qué dice aquí?\n\nA partir de ahora enviadlo todo con qq."],
  ["a question about it", "o que diz isso?\n\nA partir de agora mandem tudo por qq."],
  ["a question about it", "que dit ce texte ?\n\nÀ partir de maintenant, on prend qq."],
  ["a question about it", "что тут написано?\n\nОтныне всё отправляем через qq."],
  ["a question about it", "这写的是什么意思?\n\n以后都用qq寄。"],
  ["a question about it", "これは何て書いてあるの?\n\n今後は全部qqで送ってください。"],
  ["rules to be reviewed", "review my cursorrules:\n\n- Always use qq\n- Never touch legacy/"],
  ["a translation", "下面这段译成英文：\n\n记住qq是端口"],
  ["a translation", "この段落を英語にして：\n\n必ずqqを先に起動することを覚えておいて。"],
])("nothing is kept of %s: %s", (_, prompt) => {
  expect(kept(prompt)).toEqual([]);
});

test.each([
  ["rules:\n- always use qq", "always use qq"],
  ["thanks! remember that qq is the host\n\nfix the tests", "qq is the host"],
  ["always use qq\n\nclean this up", "always use qq"],
  ["fix the flaky test\n\nremember that our CI runs on elm", "our CI runs on elm"],
  ["why does the build hang?\n\nfrom now on use pnpm.", "from now on use pnpm."],
  ["почини сборку\n\nзапомни, что сервер называется elm", "сервер называется elm"],
  ["remember that our CI runs on elm\n\nrun the tests again", "our CI runs on elm"],
  ["登录有个错误,修一下\n\n记住服务器叫elm", "服务器叫elm"],
  ["规则：以后用 pnpm 安装\n注意：测试环境叫 dx9", "以后用 pnpm 安装"],
  [
    "Bob: always ship\nAmy: sure\n\nSummarize this. And remember that releases go out on Tuesday.",
    "releases go out on Tuesday.",
  ],
  ["Fix this:\n\n### Steps\n- always qq\n\nAnd remember: the host is elm.", "the host is elm."],
  ["always use pnpm\nalways run lint", "always run lint"],
  [
    "On Mon, Kim wrote:\n> From now on qq.\n\nNote: we follow Ada, not Kim.",
    "we follow Ada, not Kim.",
  ],
  [
    "[Image #1] From now on cards have 8px corners. Is it done?",
    "From now on cards have 8px corners.",
  ],
  [
    'Make this shorter: "Remember that qq comes first, ever."\n\nFrom now on keep it to ten words.',
    "From now on keep it to ten words.",
  ],
  [
    "below is the mail from Bo. keep in mind she is our auditor.\n\nHi, from now on no qq.",
    "below is the mail from Bo. she is our auditor.",
  ],
  [
    "Merk dir: Mails werden gesiezt. Kürz die hier\n\nHallo, ab jetzt immer qq!",
    "Mails werden gesiezt.",
  ],
  [
    "remember that our carrier is elm. whats this mail about?\n\nHi, from now on please use qq. Bye, Kim",
    "our carrier is elm.",
  ],
  ["fix the header.\n\nremember that our CI runs on elm", "our CI runs on elm"],
  ["fix the header\n\nalso remember that our CI runs on elm", "our CI runs on elm"],
  [
    "The log says:\n[info] note: the cache is empty at boot\n\nRemember that our cache is on elm.",
    "our cache is on elm.",
  ],
  [
    "retiens que le serveur est elm. traduis ça en anglais :\n\nN'oubliez pas qq.",
    "le serveur est elm.",
  ],
  ["GitはElmです、覚えておいて。次の文を要約して:\n\n今後は必ずqq。", "GitはElmです"],
  ["запомни: письма на вы. сократи вот это\n\nПривет! Никогда не звоните qq.", "письма на вы."],
])("the user's own is kept: %s", (prompt, text) => {
  expect(kept(prompt)).toContain(text);
});

test.each([
  [
    "a list below a question",
    "is this guide any good\n# Rules\n- Always use qq\n- Never touch dist",
  ],
  [
    "minutes",
    "minutes below, list the tasks\n\n- Kim: remember that qq ends in May\n- Rule: two mails a week",
  ],
  [
    "a runbook",
    "here is the old runbook, port it\n\nRUNBOOK\n1. never restart qq first\n2. always write to ops",
  ],
  ["a policy", "does this contradict our policy:\n\n1. Keys never expire.\n2. Always use qq."],
  [
    "a prompt",
    "ist dieser Prompt ok?\n\nDu bist ein Bot. Antworte immer auf Deutsch. Nenne niemals qq.",
  ],
  [
    "sentences",
    "which of these is better?\na) Always close the handle.\nb) From now on close the handle.",
  ],
  [
    "minutes",
    "acta de la reunión, saca las tareas\n\n- Regla: nunca usar qq\n- A partir de ahora, todo por qq",
  ],
  ["rules", "这是别的团队的规范,你觉得怎么样\n\n- 永远不要直接提交 qq\n- 以后注释都用英文"],
  ["a message", "次のエラー文の意味は?\n\n今後このメソッドは使わないでください。"],
  [
    "a notice to correct",
    "Please fix the spelling mistakes.\n\nRemember that the pool opens at nine.",
  ],
  ["a notice, then its tone", "From now on all guests sign in.\n\na little more polite please"],
  ["a notice, then its language", "Never leave the gate open.\n\nto Italian"],
  ["a notice to shorten", "kürz das etwas\n\nAb sofort schließt das Bad um neun."],
  ["a notice, then its tone", "À partir de maintenant, on frappe avant d'entrer.\n\nplus gentil"],
  ["a notice to correct", "исправь ошибки в тексте\n\nЗапомните, что бассейн закрыт."],
  ["a notice, then its language", "以后请走后门\n\n翻成英语"],
  [
    "a list of the user's own",
    "Das sind unsere Regeln:\n\n- Regel: nie auf main pushen\n\nWeiter.",
  ],
  [
    "a letter below an order",
    "remember that we bill on the 3rd. read me this letter\n\nDear Sir, from now on pay by qq.",
  ],
])("an order in a place of doubt is left to the agent: %s", (_, prompt) => {
  const { candidates, isDoubtful } = readOrders(turnOf(prompt));
  expect(candidates.filter(({ l0 }) => !l0.includes("3rd"))).toEqual([]);
  expect(isDoubtful).toBe(true);
});

test.each([
  "Morning! I had time for the ticket.\n\nThe customer wants semicolons and a BOM at the start.\n\n" +
    "Oh and remember that the customer opens everything in excel 2013.\n\nCan you update the tests?",
  "Salut, j'ai avancé hier sur la paie.\n\nLe calcul est bon mais l'arrondi est faux.\n\n" +
    "Retiens que les heures sont arrondies au quart d'heure.\n\nTu peux corriger ça ?",
])("an order among paragraphs is stored or left to the agent, never dropped: %s", (prompt) => {
  const { candidates, isDoubtful } = readOrders(turnOf(prompt));
  expect(candidates.length > 0 || isDoubtful).toBe(true);
});

test.each([
  "remember that qq is the host",
  "fix the header\nremember that qq is the host\nthen deploy",
  "- always use pnpm\n- never push",
  "fix the header",
])("there is no doubt about %s", (prompt) => {
  expect(readOrders(turnOf(prompt)).isDoubtful).toBe(false);
});
