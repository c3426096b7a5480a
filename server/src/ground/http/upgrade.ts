import type { Duplex } from 'node:stream'

/** The connection of a request that asks for another protocol, a WebSocket say. */
export interface OfferedUpgrade {
  readonly socket: Duplex
  /** What the client has sent already in the other protocol. */
  readonly head: Buffer
}

const offered = new WeakMap<object, OfferedUpgrade>()

/** Puts a connection where the handler of its request finds it. */
export const offerUpgrade = (request: object, upgrade: OfferedUpgrade): void => void offered.set(request, upgrade)

/** The connection of a request that asks for another protocol; its taker answers on it. Null for other requests. */
export function takeUpgrade(request: object): OfferedUpgrade | null {
  const found = offered.get(request) ?? null
  offered.delete(request)
  return found
}
