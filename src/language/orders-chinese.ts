/** The grammar of orders to remember in Chinese. Pure. */
import {
  type SentenceOrder,
  at,
  fact,
  headOf,
  isAsked,
  lettersIn,
  matterMin,
  unspacedKind,
  type Head,
} from "./orders-common.ts";

const chineseKeep = new RegExp(
  String.raw`(?:请|要|得|必须)?(?:记住|記住|记牢|谨记|牢记|记好|记一下|記一下|记下来?|記下來?|请记|記得|记得|别忘(?:了|记)|別忘了|不要忘(?:了|记)?|勿忘|(?:做|` +
    String.raw`作)个?(?:笔记|记录|备注)|记录(?:一下|下来)|备忘(?:一下)?|(?:存|写|保存|加|记|存储|录)(?:到|进|入|在)(?:你的|长期)?(?:记忆|备忘录|笔记|` +
    String.raw`memory)(?:里|中|库)?|留个底|` +
    String.raw`留作(?:以后|今后|下次|将来)?(?:的)?参考|(?:保存|存下|记录)(?:这|此)(?:个|条|些)?信息|写下来(?=\s*[：:])|记在(?:心里|脑子里|心上))`,
  "u",
);
const chineseLead = new RegExp(
  String.raw`^(?:请|注意|(?:对|在)?(?:我|我们)?所有的?项目(?:里|中|都)*|` +
    String.raw`麻烦|劳烦|帮我|帮忙|替我|给我|你|您|也|还有|另外|顺便|对了|好的?|谢谢(?:你|了)?|多谢|辛苦了?|嗯|那么?|就|都|先|再|务必|一定|千万|必须|应该|` +
    String.raw`需要|可以|可不可以|能不能|能否|能|要|得|永远|始终|以后|今后|下次|之后|往后|为了以后|方便以后|好好|最好|希望|我想|我要|我希望|让|顺手|把|将|(?:以上|上面|上述|` +
    String.raw`下面|以下|这|那|此)(?:个|条|些|点|件|段|句|种)?(?:事|命令|规则|信息|内容|约定|配置|设置|端口|地址|话|点|要求|步骤|做法|事情)?(?:都|全)?|ok|OK|` +
    String.raw`[\s，,、：:。！!])*$`,
  "u",
);
const chineseTail = new RegExp(
  String.raw`^(?:了|啊|哦|噢|喔|吧|呀|哈|一下|下来|起来|好|住)*[\s]*(?:(?:这|那|此|以下|下面|上面|以上|上述)(?:一)?(?:个|条|些|点|件|段|句|` +
    String.raw`种)?(?:事|命令|规则|信息|内容|约定|配置|设置|端口|地址|话|要求|步骤|做法|事情|几点|原因|结论|列表|清单|限制)?` +
    String.raw`(?=$|[\s：:，,。！!]))?(?:[，,\s]*(?:以后|今后|下次|` +
    String.raw`将来|后面|之后)(?:还?会?要?用到?|有用|需要|用得到|参考))?[\s：:，,。！!～~]*`,
  "u",
);
const chineseCopula =
  /[是在为叫有]|必须|不要|不能|不会|需要|只|都|每|[=:：]|\d|要(?:先|用|在|经过)|应该|负责|用的/u;

const notMine =
  /(?:不用|不要|不必|别|無需|无需|无须|不需要|没有?|不想|未|勿|不能|不会|并不|谁|(?<![帮替给让])我|我们|还|他|她|是否|有没有)$/u;
const politeEnd = /好吗|行吗|可以吗|好不好/u;
const thanksHead = /^(?:好吗|行吗|可以吗|好不好|谢谢|多谢|拜托)/u;

/** An order to remember; null where the verb recalls, denies or asks. */
export function chineseOrder(said: string): SentenceOrder | null {
  const match = chineseKeep.exec(said);
  if (match === null) return null;
  const { index, 0: verb } = match;
  const head = said.slice(0, index);
  const rest = said.slice(index + verb.length);
  // 你能记住…吗还是…
  if (/^(?:你|您)?(?:能|可以|会)/u.test(head) && /吗(?:[，,]|还是|或)/u.test(rest)) return null;
  const isOnlyAsked = isAsked(said) && !/可以|能|麻烦|请|帮/u.test(head) && !politeEnd.test(rest);
  if (isOnlyAsked || notMine.test(head)) return null;
  return takenBefore(head) ?? ordered(said, { index, verb, head, rest });
}

