/** The log of revisions: what happened here as entries, and entries of other devices taken in. */
export type { LogDeps } from "./log/deps.ts";
export { answerPeer, peerAsk } from "./log/peer.ts";
export type { Outgoing, PeerState } from "./log/peer.ts";
