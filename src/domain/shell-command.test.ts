import { describe, expect, test } from "bun:test";
import { commandLine, commitSubject } from "./shell-command.ts";

describe("a record of one line keeps a commit's subject apart from its body", () => {
  test.each([
    [`git commit -m "$(cat <<'EOF'\nSimulate the winch\n\nIt swung.\n\nCo-Authored-By: A\nEOF\n)"`],
    [`git add -A && git commit -F - <<'END'\nSimulate the winch\n\nIt swung\nEND\ngit push`],
    [`git commit -F - <<'EOF' && git push 2>&1 | tail -5\nSimulate the winch\n\nIt swung\nEOF`],
    [`git commit -qm "Simulate the winch\n\nIt said \\"no\\" to the crane." && git push`],
    ["git commit -am 'Simulate the winch\n- it swung\n- it stood'"],
    [`git commit -m "Simulate the winch" -m "It swung."`],
    [`git commit -m "$(cat <<EOF\nSimulate the winch\n\nA long body that the record cut o`],
  ])("%p", (command) => {
    expect(commitSubject(commandLine(command), "")).toBe("Simulate the winch");
  });

  test("and what stands behind the message", () => {
    expect(commandLine(`git commit -m "Reef\n\nIn wind."\ngit push`)).toBe(
      'git commit -m "Reef" git push',
    );
    expect(commandLine("git commit -F - <<'EOF'\nReef\n\nIn wind.\nEOF\ngit push")).toBe(
      "git commit -F - <<'EOF' Reef EOF git push",
    );
    expect(commandLine("make\n  test")).toBe("make test");
  });

  test("what git printed is taken at its word", () => {
    expect(commitSubject("git commit -m $MSG", "[main 1a2b3c4] Reef the sails\n 1 file")).toBe(
      "Reef the sails",
    );
    expect(commitSubject('git commit -m "$MSG"', "")).toBe("");
    expect(commitSubject(`git commit -m "$(cat <<'EOF'…`, "")).toBe("");
  });
});
