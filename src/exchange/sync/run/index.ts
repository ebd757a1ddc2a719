/** Carrying the log: keys, segments, carriers and the exchange. For processes other than the daemon. */
export { type Carrier, CarrierFailure } from "./carrier.ts";
export { accessFor, accessNow, openCarrier, shownUrl, splitAddress } from "./open.ts";
export { exchange, type Peer } from "./exchange.ts";
export { SpaceFailure } from "./membership.ts";
export {
  createSpace,
  damagedDevices,
  isSpaceThere,
  joinSpace,
  newSpace,
  refreshSpace,
  removeDevice,
  type SpaceState,
} from "./space.ts";
export { verifySpace } from "./exchange.ts";
export type { TeamPort } from "./hub-members.ts";
export type { TeamState } from "./hub-members.ts";
export {
  createTeam,
  inviteMember,
  joinTeam,
  leaveTeam,
  membersOf,
  removeMember,
  syncTeam,
} from "./hub.ts";
