/** Long prompts in scripts without spaces are looked up like any other: each pair of letters is a term of its own. */
import { expect, test } from "bun:test";
import { home, nowMs, openFixture } from "../../../test/support/memory/finding.ts";
import { composePrompt } from "./prompt.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const japanese = `潮位センサーの設定画面について相談させてください。現在の実装では、利用者が港を選択すると地図が再描画され、古い目印が残ったままになる現象が起きています。
昨日の会議で営業部の佐藤さんから指摘があり、来週の展示会までに直してほしいとのことでした。まず画面遷移の仕組みを調べ、どの部品が再描画を引き起こしているのか一覧にまとめてもらえますか。
次に、通信量を減らすため、差分だけを受け取る方式へ切り替えられるかどうか検討してください。前の担当者は全件取得を選びましたが、理由は文書に残っていません。
ゲートウェイ側の制限で一度に百件までしか返せないはずなので、分割して読み込む必要があるかもしれません。単体試験は揃っていますが、結合試験は夜間にしか動かない環境です。
エラー発生時の表示も統一したいです。英語の文言がそのまま出る箇所が三つあり、翻訳の鍵が足りていないようです。色覚に配慮した配色へ変更する案も並行して進めています。
最後に、潮位センサーは何番のポートで応答していましたか。接続先を書き換える作業が別件で必要になりました。書き換え後は古い接続を閉じ、監視の閾値も合わせて見直すつもりです。
なお、過去の障害報告を読むと、時刻の同期が外れた際に値が飛ぶ問題もあったようです。原因は電源装置の劣化だったと聞きましたが、証拠となる記録は見つかっていません。
もし余裕があれば、運用手順書の章立てを整理し、新人でも迷わず復旧できるように図を追加してください。よろしくお願いします。`;

const chinese = `想请你看一下潮位传感器的配置页面。目前用户切换港口以后地图会整体重绘，旧的标记仍旧残留在屏幕左下角，上周验收会议里销售同事专门提到过这个毛病，希望展会之前能够修好。
首先梳理路由跳转的流程，把触发重绘的组件列成清单；其次评估能否只拉取增量数据，前任工程师选择全量下载，却没有在文档里写明原因。网关限制每次最多返回一百条，因此可能需要分页加载。
单元测试已经齐全，集成测试只能夜间运行，报错提示也要统一，有三处英文文案直接暴露给用户，看起来缺少翻译键值。另外，设计团队正在准备照顾色弱人群的配色方案，进度大约过半。
最后想确认：潮位传感器用的是哪个端口？另一项任务需要改写连接地址，改完之后还得关闭旧连接，并重新核对监控阈值。历史故障报告显示，时钟失去同步时数值会突然跳变，据说根源是电源模块老化，但是没有找到证据。
如果时间允许，请顺便整理运维手册的目录结构，补充示意图，让新人遇到停机也能按步骤恢复服务，不必半夜打电话求助。权限申请表格、备份策略、发布窗口以及回滚脚本同样应该写进附录，方便审计人员抽查。
此外，仓库里遗留若干废弃分支，名称混乱，建议先征求负责人意见再删除；依赖升级牵涉许可证变化，法务尚未答复，暂时冻结版本号即可。谢谢配合，辛苦了。`;

test.each([
  ["Japanese", japanese, "潮位センサーは港のゲートウェイのポート7021で応答する"],
  ["Chinese", chinese, "潮位传感器使用港口网关的端口7021"],
])("a long prompt in %s is decided about like a short one", (_, prompt, memory) => {
  using fixture = openFixture();
  fixture.add(memory, { category: "entities" });
  for (const [n, line] of prompt.split("\n").entries())
    fixture.add(line, {
      uri: `mem://sessions/before/exchanges/${n + 1}`,
      category: "sessions",
      project: home,
      l1: `> ${line}`,
      sourceSession: "before",
      validFrom: nowMs - 1_000,
    });
  const evidence = evidenceFor(fixture, prompt.replaceAll("\n", ""));
  expect(evidence.candidates.length).toBeGreaterThan(0);
  expect(composePrompt(evidence).decision.probability).toBeGreaterThan(0);
});

test.each([
  ["前端发现潮位传感器黑屏的时候弹一条报警", true],
  ["潮位センサーの設定画面に保存ボタンを足して", true],
  ["テストを実行して", false],
  ["提交一下", false],
])(
  "an order of one run of letters is looked up when it says more than two words: %s",
  (order, isLookedUp) => {
    using fixture = openFixture();
    fixture.add("潮位传感器的报警码是 E 加四位。潮位センサー、テスト、提交", {
      category: "preferences",
    });
    expect(evidenceFor(fixture, order).candidates.length > 0).toBe(isLookedUp);
  },
);
