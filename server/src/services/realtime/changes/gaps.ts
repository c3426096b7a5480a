import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Channel } from '../channel/channel.ts'
import type { Registry } from './registry.ts'

/** The dependencies of `createGapWatch`. */
export interface GapWatchDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly registry: Registry
  readonly log: { warn(details: object, message: string): void }
}

/** Tells subscribers when changes could not be read, so that they fetch anew what they show. */
export interface GapWatch {
  /** Watches from now on; what it returns ends that. */
  begin(): () => void
}

interface GapRow {
  readonly id: string
  readonly ended_at: Date
  readonly reason: string
}

const everyMs = 1000

const selectLast = {
  text: 'select g.id::text, g.ended_at, g.reason from clew.change_gaps g where g.ended_at is not null order by g.id desc limit 1',
  values: [],
}

export function createGapWatch({ sql, registry, log }: GapWatchDeps): GapWatch {
  /** The last gap that subscribers know of, or that was there before them. */
  let knownId: string | null = null
  let isKnown = false

  const look = async (): Promise<void> => {
    const { rows } = await sql.query<GapRow>(selectLast)
    const [last] = rows
    const isNew = isKnown && last !== undefined && last.id !== knownId
    knownId = last?.id ?? null
    isKnown = true
    if (isNew) for (const channel of registry.channels()) tell(channel, last)
  }

  return {
    begin() {
      isKnown = false
      let timer: NodeJS.Timeout | null = null
      let isEnded = false
      const run = async (): Promise<void> => {
        await look().catch((error: unknown) =>
          log.warn({ err: error }, `realtime: gaps of row changes are not known: ${messageOf(error)}`),
        )
        if (!isEnded) timer = setTimeout(() => void run(), everyMs).unref()
      }
      void run()
      return () => {
        isEnded = true
        if (timer !== null) clearTimeout(timer)
      }
    },
  }
}

/** As the reference tells a stream that was lost and is there again (realtime §3). */
function tell(channel: Channel, { ended_at: endedAt, reason }: GapRow): void {
  channel.tell('postgres_changes', 'error', `Changes before ${endedAt.toISOString()} are missing: ${reason}`)
  channel.tell('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
}
