import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** SQLSTATEs of what is there already, whatever it is like: schema, relation, object, function, column. */
const alreadyThere: ReadonlySet<string> = new Set(['42P06', '42P07', '42710', '42723', '42701'])
/** SQLSTATEs by which PostgreSQL also refuses what is wrong: a second primary key, a table that is a partition. */
const perhapsThere: ReadonlySet<string> = new Set(['42P16', '42809'])

const part = String.raw`(?:"(?:[^"]|"")+"|\w+)`
const relation = String.raw`(${part}(?:\.${part})?)`
const addsConstraint = new RegExp(
  String.raw`^alter table (?:only )?${relation}\s+add constraint (${part}) ([^;]+?)\s*;?\s*$`,
  'i',
)
const attaches = new RegExp(
  String.raw`^alter table (?:only )?${relation}\s+attach partition ${relation} ([^;]+?)\s*;?\s*$`,
  'i',
)

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()

/**
 * Whether what a refused statement makes stands already: true and false by the SQLSTATE, or a statement of the catalogues
 * that answers a row where it stands exactly as the statement makes it.
 */
export function planStanding(text: string, sqlState: string): boolean | Statement {
  if (alreadyThere.has(sqlState)) return true
  if (!perhapsThere.has(sqlState)) return false
  const [, table, constraint = '', definition] = addsConstraint.exec(text) ?? []
  if (table !== undefined && definition !== undefined)
    return compile(sql`
      select
      from pg_catalog.pg_constraint
      where conrelid = pg_catalog.to_regclass(${typed(table, 'text')}) and conname = ${unquoted(constraint)}
        and pg_catalog.pg_get_constraintdef(oid) = ${typed(definition, 'text')}`)
  const [, parent, partition, bound] = attaches.exec(text) ?? []
  if (parent === undefined || partition === undefined || bound === undefined) return false
  return compile(sql`
    select
    from pg_catalog.pg_inherits i
    join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = pg_catalog.to_regclass(${typed(parent, 'text')})
      and i.inhrelid = pg_catalog.to_regclass(${typed(partition, 'text')})
      and pg_catalog.pg_get_expr(c.relpartbound, c.oid) = ${typed(bound, 'text')}`)
}
