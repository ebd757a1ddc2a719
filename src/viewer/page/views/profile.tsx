/** Who you are to Continuity: how you like to be spoken to, what is known of you, what you prefer. */
import type { MemoryJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { memoryHref } from "../state/router.ts";
import { projects } from "../state/projects.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { Filters, ProjectFilter } from "../parts/filters.tsx";
import { plural, projectName } from "../parts/format.ts";
import { MemoryRow } from "../parts/memory-row.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Prose, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";

export function Profile() {
  const project = projectHere();
  const query = project === null ? {} : { project };
  const found = useResource(`profile ${project ?? ""}`, () =>
    answerOf(api.profile.$get({ query })),
  );
  const { value, failure } = found.state.value;
  return (
    <>
      <Top title="Profile" />
      <Filters>
        <ProjectFilter />
      </Filters>
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting />
      ) : (
        <div class="scroll page-scroll">
          <div class="memory whole">
            {value.communication !== null && <Portrait memory={value.communication} />}
            <Group title="About you" memories={value.profile} />
            <Group
              title="Preferences everywhere"
              memories={value.preferences.filter((one) => one.project === null)}
            />
            {ofProjects(value.preferences).map(([key, memories]) => (
              <Group
                key={key}
                title={`Preferences in ${projectName(key, projects.value)}`}
                memories={memories}
              />
            ))}
            {value.communication === null &&
              value.profile.length + value.preferences.length === 0 && (
                <Empty icon="profile" title="No profile yet">
                  State a preference in any prompt, such as <code>remember that I prefer pnpm</code>
                  . It applies to all projects.
                </Empty>
              )}
          </div>
        </div>
      )}
    </>
  );
}

/** What holds in one project only, by project. */
const ofProjects = (
  memories: readonly MemoryJson[],
): readonly (readonly [string, readonly MemoryJson[]])[] =>
  [...Map.groupBy(memories, ({ project }) => project ?? "")].filter(([key]) => key !== "");

const Portrait = ({ memory }: { memory: MemoryJson }) => (
  <section class="portrait">
    <h2 class="tier-head">How you work together</h2>
    <p class="memory-title">
      <Span text={memory.l0} />
    </p>
    {memory.l1 !== null && <Prose text={memory.l1} />}
    <p class="small">
      <a href={memoryHref(memory.uri)}>Show evidence</a>
    </p>
  </section>
);

const Group = ({ title, memories }: { title: string; memories: readonly MemoryJson[] }) =>
  memories.length === 0 ? null : (
    <section class="group">
      <h2 class="tier-head">
        {title} <span class="faint small">{plural(memories.length, "memory", "memories")}</span>
      </h2>
      <ul class="group-list">
        {memories.map((memory) => (
          <li key={memory.uri}>
            <MemoryRow memory={memory} isCurrent onChoose={null} />
          </li>
        ))}
      </ul>
    </section>
  );