/** 千万别把 X 记下来. */
function deniesKeeping(said: string): boolean {
  const head = said.slice(0, chineseKeep.exec(said)?.index ?? 0);
  return notMine.test(head.replace(/(?:把|将).*$/u, "")) && !/我们?$/u.test(head);
}

/** 把 X 记下来. */
function takenBefore(head: string): SentenceOrder | null {
  const [, before = "", taken = ""] = chineseLead.test(head)
    ? []
    : (/^(.*?)(?:把|将)(.{3,})$/u.exec(head) ?? []);
  const matter = at(head.length - taken.length, head.length);
  return lettersIn(taken) < matterMin || notMine.test(before)
    ? null
    : { ...fact, kind: "fact", matter, before: 0 };
}

interface Parts {
  readonly index: number;
  readonly verb: string;
  readonly head: string;
  readonly rest: string;
}

function ordered(said: string, { index, verb, head, rest }: Parts): SentenceOrder | null {
  const before = chineseClause(head);
  if (before < 0) return null;
  const [tail = ""] = chineseTail.exec(rest) ?? [];
  return matterBehind(said, { verb, tail, before, start: index + verb.length + tail.length });
}

function matterBehind(
  said: string,
  {
    verb,
    tail,
    before,
    start,
  }: {
    readonly verb: string;
    readonly tail: string;
    readonly before: number;
    readonly start: number;
  },
): SentenceOrder | null {
  const matter = said.slice(start);
  const outer = { ...fact, before };
  // "记住这一点，然后重跑": a pointer, and another task behind it.
  if (/[这那此上]/u.test(tail) && /^(?:然后|再|接着|接下来|之后|现在|并)/u.test(matter))
    return { ...outer, kind: "fact", matter: null, points: "above" };
  if (lettersIn(matter.replace(thanksHead, "")) < matterMin) {
    const isShort = lettersIn(matter) > 2 && !thanksHead.test(matter);
    if (isShort)
      return /\d/u.test(matter) ? { ...outer, kind: "fact", matter: at(start, said.length) } : null;
    return {
      ...outer,
      kind: "fact",
      matter: null,
      points: /[：:]\s*$/u.test(said) ? "below" : "above",
    };
  }
  const isAct = /记得|記得|忘/u.test(verb) && !/[：:]/u.test(tail) && !chineseCopula.test(matter);
  if (isAct || /^(?:怎么|如何|什么|谁|哪|为什么|的)/u.test(matter)) return null;
  return { ...outer, kind: unspacedKind(matter), matter: at(start, said.length) };
}

function chineseClause(head: string): number {
  if (chineseLead.test(head)) return 0;
  for (const { index, 0: mark } of [...head.matchAll(/[，,；;：:、—–-]+\s*/gu)].reverse())
    if (chineseLead.test(head.slice(index + mark.length))) return index;
  return -1;
}

export const chineseLabels: readonly Head[] = [
  {
    kind: "rule",
    pattern:
      /^(?:新|团队|项目|我们?的?|重要|通用|全局|另一?条|一条|代码)*(?:规则|规定|约定|规矩|原则|規則|规范|准则|惯例)(?:[一二三四\d]{1,2})?\s*[：:]\s*/u,
  },
  {
    kind: "decision",
    pattern:
      /^(?:最终|今[天日]的?|团队|我们?的?|新|架构)*(?:决定|决策|決定|结论)(?:如下)?\s*[：:]\s*/u,
  },
  {
    kind: "fact",
    pattern: new RegExp(
      String.raw`^(?:(?:还?有(?:一|几)?[点件条])?(?:事)?(?:需?要)记住的?|` +
        String.raw`备忘|备注|注意|提醒|笔记|留作参考|(?:供|留给?|给)(?:以后|日后|将来|后续|今后|下次)(?:参考|使用|备用|用)?|(?:以备|以供|仅供|方便)(?:后用|将来|` +
        String.raw`日后|以后|后续)(?:之需|参考|使用|查阅)?|重要|要记住的?|记忆|以后参考|以后用)\s*[：:，,]\s*`,
      "u",
    ),
  },
];

