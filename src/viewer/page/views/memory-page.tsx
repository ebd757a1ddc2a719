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
        <Empty icon="memories" title="No memory specified">
          The address has no memory URI. <a href="#/memories">Show all memories</a>.
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
