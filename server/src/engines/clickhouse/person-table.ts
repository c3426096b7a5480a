import { type PersonStore, partsOf, type Subject } from '../../ground/privacy/person.ts'
import { erasedInClickHouse, namedInClickHouse, soughtTexts } from '../../ground/privacy/person-texts.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { identifier, type SqlFragment, sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'
import { deleteRows, rewriteTable } from './rewrite.ts'

/** A table that keeps what people did. */
export interface PersonTable {
  /** As a certificate names it. */
  readonly name: string
  readonly table: string
  /** The rows that are a person's own. */
  readonly owned: (subject: Subject) => SqlFragment
  /** Columns of text in which rows of others may name a person; none of them in the sorting key. */
  readonly texts?: readonly string[]
}

/** A table as a store of which a person is erased. */
export const personTable = (
  clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>,
  { name, table, owned, texts: columns = [] }: PersonTable,
): PersonStore => ({
  name,
  async count(subject) {
    let rows = 0
    for (const part of partsOf(subject)) {
      const statement = compileClickHouse(sql`select count() as rows from ${identifier(table)} where ${owned(part)}`)
      rows += Number((await clickhouse.query<{ rows: string }>(statement))[0]?.rows ?? 0)
    }
    return rows
  },
  async erase(subject, work) {
    let [removed, rewritten] = [0, 0]
    for (const part of partsOf(subject)) removed += await deleteRows(clickhouse, { table, where: owned(part) }, work)
    const texts = soughtTexts(subject)
    if (texts.length === 0) return { removed, rewritten }
    // One at a time: the values of a statement travel in its address, which has 16 KiB.
    for (const name of columns) {
      const column = identifier(name)
      const rewrite = {
        table,
        columns: { [name]: erasedInClickHouse(column, texts) },
        where: namedInClickHouse(column, texts),
      }
      rewritten += await rewriteTable(clickhouse, rewrite, work)
    }
    return { removed, rewritten }
  },
  async *read(subject) {
    for (const part of partsOf(subject))
      yield* clickhouse.streamTexts(
        compileClickHouse(
          sql`select formatRowNoNewline('JSONEachRow', *) from ${identifier(table)} where ${owned(part)}`,
        ),
      )
  },
})
