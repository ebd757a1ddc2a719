/**
 * How the page comes by the token and where it keeps it. `continuity ui` opens the page with a one-time code in the
 * fragment, which no server sees and no log holds; it is exchanged once and removed from the address. The token lives in
 * sessionStorage: gone with the tab, and never sent by the browser of its own accord as a cookie would be.
 */
const storageKey = "continuity.token";
const codeShape = /^#code=([\w-]{8,200})$/;

export const holdsCode = (hash: string): boolean => codeShape.test(hash);
export const tokenOf = (): string | null => sessionStorage.getItem(storageKey);
export const forgetToken = (): void => sessionStorage.removeItem(storageKey);

/** Exchanges the code in the address for the token, if there is one. Resolves to whether the page holds a token. */
export async function unlock(): Promise<boolean> {
  const code = codeShape.exec(location.hash)?.[1];
  if (code === undefined) return tokenOf() !== null;
  // Before the request: a reload must not send a code twice, and the history must not keep it.
  history.replaceState(null, "", `${location.pathname}#/`);
  const token = await exchange(code);
  if (token !== null) sessionStorage.setItem(storageKey, token);
  return tokenOf() !== null;
}

async function exchange(code: string): Promise<string | null> {
  try {
    const reply = await fetch("/api/ui/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const body: unknown = await reply.json();
    const isToken = typeof body === "object" && body !== null && "token" in body;
    return reply.ok && isToken && typeof body.token === "string" ? body.token : null;
  } catch {
    return null; // Nobody answers; an older token may still be good.
  }
}
