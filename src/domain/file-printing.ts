/** Shell commands whose output is file content or a listing: reading in another dress. Pure. */

const readers =
  "cat|bat|head|tail|less|more|nl|tac|xxd|hexdump|strings|od|grep|egrep|rg" +
  "|ag|awk|sed|jq|yq|ls|tree|find|fd|printenv|env|curl|wget|http|make\\s+env";

/** Where a command begins that reads files: behind a single pipe it only shortens what another one printed. */
const reads = new RegExp(
  String.raw`(?:^|[;&({\n\x60]\s*|\|\|\s*|\b(?:sudo|do|then|else)\s+|\bxargs\s+(?:-\S+\s+)*)(?:${readers})\b`,
);

export const printsFiles = (command: string): boolean => reads.test(command);
