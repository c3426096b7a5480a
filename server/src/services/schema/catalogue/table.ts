import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { grantsOfRelation, SchemaGrant } from './grants.ts'
import { isOwners, shownSchemas } from './scope.ts'
import { kindOfRelation, RelationKind, rowsOfRelation } from './tables.ts'

const texts = Type.Array(Type.String())

const SchemaColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'With its modifier; of another schema than `pg_catalog`, with its schema' }),
    nullable: Type.Boolean(),
    default: Nullable(Type.String()),
    generated: Nullable(Type.String(), { description: 'The expression that it is computed by' }),
    identity: Nullable(Type.Enum(['always', 'by default'])),
    comment: Nullable(Type.String()),
  },
  { $id: 'SchemaColumn' },
)

export const DeleteAction = Type.Enum(['no action', 'restrict', 'cascade', 'set null', 'set default'])

const Reference = Type.Object({ schema: Type.String(), table: Type.String(), columns: texts })

const SchemaConstraint = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['primary key', 'unique', 'foreign key', 'check', 'exclusion', 'not null', 'trigger']),
    columns: texts,
    definition: Type.String(),
    validated: Type.Boolean(),
    references: Nullable(Reference),
    onDelete: Nullable(DeleteAction),
  },
  { $id: 'SchemaConstraint' },
)

const SchemaIndex = Type.Object(
  {
    name: Type.String(),
    definition: Type.String(),
    method: Type.String(),
    unique: Type.Boolean(),
    valid: Type.Boolean(),
    constraint: Nullable(Type.String(), { description: 'That it belongs to, and is dropped with' }),
    sizeBytes: Type.Number(),
    scans: Type.Number({ description: 'Since the statistics were reset' }),
  },
  { $id: 'SchemaIndex' },
)

const SchemaTrigger = Type.Object(
  {
    name: Type.String(),
    definition: Type.String(),
    enabled: Type.Boolean(),
    function: Type.String({ description: 'With its schema' }),
  },
  { $id: 'SchemaTrigger' },
)

export const PolicyCommand = Type.Enum(['all', 'select', 'insert', 'update', 'delete'])

const SchemaPolicy = Type.Object(
  {
    name: Type.String(),
    permissive: Type.Boolean(),
    command: PolicyCommand,
    roles: texts,
    using: Nullable(Type.String()),
    check: Nullable(Type.String()),
  },
  { $id: 'SchemaPolicy' },
)

/** A table or view with everything that is defined on it. */
export const SchemaTable = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    kind: RelationKind,
    owner: Type.String(),
    changeable: Type.Boolean(),
    policiesChangeable: Type.Boolean({ description: 'Whether the application’s owner may make policies on it' }),
    comment: Nullable(Type.String()),
    rowSecurity: Type.Boolean(),
    rowSecurityForced: Type.Boolean({ description: 'Whether policies hold for its owner too' }),
    rows: Type.Number(),
    sizeBytes: Type.Number(),
    view: Nullable(Type.String({ description: 'The query of a view' })),
    securityInvoker: Type.Boolean({ description: 'Whether a view asks row security for its caller' }),
    grants: Type.Array(SchemaGrant),
    columns: Type.Array(SchemaColumn),
    constraints: Type.Array(SchemaConstraint),
    referencedBy: Type.Array(
      Type.Object({ schema: Type.String(), table: Type.String(), constraint: Type.String(), onDelete: DeleteAction }),
    ),
    indexes: Type.Array(SchemaIndex),
    triggers: Type.Array(SchemaTrigger),
    policies: Type.Array(SchemaPolicy),
    publications: texts,
  },
  { $id: 'SchemaTable' },
)
export type SchemaTable = Static<typeof SchemaTable>

const list = (object: SqlFragment, rest: SqlFragment, order: string): SqlFragment => sql`
  (select coalesce(json_agg(${object} order by ${constant(order)}), '[]') from ${rest})`

const columns = list(
  sql`json_build_object(
    'name', a.attname,
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'nullable', not a.attnotnull,
    'default', case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
    'generated', case when a.attgenerated <> '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
    'comment', pg_catalog.col_description(c.oid, a.attnum))`,
  sql`pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`,
  'a.attnum',
)

const namesOf = (relation: string, numbers: string): SqlFragment => sql`
  (select coalesce(json_agg(a.attname order by p.place), '[]')
    from unnest(${constant(numbers)}) with ordinality p (number, place)
    join pg_catalog.pg_attribute a on a.attrelid = ${constant(relation)} and a.attnum = p.number)`

const deleteAction = sql`case k.confdeltype
  when 'r' then 'restrict' when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default' else 'no action' end`