const chineseHence = new RegExp(
  String.raw`^(?:(?:好的?|谢谢|请|那么?|另外|对了|还有|也|嗯|OK|ok)[，,。！!\s]*)*(?:从现在(?:开始|起)?|从今(?:天|以后|往后|起)?(?:起|开始)?|以后|` +
    String.raw`今后|往后|此后|日后|之后都|下次(?:开始|起)?)`,
  "u",
);

const chineseStanding: readonly Head[] = [
  {
    kind: "rule",
    pattern: new RegExp(
      String.raw`^(?:请)?(?:一律|务必|始终|永远(?:不要|别|都?要|不)|绝不(?:要|能)?|绝对不(?:要|能)|千万(?:不要|别)|总是(?:使用|用|要|先|在|运行|写)|` +
        String.raw`每次.{1,15}(?:都要|必须|先|都得)|不准|严禁|禁止|` +
        String.raw`(?:(?:你|您)(?:绝对|永远|千万|任何时候都)?|绝对|永远|任何时候都)(?:不能|不准|不可以|不许|不得)(?=.{4})(?!.*(?:因为|所以|为什么|怎么))|` +
        String.raw`(?:你|您)(?:必须|应该|需要|得)(?:总是|始终|每次|永远|一直)|` +
        String.raw`(?:请)?确保(?:你|您)?(?:总是|始终|每次|永远|一直)).{2,}`,
      "u",
    ),
  },
  {
    // 提交前务必运行测试
    kind: "rule",
    pattern: /^[^，,。]{2,16}(?:前|后|时|的时候)(?:务必|必须|一定要|都要|千万别|绝不|不得).{2,}/u,
  },
  {
    // 不要再用 X 了: the end of a habit, and not of what runs now.
    kind: "rule",
    pattern: new RegExp(
      String.raw`^(?:请)?(?:(?:不要|别|不许)再|停止)(?!(?:运行|执行|跑|试|做|等|改)|.{0,4}(?:这|那)[个些条])` +
        String.raw`(?:使用|用|写|加|添加|提交|创建|在|给|把|往|放|问|输出|生成).{2,}`,
      "u",
    ),
  },
  {
    kind: "fact",
    pattern: /^我(?:们)?(?:更|比较|一般|通常|个人)?(?:更?喜欢|偏好|倾向于?|习惯于?|偏爱).{2,}/u,
  },
  {
    kind: "decision",
    pattern:
      /^(?!.*(?:还没|没有|尚未|未))(?:我们|团队|我)?(?:已经|最终|最后)?(?:决定|商定|约定|选定|定下来?)(?:了|用|采用|把|使用|改|不|要|继续)?.{2,}/u,
  },
  {
    kind: "technique",
    pattern: /^(?:这里的?)?(?:诀窍|窍门|技巧|关键|秘诀)(?:就)?(?:是|在于).{2,}/u,
  },
  {
    kind: "cause",
    pattern:
      /^(?!.*(?:不明|不清楚|未知)).{0,12}(?:根本原因|根因|真正的?原因)(?:就)?(?:是|在于).{2,}/u,
  },
];

/** Sentences that hold by their head. */
export function chineseHeads(
  said: string,
  isMomentary: (matter: string) => boolean,
): SentenceOrder | null {
  if (isAsked(said) || deniesKeeping(said)) return null;
  const hence = chineseHence.exec(said);
  if (hence !== null) {
    const start = hence[0].search(/从现在|从今|以后|今后|往后|此后|日后|之后都|下次/u);
    const rest = said.slice(hence[0].length);
    const isPutOff =
      /^再(?:说|看|做|处理|讨论|改|弄|考虑|来|加|优化)|^(?:可能|也许|会不会|我会|我们会)/u.test(
        rest,
      );
    if (lettersIn(rest) < 3 || isPutOff || isMomentary(rest)) return null;
    return { ...fact, kind: "rule", before: 0, matter: at(start, said.length) };
  }
  const bare = said.replace(/^(?:好的?|谢谢|请|另外|对了|还有|也|嗯)[，,。！!\s]*/u, "");
  const behind = bare.replace(/^[^，,]{2,20}(?:时|的时候|之前|以前|之后|以后)[，,]\s*/u, "");
  const head = isMomentary(said)
    ? undefined
    : chineseStanding.find(({ pattern }) => pattern.test(bare) || pattern.test(behind));
  return head === undefined ? null : headOf(said, said.length - bare.length, head.kind);
}
