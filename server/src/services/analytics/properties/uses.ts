import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import { countUsesStatement } from './store.ts'

/** How often properties are asked for: counted here, and kept in PostgreSQL every minute. */
export interface Uses {
  count(property: string): void
  /** Keeps what was counted; what cannot be kept is counted still. */
  store(): Promise<void>
  close(): Promise<void>
}

const everyMs = 60_000
/** Names that are counted within a minute; further ones are not. */
const mostNames = 1000

export function createUses({
  sql,
  now,
  log,
}: {
  readonly sql: Pick<Sql, 'query'>
  readonly now: () => Date
  readonly log: Log
}): Uses {
  let counted = new Map<string, number>()
  const add = (property: string, uses: number): void => {
    const before = counted.get(property)
    if (before !== undefined || counted.size < mostNames) counted.set(property, (before ?? 0) + uses)
  }
  async function store(): Promise<void> {
    if (counted.size === 0) return
    const given = counted
    counted = new Map()
    try {
      await sql.query(countUsesStatement(given, now()))
    } catch (error) {
      for (const [property, uses] of given) add(property, uses)
      throw error
    }
  }
  const storeSoon = (): Promise<void> =>
    store().catch((error: unknown) => {
      log.warn({ reason: messageOf(error) }, 'How often properties are asked for could not be stored yet')
    })
  const timer = setInterval(storeSoon, everyMs).unref()
  return {
    count: (property) => add(property, 1),
    store,
    async close() {
      clearInterval(timer)
      await storeSoon()
    },
  }
}
