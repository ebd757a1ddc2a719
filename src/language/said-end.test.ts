import { expect, test } from "bun:test";
import { isoDate, msPerDay } from "#kit";
import { isForAWhile, isOver, namesLastDay, saidEndOf } from "./said-end.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const lastDayOf = (text: string): string | null => {
  const end = saidEndOf(text, nowMs);
  return end === null ? null : isoDate(end - msPerDay);
};

test.each([
  "Use the staging bucket until 2 December",
  "Use the staging bucket until Wednesday, December 2nd",
  "No deploys till 2026-12-02.",
  "Keine Deployments bis zum 2. Dezember",
  "Bis 2.12. ist der Scanner aus",
  "Der Scanner ist bis zum 2. 12. aus",
  "Pas de déploiement jusqu’au 2 décembre 2026",
  "No despliegues hasta el 2 de diciembre",
  "Sem deploy até o dia 2 de dezembro",
  "Не деплоить до 2 декабря",
  "12月2日まではデプロイしない",
  "直到12月2日都不要部署",
  "12月2日为止不能重启网关",
  "Até 2/12 o ambiente fica congelado",
  "Hasta el 2/12 no toques la tabla",
])("%p ends after the day it names", (text) => {
  expect(lastDayOf(text)).toBe("2026-12-02");
});

test.each([
  ["No deploys until the day after tomorrow", "2026-11-24"],
  ["Use the staging bucket until day after tomorrow", "2026-11-24"],
  ["Keine Deployments bis übermorgen", "2026-11-24"],
  ["Pas de déploiement jusqu'à après-demain", "2026-11-24"],
  ["No despliegues hasta pasado mañana", "2026-11-24"],
  ["Sem deploy até depois de amanhã", "2026-11-24"],
  ["Не деплоить до послезавтра", "2026-11-24"],
  ["直到后天都不要部署", "2026-11-24"],
  ["明後日まではデプロイしない", "2026-11-24"],
  ["No deploys until midnight", "2026-11-22"],
  ["Keine Deployments bis Mitternacht", "2026-11-22"],
  ["Pas de déploiement jusqu'à minuit", "2026-11-22"],
  ["No despliegues hasta la medianoche", "2026-11-22"],
  ["Sem deploy até meia-noite", "2026-11-22"],
  ["Не деплоить до полуночи", "2026-11-22"],
  ["到午夜都不要部署", "2026-11-22"],
  ["No deploys until tomorrow", "2026-11-23"],
  ["Keine Deployments bis morgen", "2026-11-23"],
])("%s: to the end of %s", (text, day) => {
  expect(lastDayOf(text)).toBe(day);
});

test("without a year the next such day is meant, also over the turn of the year", () => {
  expect(lastDayOf("Freeze until 10 January")).toBe("2027-01-10");
});

test.each([
  ["no end", "The port is 5433"],
  ["a date that is no end", "The release was on 2 December 2026"],
  ["until something else", "Wait until the build has passed"],
  ["a version", "Stay on the old API until 1.2."],
  ["a version by its name", "Use the shim until React 3.4. is there"],
  ["a day that is over", "Use the staging bucket until 2 December 2025"],
  ["a day that has just gone by", "The office was closed until 2 November"],
  ["two days", "Logs from 1 December until 5 December are in the archive"],
  ["either of two days", "Use the staging bucket until 03/04/2027"],
  ["no day of the calendar", "Use the staging bucket until 31 June 2027"],
  ["another statement beside it", "No deploys until 2 December. The port is 5433."],
])("%s: no end", (_, text) => {
  expect(lastDayOf(text)).toBeNull();
});

// The 22nd of November 2026 is a Sunday; the sentences below are said on the Tuesday after it.
const tuesdayMs = Date.UTC(2026, 10, 24, 12);
const lastDayFromTuesday = (text: string): string | null => {
  const end = saidEndOf(text, tuesdayMs);
  return end === null ? null : isoDate(end - msPerDay);
};

