/** Small marks that stand beside memories: category, state, project, cost. */
import { agentOf, type Category, type KeptAgent, type NodeStatus } from "#domain";
import type { TokenCosts } from "#api";
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { count, isFolder, projectName } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Line } from "./text.tsx";

/** A dot in the category's colour; the name is there for whoever cannot tell colours. */
export const CategoryDot = ({ category }: { category: Category | null }) => (
  <span class={`dot cat-${category ?? "none"}`} title={category ?? "no category"}>
    <span class="unseen">{category ?? "no category"}</span>
  </span>
);

export const CategoryBadge = ({ category }: { category: Category | null }) => (
  <span class={`badge cat-badge cat-${category ?? "none"}`}>{category ?? "directory"}</span>
);

const meanings: Readonly<Record<NodeStatus, string>> = {
  active: "Active",
  pending: "Pending review",
  superseded: "Superseded; search only",
  retracted: "Retracted",
};

/** Nothing for what is in use: only the exception needs a word. */
export const StatusBadge = ({ status }: { status: NodeStatus | null }) =>
  status === null || status === "active" ? null : (
    <span class={`badge status-${status}`} title={meanings[status]}>
      {status}
    </span>
  );

/** What people call a project. Keys of repositories are names already; those of folders are asked for. */
export const ProjectName = ({ project }: { project: string }) =>
  isFolder(project) ? <FolderName project={project} /> : known(project);

function FolderName({ project }: { project: string }) {
  useEffect(wantProjects, []);
  return known(project);
}

const known = (project: string) => Line({ text: projectName(project, projects.value) });

export const ProjectBadge = ({ project }: { project: string | null }) =>
  project === null ? (
    <span class="badge plain-badge faint" title="Applies to all projects">
      everywhere
    </span>
  ) : (
    <span class="badge plain-badge" title={project}>
      {ProjectName({ project })}
    </span>
  );

/** Programs by the names that their makers write. */
const agentNames: Readonly<Record<KeptAgent, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  copilot: "Copilot",
  opencode: "OpenCode",
  cursor: "Cursor",
  aider: "aider",
};

/** Who worked in a session. */
export const agentName = (session: string): string => agentNames[agentOf(session)];

export const AgentBadge = ({ session }: { session: string }) => (
  <span class={`badge plain-badge agent-${agentOf(session)}`} title="Agent">
    {agentName(session)}
  </span>
);

export const PinMark = ({ pinned }: { pinned: boolean }) =>
  pinned ? (
    <span class="pin-mark" title="Pinned">
      <Icon name="pin" />
      <span class="unseen">pinned</span>
    </span>
  ) : null;

/** What reading each tier would cost. */
export const TokenBadges = ({ tokens }: { tokens: TokenCosts }) => (
  <span class="token-costs num" title="Tokens to read each tier">
    {(["l0", "l1", "l2"] as const).map((tier) => (
      <span key={tier} class={tokens[tier] === 0 ? "tier-cost nothing" : "tier-cost"}>
        <span class="tier-name">{tier.toUpperCase()}</span> {count(tokens[tier])}
      </span>
    ))}
  </span>
);

export const Key = ({ keys }: { keys: string }) => (
  <span class="keys">
    {keys.split(" ").map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);
