import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import type { EngineLog } from '../options.ts'
import type { InFlightWindow } from './in-flight.ts'
import type { Part } from './transaction-reader.ts'

export type Reader = (transaction: ChangeTransaction) => Promise<void>

/** The readers of a stream. */
export interface Delivery {
  readonly count: number
  /** @returns what removes the reader */
  add(reader: Reader, ahead: boolean): () => void
  /**
   * Gives a transaction, or a part of one, to every reader; null when the next one need not wait for it. Readers ahead
   * are given it within the window, the others one after another.
   */
  deliver(part: Part, inFlight: InFlightWindow): Promise<void> | null
}

export interface DeliveryDeps {
  readonly log: EngineLog
  readonly closing: AbortSignal
  /** Called as a serial delivery begins, when one of its readers settles it, and, with false, when all have. */
  readonly progressed: (isWaiting: boolean) => void
}

const firstPauseMs = 50
const longestPauseMs = 10_000

/** Gives transactions to readers in commit order. A serial reader that fails is asked again, and the stream waits. */
export function createDelivery({ log, closing, progressed }: DeliveryDeps): Delivery {
  const serial = new Set<Reader>()
  const ahead = new Set<Reader>()

  async function deliverSerially(transaction: ChangeTransaction): Promise<void> {
    let owing = [...serial]
    if (owing.length === 0) return
    progressed(true)
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const outcomes = await Promise.allSettled(owing.map(async (reader) => reader(transaction)))
      const failed = owing.filter((reader, index) => outcomes[index]?.status === 'rejected' && serial.has(reader))
      if (failed.length === 0 || closing.aborted) break
      const reason = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
      log(`postgres: a reader of row changes failed and is asked again (${messageOf(reason)})`)
      owing = failed
      await delay(pauseMs, undefined, { signal: closing }).catch(() => undefined)
    }
    progressed(false)
  }

  return {
    get count() {
      return serial.size + ahead.size
    },
    add(reader, isAhead) {
      const readers = isAhead ? ahead : serial
      readers.add(reader)
      return () => readers.delete(reader)
    },
    deliver({ transaction, bytes }, inFlight) {
      const deliverAhead = (): void => {
        for (const reader of ahead) inFlight.add(reader(transaction), bytes)
      }
      if (serial.size > 0 || inFlight.isFull)
        return inFlight.room().then(() => {
          deliverAhead()
          return deliverSerially(transaction)
        })
      deliverAhead()
      return null
    },
  }
}