test.each([
  ["2026-12-04", "Staging is frozen through December 4"],
  ["2026-12-04", "Gilt bis einschließlich 4. Dezember"],
  ["2026-11-25", "Use port 5433 until tomorrow"],
  ["2026-11-27", "No deploys until Friday"],
  ["2026-11-27", "Keine Deployments bis Freitag"],
  ["2026-11-27", "Pas de déploiement jusqu'à vendredi"],
  ["2026-11-27", "Sin despliegues hasta el viernes"],
  ["2026-11-27", "Nada de deploy até sexta-feira"],
  ["2026-11-27", "Не деплоить до пятницы"],
  ["2026-11-27", "周五之前用测试库，直到周五"],
  ["2026-11-27", "金曜日までデプロイしない"],
  ["2026-11-29", "No merges until the end of the week"],
  ["2026-11-29", "Bis Ende der Woche gilt der Code-Freeze"],
  ["2026-11-30", "Jusqu'à la fin du mois on garde l'ancien serveur"],
  ["2026-12-31", "Usar el servidor viejo hasta fin de año"],
  ["2026-11-30", "Старый сервер работает до конца месяца"],
  ["2026-11-30", "月末まで旧サーバーを使う"],
  ["2026-11-29", "No deploys this week"],
  ["2026-11-29", "Diese Woche keine Deployments"],
  ["2026-11-29", "本周不要部署"],
  ["2026-11-29", "今週はデプロイしないで"],
  ["2026-11-24", "Don't push to main today"],
  ["2026-11-24", "Port 4600 is taken by the demo today"],
  ["2026-11-24", "Port 4600 ist heute belegt"],
  ["2026-11-24", "Heute ist Port 4600 belegt"],
  ["2026-11-24", "Le port 4600 est pris aujourd'hui"],
  ["2026-11-24", "El puerto 4600 está ocupado hoy"],
  ["2026-11-24", "A porta 4600 está ocupada hoje"],
  ["2026-11-24", "kraken is down today, use the mirror"],
  ["2026-11-24", "for today that port 4601 is taken"],
  ["2026-11-24", "Port 4602 is taken until tonight"],
  ["2026-11-24", "Port 4602 is taken until the end of the day"],
  ["2026-11-29", "Ada is on call this week"],
  ["2026-12-08", "Use the replica for the next two weeks"],
  ["2026-11-27", "In den nächsten 3 Tagen nichts mergen"],
  ["2026-12-08", "Pendant les deux prochaines semaines, pas de déploiement"],
  ["2026-12-08", "Durante las próximas dos semanas no despliegues"],
  ["2026-12-08", "Nas próximas duas semanas, não faça deploy"],
  ["2026-12-08", "Ближайшие две недели не деплоить"],
  ["2026-12-08", "未来两周不要部署"],
  ["2026-12-24", "今後1か月間は旧APIを使う"],
  ["2027-02-28", "The freeze holds until the end of February"],
  ["2027-03-31", "Der Freeze gilt bis Ende März"],
  ["2027-09-30", "Der Freeze gilt bis Ende September 2027"],
  ["2026-12-31", "On garde l'ancien serveur jusqu'à fin décembre"],
  ["2027-01-31", "Usar el servidor viejo hasta finales de enero"],
  ["2027-01-31", "Usar o servidor antigo até o fim de janeiro"],
  ["2026-12-31", "Старый сервер работает до конца декабря"],
  ["2026-12-31", "旧服务器用到12月底"],
  ["2026-12-31", "12月末まで旧サーバーを使う"],
])("a distance from today is a day as well: %s, %p", (day, text) => {
  expect(lastDayFromTuesday(text)).toBe(day);
});

test.each([
  "Today staging is down",
  "Staging is down tonight",
  "Don't deploy this afternoon",
  "Staging heute gesperrt ist",
  "der VPN heute nicht erreichbar ist",
  "heute Abend ist der Cluster in Wartung",
  "heute nehmen wir den Spiegel",
  "aujourd'hui staging est bloqué",
  "ce soir le cluster est en maintenance",
  "Le VPN est coupé ce matin",
  "hoy staging está bloqueado",
  "el puerto 4600 hoy está ocupado",
  "esta noche el clúster está en mantenimiento",
  "hoje o staging está bloqueado",
  "hoje à noite o cluster está em manutenção",
  "сегодня стейдж закрыт",
  "стейдж сегодня не работает",
  "сегодня вечером кластер на обслуживании",
  "今天预发环境停用",
  "今天用镜像",
  "今晚集群维护",
  "今日はステージングを使わないで",
  "今夜クラスターはメンテナンス中です",
  "本日はデプロイ禁止",
])("what holds today is over at its end: %p", (text) =>
  expect(lastDayFromTuesday(text)).toBe("2026-11-24"),
);

