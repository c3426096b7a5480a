import { type PersonStore, partsOf, type Subject } from '../../ground/privacy/person.ts'
import { erasedInPostgres, namedInPostgres, soughtTexts } from '../../ground/privacy/person-texts.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { constant, empty, identifier, join, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import type { Sql } from './postgres.ts'

/** A table of Clew's own that keeps what people did, or names them. */
export interface PersonRows {
  /** As a certificate names it. */
  readonly name: string
  readonly table: readonly [schema: string, name: string]
  /** The rows that are a person's own; none where not given. */
  readonly owned?: (subject: Subject) => SqlFragment
  /** Columns in which rows of others may name a person, and their types. */
  readonly texts?: Readonly<Record<string, 'text' | 'text[]' | 'jsonb'>>
}

const rowsAtOnce = 500

/** A table as a store of which a person is erased; one that the database does not have is an empty one. */
export function personRows(database: Pick<Sql, 'query'>, rows: PersonRows): PersonStore {
  const { name, table, owned = () => sql`false`, texts: columns = {} } = rows
  const place = identifier(...table)
  const [schema, relation] = table
  const isThere = async (): Promise<boolean> =>
    (
      await database.query(
        compile(sql`
          select
          where to_regclass(format('%I.%I', ${typed(schema, 'text')}, ${typed(relation, 'text')})) is not null`),
      )
    ).rows.length > 0
  return {
    name,
    async count(subject) {
      if (rows.owned === undefined || !(await isThere())) return 0
      let count = 0
      for (const part of partsOf(subject)) {
        const statement = compile(sql`select count(*)::int as rows from ${place} where ${owned(part)}`)
        count += (await database.query<{ rows: number }>(statement)).rows[0]?.rows ?? 0
      }
      return count
    },
    async erase(subject, { signal }) {
      let [removed, rewritten] = [0, 0]
      if (!(await isThere())) return { removed, rewritten }
      for (const part of partsOf(subject)) {
        signal.throwIfAborted()
        if (rows.owned !== undefined) removed += await changed(database, sql`delete from ${place} where ${owned(part)}`)
      }
      const [texts, named] = [soughtTexts(subject), Object.entries(columns)]
      if (named.length > 0 && texts.length > 0) rewritten = await changed(database, rewriting(place, named, texts))
      return { removed, rewritten }
    },
    async *read(subject) {
      if (rows.owned === undefined || !(await isThere())) return
      for (const part of partsOf(subject)) yield* pages(database, place, owned(part))
    },
  }
}

/** Runs a statement that changes rows. @returns how many */
async function changed(database: Pick<Sql, 'query'>, statement: SqlFragment): Promise<number> {
  const counted = compile(sql`with changed as (${statement} returning 1) select count(*)::int as rows from changed`)
  return (await database.query<{ rows: number }>(counted)).rows[0]?.rows ?? 0
}

const rewriting = (
  place: SqlFragment,
  columns: readonly (readonly [string, string])[],
  texts: readonly string[],
): SqlFragment => sql`
  update ${place}
  set ${join(
    columns.map(([column, type]) => {
      const value = erasedInPostgres(identifier(column), texts)
      return sql`${identifier(column)} = ${type === 'text' ? value : sql`(${value})::${constant(type)}`}`
    }),
  )}
  where ${join(
    columns.map(([column]) => namedInPostgres(identifier(column), texts)),
    ' or ',
  )}`

/** Where a row lies: its table or partition, and its place there. */
interface Place {
  readonly part: string
  readonly place: string
}

interface PlacedRow extends Place {
  readonly row: string
}

/** The rows of a table, or of its partitions, in the order in which they lie, page by page. */
async function* pages(database: Pick<Sql, 'query'>, place: SqlFragment, owned: SqlFragment): AsyncGenerator<string> {
  let after: Place | null = null
  for (;;) {
    const from: SqlFragment =
      after === null
        ? empty
        : sql`and (each.tableoid, each.ctid) > (${typed(after.part, 'oid')}, ${typed(after.place, 'tid')})`
    const page = compile(sql`
      select each.tableoid::text as part, each.ctid::text as place, to_jsonb(each)::text as row
      from ${place} each
      where (${owned}) ${from}
      order by each.tableoid, each.ctid
      limit ${rowsAtOnce}`)
    const found: readonly PlacedRow[] = (await database.query<PlacedRow>(page)).rows
    for (const { row } of found) yield row
    after = found.at(-1) ?? null
    if (found.length < rowsAtOnce) return
  }
}
