import { type Sql, sqlStateOf } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'

/** The dependencies of `createPartitions`. */
export interface PartitionsDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly now: () => Date
  /** For how many days messages are kept. */
  readonly days: number
  readonly log: { warn(details: object, message: string): void }
}

/** The daily partitions of `realtime.messages` (realtime §8). */
export interface Partitions {
  /** Makes those of yesterday, today and the next three days, and drops those that are too old. */
  keep(): Promise<void>
  /** Keeps them from now on; what it returns ends that. */
  begin(): () => void
}

/** Several times a day: there are days to spare. */
const everyMs = 30 * 60_000
/** After a lock was not to be had, as while the application's schema changes. */
const afterLockMs = 5_000
const lockNotAvailable = '55P03'

export function createPartitions({ sql, now, days, log }: PartitionsDeps): Partitions {
  const keep = async (): Promise<void> => {
    const today = now().toISOString().slice(0, 10)
    await sql.query({ text: 'select from clew.keep_message_partitions($1, $2)', values: [today, days] })
  }
  let timer: NodeJS.Timeout | null = null
  const run = async (): Promise<void> => {
    const failure = await keep().then(
      () => null,
      (error: unknown) => error,
    )
    const locked = sqlStateOf(failure) === lockNotAvailable
    if (failure !== null && !locked)
      log.warn({ err: failure }, `realtime: partitions of messages are not kept: ${messageOf(failure)}`)
    if (timer !== null) timer = setTimeout(run, locked ? afterLockMs : everyMs).unref()
  }
  return {
    keep,
    begin() {
      timer = setTimeout(run, 0)
      return () => {
        if (timer !== null) clearTimeout(timer)
        timer = null
      }
    },
  }
}
