import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { join, sql } from '../../../ground/sql/sql.ts'
import { countOf } from './dependents.ts'
import type { Related } from './schemas.ts'
import type { DataTable, ForeignKey } from './table-catalogue.ts'
import type { TextValues } from './text-values.ts'

/** The rows that name a row by their foreign keys, counted, and those that it names. */
export async function readRelated(reader: Pick<Sql, 'query'>, table: DataTable, key: TextValues): Promise<Related> {
  const { foreignKeys, referencedBy } = table
  const counts = referencedBy.length === 0 ? [] : await countAll(reader, referencedBy, key)
  return {
    referencing: referencedBy.map((one, index) => ({ ...endOf(one.from, one), rows: counts[index] ?? 0 })),
    referenced: foreignKeys.map((one) => endOf(one.to, one)),
  }
}

const endOf = ({ schema, name }: ForeignKey['from'], { name: constraint, columns, foreignColumns }: ForeignKey) => ({
  ...{ schema, table: name, constraint },
  ...{ columns: [...columns], foreignColumns: [...foreignColumns] },
})

async function countAll(
  reader: Pick<Sql, 'query'>,
  keys: readonly ForeignKey[],
  row: TextValues,
): Promise<readonly number[]> {
  const { rows } = await reader.query<{ counts: readonly number[] }>(
    compile(sql`select json_build_array(${join(keys.map((key) => countOf([key], [row])))}) as counts`),
  )
  return rows[0]?.counts ?? []
}
