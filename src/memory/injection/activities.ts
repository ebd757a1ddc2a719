/**
 * Kinds of work that people have standing rules for. "Commit the change" shares no word with "conventional commits, no
 * emoji" but the one that matters, and "install zod" none with "we use pnpm": the activity connects them.
 *
 * General developer knowledge as data; nothing of any project. Must not know about stores.
 */

export interface Activity {
  readonly name: string;
  /** What a prompt that starts this work looks like. */
  readonly asks: RegExp;
  /** Words of the memories that hold rules for it: at least one must occur. */
  readonly words: readonly string[];
}

const make =
  "add|write|create|make|implement|build|introduce|scaffold|generate|draft|cover|extend|set up|need|want";

const asksFor = (verbs: string, nouns: string): RegExp =>
  new RegExp(`\\b(?:${verbs})\\b[^.?!\\n]{0,60}?\\b(?:${nouns})\\b`, "iu");

const row = (name: string, asks: RegExp, words: string): Activity => ({
  name,
  asks,
  words: words.split(" "),
});

const activities: readonly Activity[] = [
  row(
    "commit",
    /^(?:please |ok |now |and |then )*(?:git )?(?:commit|amend|squash)\b/iu,
    "commit commits commits: squash amend trailer",
  ),
  row(
    "dependency",
    new RegExp(
      `^(?:please |ok |now )*(?:install|upgrade|bump|uninstall)\\s+[@a-z]|${asksFor("add|remove|upgrade|bump|update|install|pull in|use", "package|packages|library|libraries|dependency|dependencies|deps|module|crate|gem|plugin|sdk").source}`,
      "iu",
    ),
    "npm pnpm yarn bun pip uv poetry conda pipenv cargo bundler gem maven gradle composer nuget cocoapods lockfile dependency dependencies package packages vendored vendor",
  ),
  row(
    "tests",
    asksFor(`${make}|update`, "test|tests|spec|specs|testcase|coverage|e2e"),
    "test tests testing spec specs mock mocks mocking fixture fixtures jest vitest pytest rspec junit cypress playwright testcontainers snapshot coverage assert",
  ),
  row(
    "documents",
    asksFor(
      `${make}|update`,
      "docs|documentation|readme|changelog|release notes|docstring|docstrings|comments|adr|runbook|wiki",
    ),
    "docs documentation readme changelog docstring docstrings comment comments adr wiki date dates spelling",
  ),
  row(
    "release",
    asksFor(
      "cut|make|tag|publish|prepare|do|start|ship|roll out|push",
      "release|version|deploy|rollout|hotfix|build|production|prod",
    ),
    "release releases deploy deploys deployment tag rollout canary freeze version changelog",
  ),
  row(
    "migration",
    asksFor(make, "migration|column|columns|table|index|foreign key|field"),
    "migration migrations column columns schema backfill nullable table",
  ),
  row(
    "pull request",
    asksFor(
      "open|create|make|raise|push|prepare|submit|start",
      "pr|pull request|merge request|mr|branch",
    ),
    "pr prs pull branch branches review reviewer reviewers merge squash rebase",
  ),
  row(
    "copy",
    asksFor(
      `${make}|change|update`,
      "label|labels|string|strings|copy|wording|tooltip|error message|empty state|placeholder|translation|translations",
    ),
    "copy string strings wording translation translations i18n locale text tone label",
  ),
  row(
    "component",
    asksFor(
      make,
      "component|button|page|modal|form|dialog|screen|widget|view|dropdown|drawer|panel",
    ),
    "component components design storybook css tailwind styled styling props state ui accessibility a11y",
  ),
  row(
    "state",
    asksFor(`${make}|keep|store|put`, "state|store|slice|context"),
    "state store redux zustand mobx context signals slice",
  ),
  row(
    "endpoint",
    asksFor(make, "endpoint|route|handler|controller|api|resolver|mutation|rpc"),
    "endpoint endpoints route routes handler controller validation versioned openapi error errors response auth",
  ),
  row(
    "logging",
    asksFor(make, "log|logs|logging|logger|metric|metrics|trace|tracing|alert"),
    "log logs logger logging metric metrics tracing alert structured",
  ),
  row(
    "settings",
    asksFor(
      make,
      "env var|environment variable|setting|config|configuration|secret|flag|feature flag|toggle",
    ),
    "env config configuration settings secret secrets vault flag flags toggle",
  ),
  row(
    "workflow",
    asksFor(`${make}|change`, "workflow|pipeline|ci|job|action|cron"),
    "ci workflow pipeline runner runners actions cache job cron",
  ),
  row(
    "script",
    asksFor(make, "script|cli|command|makefile|task"),
    "script scripts bash shell make makefile cli justfile",
  ),
  row(
    "error handling",
    asksFor(
      `${make}|handle|throw|catch`,
      "error|errors|exception|exceptions|retry|retries|timeout",
    ),
    "error errors exception exceptions retry retries result panic timeout",
  ),
];

/** The activities a prompt starts; most prompts start none. */
export const activitiesOf = (prompt: string): readonly Activity[] => {
  const text = prompt.slice(0, 400);
  return activities.filter(({ asks }) => asks.test(text));
};
