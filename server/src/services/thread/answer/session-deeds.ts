import { groupBy } from '../group-by.ts'
import { claimOf } from './people/evidence.ts'
import type { FirstChangeRow, NotableRow } from './queries/sessions.ts'
import type { SessionFacts } from './session-facts.ts'
import type { Deed } from './session-sentence.ts'
import type { ThreadStore } from './store.ts'

/** What the sessions' own requests did that is worth telling, in their order. */
export async function readDeeds(
  store: Pick<ThreadStore, 'notableRequests' | 'firstChanges'>,
  sessions: readonly SessionFacts[],
): Promise<ReadonlyMap<string, readonly Deed[]>> {
  const known = new Map(sessions.map((session) => [session.id, session.known]))
  const all = await store.notableRequests([...known.keys()])
  // A request that only carries the session's id is another's.
  const own = all.filter((row) => known.get(row.session_id)?.foreignWhy(claimOf(row)) === null)
  const changed = await store.firstChanges(own.flatMap(({ id, writes }) => (writes ? [id] : [])))
  const changes = new Map(changed.map((row) => [row.request_id, row]))
  const bySession = groupBy(own, (row) => row.session_id)
  return new Map(
    [...bySession].map(([id, rows]) => [id, rows.flatMap((row) => deedOf(row, changes.get(row.id)))] as const),
  )
}

function deedOf({ path, status, writes }: NotableRow, change: FirstChangeRow | undefined): readonly Deed[] {
  if (change !== undefined)
    return [
      {
        kind: 'change',
        schema: change.schema_name,
        table: change.table_name,
        operation: change.operation,
        rows: Number(change.rows),
        // We wrote it ourselves.
        key: change.key === '' ? {} : (JSON.parse(change.key) as Record<string, string>),
      },
    ]
  if (status >= 400) return [{ kind: 'failure', path, status }]
  return writes ? [] : [{ kind: 'empty', path }]
}