const constraints = list(
  sql`json_build_object(
    'name', k.conname,
    'kind', case k.contype
      when 'p' then 'primary key' when 'u' then 'unique' when 'f' then 'foreign key' when 'x' then 'exclusion'
      when 'n' then 'not null' when 't' then 'trigger' else 'check' end,
    'columns', ${namesOf('k.conrelid', 'k.conkey')},
    'definition', pg_catalog.pg_get_constraintdef(k.oid, true),
    'validated', k.convalidated,
    'references', case when k.contype = 'f' then json_build_object(
      'schema', (select s.nspname from pg_catalog.pg_class f
        join pg_catalog.pg_namespace s on s.oid = f.relnamespace where f.oid = k.confrelid),
      'table', (select f.relname from pg_catalog.pg_class f where f.oid = k.confrelid),
      'columns', ${namesOf('k.confrelid', 'k.confkey')}) end,
    'onDelete', case when k.contype = 'f' then ${deleteAction} end)`,
  // That a column is not null is said of the column.
  sql`pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't')`,
  `array_position(array['p', 'u', 'f', 'c', 'x'], k.contype::text), k.conname`,
)

const referencedBy = list(
  sql`json_build_object('schema', s.nspname, 'table', f.relname, 'constraint', k.conname, 'onDelete', ${deleteAction})`,
  sql`pg_catalog.pg_constraint k
    join pg_catalog.pg_class f on f.oid = k.conrelid
    join pg_catalog.pg_namespace s on s.oid = f.relnamespace
    where k.confrelid = c.oid and k.contype = 'f' and k.conparentid = 0`,
  's.nspname, f.relname, k.conname',
)

const indexes = list(
  sql`json_build_object(
    'name', x.relname,
    'definition', pg_catalog.pg_get_indexdef(i.indexrelid),
    'method', m.amname,
    'unique', i.indisunique,
    'valid', i.indisvalid,
    'constraint', (select k.conname from pg_catalog.pg_constraint k
      where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')),
    'sizeBytes', pg_catalog.pg_relation_size(i.indexrelid),
    'scans', pg_catalog.pg_stat_get_numscans(i.indexrelid))`,
  sql`pg_catalog.pg_index i
    join pg_catalog.pg_class x on x.oid = i.indexrelid
    join pg_catalog.pg_am m on m.oid = x.relam
    where i.indrelid = c.oid`,
  'i.indisprimary desc, x.relname',
)

const triggers = list(
  sql`json_build_object(
    'name', t.tgname,
    'definition', pg_catalog.pg_get_triggerdef(t.oid, true),
    'enabled', t.tgenabled <> 'D',
    'function', t.tgfoid::pg_catalog.regproc::text)`,
  sql`pg_catalog.pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal`,
  't.tgname',
)

const policies = list(
  sql`json_build_object(
    'name', o.polname,
    'permissive', o.polpermissive,
    'command', case o.polcmd
      when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    'roles', (select json_agg(case when r.role = 0 then 'public' else pg_catalog.pg_get_userbyid(r.role) end order by r.place)
      from unnest(o.polroles) with ordinality r (role, place)),
    'using', pg_catalog.pg_get_expr(o.polqual, o.polrelid, true),
    'check', pg_catalog.pg_get_expr(o.polwithcheck, o.polrelid, true))`,
  sql`pg_catalog.pg_policy o where o.polrelid = c.oid`,
  `array_position(array['*', 'r', 'a', 'w', 'd'], o.polcmd::text), o.polname`,
)

const publications = list(
  sql`p.pubname`,
  sql`pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
    where r.prrelid = c.oid and p.pubname <> 'clew'`,
  'p.pubname',
)

/** One table or view; no row where there is none of the name. */
export const selectTable = (ownerRole: string, schema: string, name: string): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as name, ${kindOfRelation} as kind,
      pg_catalog.pg_get_userbyid(c.relowner) as owner, ${isOwners(sql`c.relowner`, ownerRole)} as changeable,
      pg_catalog.pg_has_role(${typed(ownerRole, 'name')}, c.relowner, 'usage') as "policiesChangeable",
      pg_catalog.obj_description(c.oid, 'pg_class') as comment,
      c.relrowsecurity as "rowSecurity", c.relforcerowsecurity as "rowSecurityForced",
      ${rowsOfRelation}::float8 as rows,
      case when c.relkind in ('r', 'm') then pg_catalog.pg_total_relation_size(c.oid) else 0 end::float8 as "sizeBytes",
      case when c.relkind in ('v', 'm') then pg_catalog.pg_get_viewdef(c.oid, true) end as view,
      coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false) as "securityInvoker",
      ${grantsOfRelation} as grants,
      ${columns} as columns, ${constraints} as constraints, ${referencedBy} as "referencedBy", ${indexes} as indexes,
      ${triggers} as triggers, ${policies} as policies, ${publications} as publications
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${shownSchemas}
      and n.nspname = ${typed(schema, 'text')} and c.relname = ${typed(name, 'text')}`)
