/** The log of revisions: what happened here as entries, and entries of other devices taken in. */
export type { ExchangeContext } from "./log/claim.ts";
export { answerPeer, type Outgoing, peerAsk, type PeerState } from "./log/peer.ts";
