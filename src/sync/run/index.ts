/** Carrying the log: keys, segments, carriers and the exchange. For processes other than the daemon. */
export { CarrierFailure } from "./carrier.ts";
export type { Carrier } from "./carrier.ts";
export { accessFor, accessNow, openCarrier, shownUrl, splitAddress } from "./open.ts";
export { exchange } from "./exchange.ts";
export type { Peer, SyncReport } from "./exchange.ts";
export {
  createSpace,
  damagedDevices,
  isSpaceThere,
  joinSpace,
  newSpace,
  refreshSpace,
  removeDevice,
  SpaceFailure,
} from "./space.ts";
export type { KnownDevice, SpaceState } from "./space.ts";
export { verifySpace } from "./verify.ts";
