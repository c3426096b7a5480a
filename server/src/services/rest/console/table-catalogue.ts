import type { Sql } from '../../../engines/postgres/index.ts'
import { type Masks, noMasks } from '../../../ground/privacy/masks.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { QualifiedName } from '../cache/schema-cache.ts'
import { dataError } from '../errors.ts'
import { createMaskedColumns, type MaskedColumns } from './masked-columns.ts'
import { isSecretColumn } from './secret-columns.ts'

/** A column as the table editor knows it. */
export interface DataColumn {
  readonly name: string
  /** With its modifier; of another schema than `pg_catalog`, with its schema. */
  readonly type: string
  /** The type under a domain and its domains, without modifier. */
  readonly baseType: string
  readonly nullable: boolean
  /** Its expression, as PostgreSQL prints it. */
  readonly default: string | null
  /** Computed by PostgreSQL from other columns. */
  readonly generated: boolean
  /** Whether values are numbered by PostgreSQL, and whether another may be given. */
  readonly identity: 'always' | 'by default' | null
  readonly maxLength: number | null
  /** The values of an enum, in their order. */
  readonly labels: readonly string[] | null
  readonly comment: string | null
}

/** What PostgreSQL does to rows whose referenced row is deleted. */
export type DeleteAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default'

/** A foreign key: `columns` of `from` name rows of `to` by its `foreignColumns`. */
export interface ForeignKey {
  readonly name: string
  readonly from: QualifiedName
  readonly columns: readonly string[]
  readonly to: QualifiedName
  readonly foreignColumns: readonly string[]
  readonly onDelete: DeleteAction
}

/** A table or view as the table editor knows it. */
export interface DataTable extends QualifiedName {
  readonly kind: 'table' | 'partitioned_table' | 'view' | 'materialized_view' | 'foreign_table'
  /** Whether the application's owner may, and the relation can be written at all. */
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  readonly estimatedRows: number
  /** Whether the change stream reads it. */
  readonly history: boolean
  readonly rowSecurity: boolean
  readonly policies: number
  /** Those that are asked for each command; one for all commands counts for each. */
  readonly policiesOf: Readonly<Record<'select' | 'insert' | 'update' | 'delete', number>>
  readonly comment: string | null
  readonly columns: ReadonlyMap<string, DataColumn>
  /** Columns whose values are not shown, nor compared, nor written here. */
  readonly secrets: ReadonlySet<string>
  /** Columns whose values are masked: neither shown nor compared, and shown to owners who ask for them. */
  readonly masked: ReadonlySet<string>
  /** The primary key in its own order. */
  readonly key: readonly string[]
  /** What names one row: the primary key, or where it is in a table without one (`ctid`); nothing in a view. */
  readonly rowId: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly referencedBy: readonly ForeignKey[]
}

type CatalogueTable = Omit<DataTable, 'columns' | 'secrets' | 'masked' | 'rowId'> & {
  readonly columns: readonly DataColumn[]
}

/** Secrets of the vault have a screen of their own, whose every look is recorded; the others are PostgreSQL's and ours. */
const hiddenSchemas = ['information_schema', 'vault', 'pgsodium', 'cron', 'net', 'extensions', 'graphql']

const columnsOfTable = sql`
  select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'baseType', pg_catalog.format_type(b.base, null),
    'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
    'default', case when a.attgenerated = '' then coalesce(
      pg_catalog.pg_get_expr(d.adbin, d.adrelid), pg_catalog.pg_get_expr(t.typdefaultbin, 0)) end,
    'generated', a.attgenerated <> '',
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
    'maxLength', case
      when b.base in ('bpchar'::regtype, 'varchar'::regtype) and coalesce(nullif(a.atttypmod, -1), t.typtypmod) > 4
      then coalesce(nullif(a.atttypmod, -1), t.typtypmod) - 4 end,
    'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = b.base),
    'comment', pg_catalog.col_description(c.oid, a.attnum)
  ) order by a.attnum), '[]')
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join base_types b on b.oid = a.atttypid
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and pg_catalog.has_column_privilege(asking.role, c.oid, a.attnum, 'select')`

const namesOfColumns = (relation: string, numbers: string): SqlFragment => sql`
  (select json_agg(a.attname order by n.place)
    from unnest(${constant(numbers)}) with ordinality n (number, place)
    join pg_catalog.pg_attribute a on a.attrelid = ${constant(relation)} and a.attnum = n.number)`

const nameOfTable = (relation: string): SqlFragment => sql`
  (select json_build_object('schema', n.nspname, 'name', r.relname)
    from pg_catalog.pg_class r join pg_catalog.pg_namespace n on n.oid = r.relnamespace
    where r.oid = ${constant(relation)})`

// Keys of partitions repeat those of their parent.
const foreignKeys = (end: 'conrelid' | 'confrelid'): SqlFragment => sql`
  (select coalesce(json_agg(json_build_object(
    'name', k.conname,
    'from', ${nameOfTable('k.conrelid')},
    'columns', ${namesOfColumns('k.conrelid', 'k.conkey')},
    'to', ${nameOfTable('k.confrelid')},
    'foreignColumns', ${namesOfColumns('k.confrelid', 'k.confkey')},
    'onDelete', case k.confdeltype
      when 'r' then 'restrict' when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default'
      else 'no action' end
  ) order by k.conname), '[]')
  from pg_catalog.pg_constraint k
  where k.contype = 'f' and k.conparentid = 0 and k.${constant(end)} = c.oid)`

