/** Values below `data:` and `stringData:` of a Kubernetes Secret, which are only encoded. */
import type { Detector, Span } from "./spans.ts";

const kind = /kind:\s{0,4}["']?Secret\b/i;
const section = /^(\s*)(?:data|stringData):\s*$/;
const entry = /^(\s*)[\w.-]+:\s{1,4}(\S.*)$/;

export const detectKubernetesSecrets: Detector = ({ text }) => {
  if (!kind.test(text)) return [];
  const spans: Span[] = [];
  let indent: number | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const opened = section.exec(line.trimEnd());
    const found = entry.exec(line.trimEnd());
    if (opened !== null) indent = (opened[1] ?? "").length;
    else if (indent !== null && line.trim() !== "" && !(leading(line) > indent)) indent = null;
    else if (indent !== null && found !== null) {
      const value = found[2] ?? "";
      const end = at + line.trimEnd().length;
      spans.push({ start: end - value.length, end, kind: "kubernetes-secret" });
    }
    at += line.length + 1;
  }
  return spans;
};

const leading = (line: string): number => line.length - line.trimStart().length;
