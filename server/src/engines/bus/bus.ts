import type { EngineHealth } from '../../ground/model/health.ts'

/** A message of another node. */
export interface BusMessage {
  /** The node that published it. */
  readonly from: string
  readonly bytes: Buffer
}

/**
 * Messages between the nodes of one Clew: processes, on one machine or several. A message reaches the other nodes that
 * have subscribed to its subject, at most once, those of one node in their order. Its publisher does not receive it.
 */
export interface Bus {
  /** The name of this node; a process that starts again has another one. */
  readonly node: string
  /**
   * Publishes a message; one that finds no way, as while the bus is out of reach, is dropped and counted.
   *
   * @param encode called only where other nodes may hear
   */
  publish(subject: string, encode: () => Buffer): void
  /** @returns what ends the subscription */
  subscribe(subject: string, handle: (message: BusMessage) => void): () => void
  /**
   * Resolves once what other nodes publish from then on comes to all that this one has subscribed to, or the bus is out of
   * reach, or a second is over. Absent where that is so at once.
   */
  readonly subscribed?: () => Promise<void>
  /**
   * Calls back when messages for this node may have been lost, as after a reconnect, with the milliseconds that the bus
   * was out of reach. @returns what ends that
   */
  onMissed(listener: (outMs: number) => void): () => void
  /** Messages that this node could not publish, and those that came broken. */
  dropped(): number
  /** Absent where there is nothing to reach. */
  readonly health?: () => EngineHealth
  close(): Promise<void>
}

const form = /^[\w.-]{1,200}$/

/** Subjects are short and plain, so that each form of the bus can name them. */
export function requireSubject(subject: string): string {
  if (!form.test(subject)) throw new Error(`The bus has no subjects such as "${subject}".`)
  return subject
}
