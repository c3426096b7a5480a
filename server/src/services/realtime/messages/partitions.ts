import type { Sql } from '../../../engines/postgres/index.ts'
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

/** Several times a day: a table that is locked for a moment is left for the next time, and there are days to spare. */
const everyMs = 30 * 60_000

export function createPartitions({ sql, now, days, log }: PartitionsDeps): Partitions {
  const keep = async (): Promise<void> => {
    const today = now().toISOString().slice(0, 10)
    await sql.query({ text: 'select from clew.keep_message_partitions($1, $2)', values: [today, days] })
  }
  const kept = (): void =>
    void keep().catch((error: unknown) =>
      log.warn({ err: error }, `realtime: partitions of messages are not kept: ${messageOf(error)}`),
    )
  return {
    keep,
    begin() {
      kept()
      const timer = setInterval(kept, everyMs).unref()
      return () => clearInterval(timer)
    },
  }
}
