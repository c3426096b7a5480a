import type { Sql } from '../../../engines/postgres/index.ts'
import type { Spool } from '../../../engines/spool/index.ts'
import { movable, TaskEnded, TasksFull, type Threads, taskModule } from '../../../engines/threads/index.ts'
import type { Consent } from '../../../ground/privacy/consent.ts'
import { receiveRecords } from '../capture/moved-record.ts'
import { analyticsError } from '../errors.ts'
import type { AnalyticsSettings } from '../settings.ts'
import type { EventTarget } from '../targets.ts'
import { importPersons } from './persons.ts'
import type { RefusedLine } from './plan-history.ts'
import { type HistoryTask, type HistoryTaskValue, linesOf } from './task.ts'

export interface HistoryDeps {
  readonly spool: Pick<Spool<EventTarget>, 'append'>
  readonly threads: Pick<Threads, 'run'>
  readonly sql: Pick<Sql, 'query'>
  readonly consents: Pick<Consent, 'among'>
  readonly settings: AnalyticsSettings
  readonly jsonDepth: number
  readonly now: () => Date
}

/** What became of a batch. */
export interface HistoryOutcome {
  readonly accepted: number
  readonly refused: readonly RefusedLine[]
}

/** What was stored elsewhere before, in batches of lines packed by gzip; a batch that comes again changes nothing. */
export interface History {
  /**
   * Events: on the disk when it resolves.
   *
   * @param appliesIdentity whether they say who is who; else their persons were imported before
   * @throws CLEW_INGEST_ENCODING, CLEW_INGEST_TOO_LARGE, CLEW_INGEST_FULL, CLEW_INGEST_BUSY
   */
  events(packed: Buffer, appliesIdentity: boolean): Promise<HistoryOutcome>
  /** Persons, a line for each of their distinct ids. @throws as `events` */
  persons(packed: Buffer): Promise<HistoryOutcome>
}

const task = taskModule('./task', import.meta.url)
/** Parsed on the event loop, some 20 ms. */
const largestPersons = 2 * 1024 * 1024

/** The import of events and persons. */
export function createHistory({ spool, threads, settings, jsonDepth, now, ...deps }: HistoryDeps): History {
  const retryLater = { 'retry-after': String(settings.retryAfterSeconds) }
  return {
    async events(packed, appliesIdentity) {
      const body = movable(packed)
      const { addresses, maxEventBytes, maxBodyBytes: limitBytes, maxBatchEvents: maxLines } = settings
      const input: HistoryTask = {
        ...{ body, limitBytes, maxLines },
        context: { nowMs: now().getTime(), addresses, maxEventBytes, jsonDepth, appliesIdentity },
      }
      const order = { module: task, input, transfer: [body], sizeBytes: packed.length }
      const { records, accepted, refused } = await threads.run<HistoryTaskValue>(order).catch((cause: unknown) => {
        throw cause instanceof TasksFull || cause instanceof TaskEnded
          ? analyticsError('CLEW_INGEST_BUSY', { headers: retryLater, cause })
          : cause
      })
      if (records.length > 0 && !(await spool.append(receiveRecords(records))))
        throw analyticsError('CLEW_INGEST_FULL', { headers: retryLater })
      return { accepted, refused }
    },
    persons: async (packed) => importPersons(await linesOf(packed, largestPersons), { ...deps, spool }),
  }
}
