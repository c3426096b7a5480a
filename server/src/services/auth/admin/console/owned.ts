import type { Sql } from '../../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../../ground/sql/sql.ts'

/** Rows of a table that name a user by a foreign key. */
export interface OwnedRows {
  readonly schema: string
  readonly table: string
  readonly column: string
  /** Up to `countedAtMost`. */
  readonly rows: number
  /** What the foreign key does with them when the user is deleted. */
  readonly onDelete: 'deleted' | 'emptied' | 'kept from being deleted'
}

interface ForeignKey extends Omit<OwnedRows, 'rows' | 'onDelete'> {
  readonly action: string
}

/** A count beyond says `10,000 or more`. */
const countedAtMost = 10_000
const mostKeys = 50

const foreignKeysStatement: Statement = compile(sql`
  select n.nspname as schema, c.relname as table, a.attname as column, k.confdeltype::text as action
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and k.confrelid = 'auth.users'::regclass and k.conparentid = 0
    and array_length(k.conkey, 1) = 1 and n.nspname <> 'auth'
  order by n.nspname, c.relname, a.attname
  limit ${mostKeys}`)

const countStatement = ({ schema, table, column }: ForeignKey, userId: string): Statement =>
  compile(sql`
    select count(*)::int as rows
    from (
      select from ${identifier(schema, table)} where ${identifier(column)} = ${typed(userId, 'uuid')} limit ${countedAtMost}
    ) counted`)

const outcomes: Readonly<Record<string, OwnedRows['onDelete']>> = { c: 'deleted', n: 'emptied', d: 'emptied' }

/** The rows that a user owns, table by table. */
export async function findOwnedRows(reader: Pick<Sql, 'query'>, userId: string): Promise<readonly OwnedRows[]> {
  const { rows: keys } = await reader.query<ForeignKey>(foreignKeysStatement)
  const owned: OwnedRows[] = []
  for (const key of keys) {
    const { schema, table, column, action } = key
    const counted = await reader.query<{ rows: number }>(countStatement(key, userId))
    const onDelete = outcomes[action] ?? 'kept from being deleted'
    owned.push({ schema, table, column, rows: counted.rows[0]?.rows ?? 0, onDelete })
  }
  return owned
}
