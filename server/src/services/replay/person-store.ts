import { type ClickHouse, personTable } from '../../engines/clickhouse/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Recordings of a person. Of those of others the texts are read, not what a browser packed and an earlier version stored. */
export const replayPersonStore = (clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>): PersonStore =>
  personTable(clickhouse, {
    name: 'recordings',
    table: 'snapshots',
    owned: ({ distinctIds }) => sql`distinct_id in ${typed([...distinctIds], 'Array(String)')}`,
    texts: ['data'],
  })
