import type { Sql } from '../../../../engines/postgres/index.ts'
import type { NamingRows } from '../../../../ground/privacy/account.ts'
import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../../ground/sql/sql.ts'

interface ForeignKey extends Omit<NamingRows, 'rows' | 'onDelete'> {
  readonly action: string
}

/** A count beyond says `10,000 or more`. */
const countedAtMost = 10_000
const mostKeys = 50

/** A key of a key: `posts.author_id` may refer to `profiles.id`, which refers to the user. */
const mostSteps = 4

const foreignKeysStatement: Statement = compile(sql`
  with recursive keys as (
    select k.conrelid, k.conkey[1] as attnum, k.confdeltype, 1 as step
    from pg_catalog.pg_constraint k
    where k.contype = 'f' and k.confrelid = 'auth.users'::regclass and k.conparentid = 0
      and array_length(k.conkey, 1) = 1
    union
    select k.conrelid, k.conkey[1], k.confdeltype, keys.step + 1
    from keys
    join pg_catalog.pg_constraint k
      on k.contype = 'f' and k.confrelid = keys.conrelid and k.conparentid = 0
      and array_length(k.conkey, 1) = 1 and k.confkey[1] = keys.attnum
    where keys.step < ${mostSteps}
  )
  select distinct on (n.nspname, c.relname, a.attname) n.nspname as schema, c.relname as table, a.attname as column,
    keys.confdeltype::text as action, not a.attnotnull as "canBeEmptied"
  from keys
  join pg_catalog.pg_class c on c.oid = keys.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = keys.conrelid and a.attnum = keys.attnum
  where n.nspname <> 'auth'
  order by n.nspname, c.relname, a.attname, keys.step
  limit ${mostKeys}`)

const countStatement = ({ schema, table, column }: ForeignKey, userId: string): Statement =>
  compile(sql`
    select count(*)::int as rows
    from (
      select from ${identifier(schema, table)} where ${identifier(column)} = ${typed(userId, 'uuid')} limit ${countedAtMost}
    ) counted`)

const outcomes: Readonly<Record<string, NamingRows['onDelete']>> = { c: 'deleted', n: 'emptied', d: 'emptied' }

/** The rows that a user owns, table by table. */
export async function findOwnedRows(reader: Pick<Sql, 'query'>, userId: string): Promise<readonly NamingRows[]> {
  const { rows: keys } = await reader.query<ForeignKey>(foreignKeysStatement)
  const owned: NamingRows[] = []
  for (const key of keys) {
    const { schema, table, column, action, canBeEmptied } = key
    const counted = await reader.query<{ rows: number }>(countStatement(key, userId))
    const onDelete = outcomes[action] ?? 'kept from being deleted'
    owned.push({ schema, table, column, rows: counted.rows[0]?.rows ?? 0, onDelete, canBeEmptied })
  }
  return owned
}
