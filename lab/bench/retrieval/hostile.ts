/** Queries that nobody meant as queries: pasted stack traces, code, other scripts, SQL and FTS operators. */
import { categoryRules, type Embedder } from "#domain";
import { createCorpus } from "../scale/corpus.ts";
import { median, percentile, printTable, round } from "../report/table.ts";
import type { BenchDocument } from "./question-set.ts";
import { openWorkspace } from "./workspace.ts";

export interface HostileFigures {
  /** Median of ordinary questions to the same store, ms. */
  readonly p50: number;
  /** The 95th percentile of the hostile ones, ms: wanted within twice that. */
  readonly p95: number;
  /** Slowest kind, as a multiple of the median over all. */
  readonly rows: readonly { readonly name: string; readonly chars: number; readonly ms: number }[];
}

const documents = 5_000;
const runs = 30;
const nowMs = Date.UTC(2026, 0, 1);

const repeat = (text: string, chars: number): string =>
  text.repeat(Math.ceil(chars / text.length)).slice(0, chars);

const hostile: Readonly<Record<string, string>> = {
  "stack trace, 4 KB": repeat(
    "TypeError: Cannot read properties of undefined (reading 'id')\n    at renderRow (/srv/app/src/rows/render-row.ts:41:17)\n    at Array.map (<anonymous>)\n    at async Promise.all (index 3)\n",
    4_096,
  ),
  "python trace, 4 KB": repeat(
    'Traceback (most recent call last):\n  File "/opt/job/load_batch.py", line 88, in run_batch\n    raise ValueError(f"bad row {n}")\n',
    4_096,
  ),
  "code, 4 KB": repeat(
    "export const parseConfig = (text: string): Config => JSON.parse(text) ?? {};\nif (!isReady) { await sleep(100); }\n",
    4_096,
  ),
  "log, 100 KB": repeat("2026-01-02T03:04:05Z ERROR db: connection 4711 lost after 30s\n", 100_000),
  "base64, 4 KB": repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", 4_096),
  "one letter, 4 KB": repeat("a", 4_096),
  "spaces, 4 KB": repeat(" ", 4_096),
  Chinese: repeat("数据库连接池的配置文件在哪里，为什么部署失败了？", 400),
  Japanese: repeat("デプロイのスクリプトはどこにありますか", 400),
  Thai: repeat("ไฟล์การตั้งค่าอยู่ที่ไหน", 400),
  Arabic: repeat("أين ملف الإعدادات ولماذا فشل النشر ", 400),
  Hebrew: repeat("איפה קובץ ההגדרות ולמה הפריסה נכשלה ", 400),
  emoji: repeat("🚀🔥🐛👩‍💻", 400),
  "lone surrogates": repeat("\ud800x\udc00", 400),
  "control characters": repeat("\0\u0001\u200b\u202e", 400),
  "SQL injection": "'; DROP TABLE mem_nodes; -- \" OR 1=1 /*",
  "FTS operators": 'NEAR("a" b, 3) OR l0:x* AND -y ^z {l0 l1}: "unclosed',
  wildcard: "* % _ ? [a-z]* (.*)+$",
  punctuation: repeat("!@#$%^&*()_+-=[]{}|;':,./<>?", 400),
  nothing: "",
};

/** Every one must answer, with something or nothing; throws when one does not. */
export function measureHostile(embedder: Embedder): HostileFigures {
  const corpus = createCorpus();
  const given = Array.from({ length: documents }, (_, n): BenchDocument => {
    const { l0 } = corpus.memory(n);
    return {
      id: `m${n}`,
      uri: `${categoryRules.cases.root}/m${n}`,
      category: "cases",
      text: l0,
      atMs: nowMs,
    };
  });
  using workspace = openWorkspace(embedder, given);
  const ask = (text: string): number => {
    const started = performance.now();
    workspace.ask("find", { text, gold: new Set(), type: "hostile", nowMs }, 10);
    return performance.now() - started;
  };
  const ordinary = Array.from({ length: runs * 4 }, (_, n) => corpus.question(n, documents).text);
  for (const text of [...Object.values(hostile), ...ordinary]) ask(text);
  const times: number[] = [];
  const rows = Object.entries(hostile).map(([name, text]) => {
    const own = Array.from({ length: runs }, () => ask(text));
    times.push(...own);
    return { name, chars: text.length, ms: round(median(own), 2) };
  });
  const usual = ordinary.map(ask);
  rows.unshift({ name: "(ordinary questions)", chars: 60, ms: round(median(usual), 2) });
  return { p50: round(median(usual), 2), p95: round(percentile(times, 0.95), 2), rows };
}

export function printHostile({ p50, p95, rows }: HostileFigures): void {
  console.log(
    `hostile queries over ${documents} memories: p95 ${p95} ms, ${round(p95 / p50, 1)} times the median of ordinary ones (${p50} ms)`,
  );
  printTable(
    ["", "characters", "median ms"],
    rows.toSorted((a, b) => b.ms - a.ms).map(({ name, chars, ms }) => [name, chars, ms.toFixed(2)]),
  );
}
