/** A memory's own page. */
import { route } from "../state/router.ts";
import { Empty } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";
import { MemoryPane } from "./memory-pane.tsx";

export function MemoryPage() {
  const uri = route.value.query.get("uri");
  if (uri === null)
    return (
      <>
        <Top title="Memory" />
        <Empty icon="memories" title="Which memory?">
          The address names none. <a href="#/memories">See them all</a>.
        </Empty>
      </>
    );
  return (
    <>
      <Top title="Memory" />
      <div class="scroll page-scroll">
        <MemoryPane key={uri} uri={uri} whole />
      </div>
    </>
  );
}
