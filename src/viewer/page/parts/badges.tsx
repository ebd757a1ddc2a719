/** Small marks that stand beside memories: category, state, project. */
import { agentOf, type Category, type KeptAgent, type NodeStatus } from "#domain";
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { ago, categoryNames, fullTime, isFolder, projectName, statusNames } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Line } from "./text.tsx";

interface CategoryProps {
  readonly category: Category | null;
}

const toneOf = (category: Category | null): string => `--tone: var(--${category ?? "sessions"})`;

/** A dot in the category's colour; the name is there for whoever cannot tell colours. */
export const CategoryDot = ({ category }: CategoryProps) => {
  const name = category === null ? "No category" : categoryNames[category];
  return (
    <span class="dot" style={toneOf(category)} title={name}>
      <span class="unseen">{name}</span>
    </span>
  );
};

export const CategoryBadge = ({ category }: CategoryProps) => (
  <span class="badge cat-badge" style={toneOf(category)}>
    {category === null ? "Directory" : categoryNames[category]}
  </span>
);

/** Nothing for what holds: only the exception needs a word. */
export const StatusBadge = ({ status }: { status: NodeStatus | null }) =>
  status === null || status === "active" ? null : (
    <span class={`badge status-${status}${status === "pending" ? " warn" : ""}`}>
      {statusNames[status]}
    </span>
  );

/**
 * `ProjectName` shows people's name of a project. Keys of repositories are names already; those of
 * folders are asked for.
 */
export const ProjectName = ({ project }: { project: string }) =>
  isFolder(project) ? <FolderName project={project} /> : known(project);

function FolderName({ project }: { project: string }) {
  useEffect(wantProjects, []);
  return known(project);
}

const known = (project: string) => Line({ text: projectName(project, projects.value) });

export const ProjectBadge = ({ project }: { project: string | null }) =>
  project === null ? (
    <span class="badge plain-badge" title="Applies to all projects">
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
};

export const agentName = (session: string): string => agentNames[agentOf(session)];

export const PinMark = ({ pinned }: { pinned: boolean }) =>
  pinned ? (
    <span class="pin-mark" title="Pinned">
      <Icon name="pin" />
      <span class="unseen">pinned</span>
    </span>
  ) : null;

/** Age at the end of a row; its title is the full time. */
export const Time = ({ at }: { at: number }) => (
  <time class="row-time tiny faint num" title={fullTime(at)}>
    {ago(at)}
  </time>
);
