import { type ClickHouse, personTable } from '../../../engines/clickhouse/index.ts'
import { inGroups, type PersonStore, partsOf, type Subject } from '../../../ground/privacy/person.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { OtlpTarget } from '../rows/targets.ts'

interface PersonStoresDeps {
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>
  /** The ids of the traces that a person's requests stand in. */
  readonly tracesOf: (subject: Subject) => SqlFragment
}

/** Spans and log records of a person's sessions and requests; those of others lose the person's name. */
export const otlpPersonStores = (deps: PersonStoresDeps): readonly PersonStore[] => [
  storeOf(deps, 'spans of servers', 'spans', ['name', 'status_message', 'attributes', 'resource', 'events']),
  storeOf(deps, 'logs of servers', 'server_logs', ['text', 'attributes', 'resource']),
]

/** Rows by their trace, and besides by their session, some sessions at a time: ids of one statement are few. */
function storeOf(
  { clickhouse, tracesOf }: PersonStoresDeps,
  name: string,
  table: OtlpTarget,
  texts: readonly string[],
): PersonStore {
  const isOfTrace = (subject: Subject): SqlFragment => sql`(trace_id != '' and trace_id in (${tracesOf(subject)}))`
  const byTrace = personTable(clickhouse, { name, table, owned: isOfTrace, texts })
  const bySession = personTable(clickhouse, {
    ...{ name, table },
    owned: (subject) => sql`(
      session_id in ${typed([...subject.sessionIds], 'Array(String)')} and not ${isOfTrace(subject)}
    )`,
  })
  const sessionParts = (subject: Subject): readonly Subject[] => {
    const [ids = subject] = partsOf(subject)
    return inGroups(subject.sessionIds).map((sessionIds) => ({ ...ids, sessionIds }))
  }
  return {
    name,
    async count(subject) {
      let rows = await byTrace.count(subject)
      for (const part of sessionParts(subject)) rows += await bySession.count(part)
      return rows
    },
    async erase(subject, work) {
      let removed = 0
      for (const part of sessionParts(subject)) removed += (await bySession.erase(part, work)).removed
      const rest = await byTrace.erase(subject, work)
      return { removed: removed + rest.removed, rewritten: rest.rewritten }
    },
    async *read(subject) {
      yield* byTrace.read(subject)
      for (const part of sessionParts(subject)) yield* bySession.read(part)
    },
  }
}
