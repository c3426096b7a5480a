import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../engines/postgres/index.ts'
import { storageError } from '../errors.ts'
import { holdUploadStatement, releaseUploadStatement } from './store.ts'

/** Lets one request at a time write an upload. */
export interface Leases {
  /**
   * Runs a body that holds an upload. Another holder in this process is asked to stop: its client has come back, and the
   * connection it writes from is a dead one.
   *
   * @throws NoSuchUpload; LockTimeout when another holder does not release it in time
   */
  hold<T>(id: string, body: (signal: AbortSignal) => Promise<T>): Promise<T>
}

const leaseSeconds = 30
const renewMs = 10_000
const waitMs = 5_000
const retryMs = 100

interface HoldRow {
  readonly held: boolean
  readonly present: boolean
}

interface Holder {
  readonly stop: AbortController
  readonly released: Promise<void>
}

/** @param sql the tables of `clew_storage` */
export function createLeases(sql: Pick<Sql, 'query'>): Leases {
  const holders = new Map<string, Holder>()

  const acquire = async (id: string, holder: string): Promise<void> => {
    const until = performance.now() + waitMs
    for (;;) {
      const { rows } = await sql.query<HoldRow>(holdUploadStatement(id, holder, leaseSeconds))
      if (rows[0]?.held === true) return
      if (rows[0]?.present !== true) throw storageError('NoSuchUpload')
      if (performance.now() > until) throw storageError('LockTimeout')
      await delay(retryMs)
    }
  }
  return {
    async hold(id, body) {
      for (let before = holders.get(id); before !== undefined; before = holders.get(id)) {
        before.stop.abort(storageError('Aborted'))
        await before.released
      }
      const stop = new AbortController()
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      holders.set(id, { stop, released })
      const holder = randomUUID()
      let renewing: NodeJS.Timeout | undefined
      try {
        await acquire(id, holder)
        renewing = setInterval(() => {
          sql.query(holdUploadStatement(id, holder, leaseSeconds)).catch(() => undefined)
        }, renewMs)
        return await body(stop.signal)
      } finally {
        clearInterval(renewing)
        await sql.query(releaseUploadStatement(id, holder)).catch(() => undefined)
        holders.delete(id)
        release()
      }
    },
  }
}
