/** All detectors together: from a text to the stretches that must go. */
import { detectAssignments } from "./assignments.ts";
import { detectAwsPairs } from "./aws-pairs.ts";
import { createGitleaks } from "./gitleaks.ts";
import { detectBelow } from "./below.ts";
import { detectCommands } from "./commands.ts";
import { detectEncoded } from "./encoded.ts";
import { detectHeaders } from "./headers.ts";
import { detectJwts } from "./jwt.ts";
import { detectKubernetesSecrets } from "./kubernetes.ts";
import { detectLists } from "./lists.ts";
import { detectLogins } from "./logins.ts";
import { detectPayment } from "./payment.ts";
import { detectPrivateKeys } from "./private-keys.ts";
import { detectPlain } from "./plain.ts";
import { detectProse } from "./prose.ts";
import { detectSpoken } from "./spoken.ts";
import { haystack } from "./spans.ts";
import type { Detector, Span } from "./spans.ts";
import { detectStructures } from "./structures.ts";
import { detectTables } from "./tables.ts";
import { detectTokens } from "./tokens.ts";
import { detectUrls } from "./urls.ts";
import { detectWallets } from "./wallets.ts";
import { detectWords } from "./words.ts";

/** `custom`: the user's own patterns; `allow`: their words that are none. The result may overlap; see mergeSpans. */
export function createSecretFinder(
  custom: Detector,
  allow: readonly string[] = [],
): (text: string) => readonly Span[] {
  const isAllowed = (value: string): boolean => allow.some((word) => word.includes(value));
  const detectors: readonly Detector[] = [
    custom,
    detectPrivateKeys,
    detectTokens,
    detectJwts,
    detectUrls,
    detectHeaders,
    detectCommands,
    detectWallets,
    detectPayment,
    detectStructures,
    detectTables,
    detectBelow,
    detectEncoded([detectTokens, detectJwts, detectUrls]),
    detectAwsPairs,
    detectKubernetesSecrets,
    createGitleaks(),
    detectAssignments,
    detectSpoken,
    detectPlain,
    detectProse,
    detectLists,
    detectLogins,
    detectWords,
  ];
  return (text) => {
    const hay = haystack(text);
    return detectors
      .flatMap((detect) => detect(hay))
      .filter(({ start, end, kind }) => {
        const value = text.slice(start, end);
        return kind === "custom" || (!isPublic(value) && !isAllowed(value));
      });
  };
}

/** Keys that are made to be published: Stripe's, SSH's public ones, and those in documentation. */
const isPublic = (value: string): boolean =>
  /^pk_(?:live|test)_\w+$|^AAAA(?:B3NzaC1yc2E|C3NzaC1lZDI1NTE5|E2VjZHNhLXNoYTI)/u.test(value) ||
  documented.has(value);

const documented: ReadonlySet<string> = new Set([
  "AKIAIOSFODNN7EXAMPLE",
  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
]);
