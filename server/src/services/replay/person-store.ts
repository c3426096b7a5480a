import { type ClickHouse, personTable } from '../../engines/clickhouse/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Recordings of a person. Of those of others the texts are read, not the parts that a browser compressed. */
export const replayPersonStore = (clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>): PersonStore =>
  personTable(clickhouse, {
    name: 'recordings',
    table: 'snapshots',
    owned: ({ distinctIds }) => sql`distinct_id in ${typed([...distinctIds], 'Array(String)')}`,
    texts: ['data'],
  })