test.each([
  "This week we use the mirror",
  "der Spiegel diese Woche offline ist",
  "cette semaine on utilise le miroir",
  "esta semana usamos el espejo",
  "esta semana usamos o espelho",
  "на этой неделе используем резервный сервер",
  "本周只用镜像",
  "今週はミラーを使う",
])("what holds this week is over at its end: %p", (text) =>
  expect(lastDayFromTuesday(text)).toBe("2026-11-29"),
);

test.each([
  "Today the deploy failed because main is red",
  "Heute habe ich gelernt, dass der Port 5433 ist",
  "Wir sind heute umgestiegen",
  "der Server heute umgezogen ist",
  "der Build heute abgestürzt ist",
  "aujourd'hui on a migré vers pnpm",
  "hoy aprendí que el puerto es 5433",
  "desde hoy el puerto es 7000",
  "hoje mudamos para pnpm",
  "сегодня переехали на pnpm",
  "с сегодня порт 7000",
  "今天换成了 pnpm",
  "从今天起端口是7000",
  "今天开始用 pnpm",
  "今日からpnpmを使う",
  "今日pnpmに移行した",
  "今日の決定でpnpmを使う",
  "Hoy en día el estándar es TypeScript",
  "Stand heute ist der Port 7000",
  "по состоянию на сегодня порт 7000",
])("what happened or began today has no end: %p", (text) =>
  expect(lastDayFromTuesday(text)).toBeNull(),
);

test.each([
  "No deploys until Tuesday",
  "No deploys until next week",
  "No deploys until next Friday",
  "We moved to pnpm this week",
  "The build broke today",
  "The port is 7000 from today",
  "Der Port ist ab heute 7000",
  "Le port est 7000 à partir d'aujourd'hui",
  "staging is slow, today we learnt why",
  "Today I learnt that the port is 5433",
  "The team meets every Friday",
  "Use the old server for now",
  "No deploys until September",
  "The freeze held until the end of September",
  "No deploys until the end of the sprint",
  "No deploys until Q3",
  "No deploys this sprint",
  "Ask Ole while Mia is away",
  "We will have rewritten it in the next release",
  "Logs go from Monday until Friday and until tomorrow",
])("no end is made up: %p", (text) => {
  expect(lastDayFromTuesday(text)).toBeNull();
});

test("what was said is over after its end, counted from when it was said", () => {
  const day = (n: number): number => tuesdayMs + n * msPerDay;
  expect(isOver("No deploys until Friday", tuesdayMs, day(3))).toBe(false);
  expect(isOver("No deploys until Friday", tuesdayMs, day(4))).toBe(true);
  expect(isOver("The port is 5433", tuesdayMs, day(400))).toBe(false);
});

test("a day that stands in the text is known", () => {
  const end = Date.UTC(2026, 11, 3);
  expect(namesLastDay("No deploys until 2 December", end)).toBe(true);
  expect(namesLastDay("No deploys until Wednesday", end)).toBe(false);
});

test.each([
  ["Use the old server for now", true],
  ["No refactoring this sprint", true],
  ["Ask Ole while Mia is on holiday", true],
  ["Vorerst den alten Server nehmen", true],
  ["Solange Mia im Urlaub ist, fragt Ole", true],
  ["Pour l'instant on garde npm", true],
  ["Por ahora usa npm", true],
  ["Por enquanto use npm", true],
  ["Пока Миша в отпуске, спрашивай Олю", true],
  ["暂时用旧服务器", true],
  ["とりあえず旧サーバーを使う", true],
  ["The server waits while it is away", false],
  ["Sprints last two weeks", false],
  ["Use pnpm, never npm", false],
])("a time without a named end: %p is %p", (text, expected) => {
  expect(isForAWhile(text)).toBe(expected);
});