// The bits are 1 << CMD_UPDATE (4), CMD_INSERT (8), CMD_DELETE (16).
const allows = (bit: number, privilege: string): SqlFragment => sql`
  (pg_catalog.has_table_privilege(asking.role, c.oid, ${constant(`'${privilege}'`)})
    and (c.relkind in ('r', 'p')
      or (c.relkind in ('v', 'f') and pg_catalog.pg_relation_is_updatable(c.oid, true) & ${constant(String(bit))} > 0)))`

/** Reads the tables and views that a role may read; one of them, where it is named. One row with JSON. */
function tablesStatement(role: string, only: QualifiedName | null): Statement {
  const named =
    only === null
      ? sql``
      : sql` and n.nspname = ${typed(only.schema, 'text')} and c.relname = ${typed(only.name, 'text')}`
  return compile(sql`
    with recursive
    asking as (select ${typed(role, 'name')} as role),
    domains as (
      select oid, oid as base, typbasetype as next from pg_catalog.pg_type
      union all
      select d.oid, t.oid, t.typbasetype from domains d join pg_catalog.pg_type t on t.oid = d.next
    ),
    base_types as (select oid, base from domains where next = 0)
    select (
      select coalesce(json_agg(json_build_object(
        'schema', n.nspname,
        'name', c.relname,
        'kind', case c.relkind
          when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
          when 'm' then 'materialized_view' else 'foreign_table' end,
        'insertable', ${allows(8, 'insert')},
        'updatable', ${allows(4, 'update')},
        'deletable', ${allows(16, 'delete')},
        'estimatedRows', greatest(c.reltuples, 0),
        'history', exists (
          select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
          where p.pubname = 'clew' and r.prrelid in (c.oid, pg_catalog.pg_partition_root(c.oid))
        ),
        'rowSecurity', c.relrowsecurity,
        'policies', (select count(*) from pg_catalog.pg_policy o where o.polrelid = c.oid),
        'policiesOf', (
          select json_build_object(
            'select', count(*) filter (where o.polcmd in ('r', '*')),
            'insert', count(*) filter (where o.polcmd in ('a', '*')),
            'update', count(*) filter (where o.polcmd in ('w', '*')),
            'delete', count(*) filter (where o.polcmd in ('d', '*')))
          from pg_catalog.pg_policy o where o.polrelid = c.oid),
        'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
        'columns', (${columnsOfTable}),
        'key', coalesce((
          select ${namesOfColumns('k.conrelid', 'k.conkey')}
          from pg_catalog.pg_constraint k where k.contype = 'p' and k.conrelid = c.oid), '[]'),
        'foreignKeys', ${foreignKeys('conrelid')},
        'referencedBy', ${foreignKeys('confrelid')}
      ) order by n.nspname, c.relname), '[]')
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f')
        and not c.relispartition
        and n.nspname operator(pg_catalog.!~) '^(pg_|clew)'
        and n.nspname <> all (${typed(hiddenSchemas, 'text[]')})
        and pg_catalog.has_schema_privilege(asking.role, n.oid, 'usage')
        and pg_catalog.has_any_column_privilege(asking.role, c.oid, 'select')${named}
    )::text as document
    from asking`)
}

function tableOf({ columns, ...table }: CatalogueTable, maskedOf: MaskedColumns): DataTable {
  const { schema, name: relation, key, kind } = table
  const names = columns.map(({ name }) => name)
  const secrets = names.filter((name) => isSecretColumn(schema, name))
  const isWhole = key.length > 0 && key.every((name) => columns.some((column) => column.name === name))
  return {
    ...table,
    columns: new Map(columns.map((column) => [column.name, column])),
    secrets: new Set(secrets),
    masked: maskedOf(schema, relation, names),
    rowId: isWhole ? key : kind === 'table' ? ['ctid'] : [],
  }
}

/** The application's tables and views, as they are now. */
export interface Tables {
  all(): Promise<readonly DataTable[]>
  /** @throws CLEW_DATA_RELATION_UNKNOWN */
  get(schema: string, name: string): Promise<DataTable>
}

/**
 * Reads what the table editor needs to know of tables.
 *
 * @param catalogues finds names in `pg_catalog` only, so that types come with their schemas and nothing of the application runs
 * @param role       the application's owner, whose rights count
 */
export function createTables(catalogues: Pick<Sql, 'query'>, role: string, masks: Masks = noMasks): Tables {
  const readMasked = createMaskedColumns(catalogues, masks)
  const read = async (only: QualifiedName | null): Promise<readonly DataTable[]> => {
    const { rows } = await catalogues.query<{ document: string }>(tablesStatement(role, only))
    // We wrote the document ourselves.
    const tables: readonly CatalogueTable[] = JSON.parse(rows[0]?.document ?? '[]')
    // After the names: a mask that was set by now holds.
    const maskedOf = await readMasked()
    return tables.map((table) => tableOf(table, maskedOf))
  }
  return {
    all: () => read(null),
    async get(schema, name) {
      const [table] = await read({ schema, name })
      if (table === undefined) throw dataError('CLEW_DATA_RELATION_UNKNOWN', { details: `${schema}.${name}` })
      return table
    },
  }
}
