import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { QualifiedName } from '../cache/schema-cache.ts'

/** What is done to rows, as policies name it. */
export type Command = 'select' | 'insert' | 'update' | 'delete'

export interface PolicyFacts {
  readonly name: string
  readonly command: Command | 'all'
  readonly permissive: boolean
  /** `public` stands for every role. */
  readonly roles: readonly string[]
  /** Whether the caller's role is one of them, or a member of one. */
  readonly isForCaller: boolean
  readonly using: string | null
  readonly check: string | null
}

/** `column` refers to `key` of a table whose `user` refers to a user of `auth`. */
export interface UserPath extends QualifiedName {
  readonly column: string
  readonly key: string
  readonly user: string
}

/** What the catalogues say of a table or view, and of what a role may do with it. */
export interface RelationFacts {
  readonly kind: 'table' | 'view' | 'materialized_view' | 'foreign_table' | 'partitioned_table'
  readonly owner: string
  readonly rowSecurity: boolean
  /** Whether the caller's role is above row security: it may bypass it, or owns the table. */
  readonly isAbove: boolean
  /** A view whose tables are read with the rights of its caller, not of its owner. */
  readonly runsAsCaller: boolean
  readonly mayUseSchema: boolean
  readonly may: Readonly<Record<Command, boolean>>
  /** Columns that the role may not read, where it may read others. */
  readonly deniedColumns: readonly string[]
  /** Sequences of its columns that the role may not advance. */
  readonly deniedSequences: readonly string[]
  readonly policies: readonly PolicyFacts[]
  /** Columns that refer to a user of `auth`. */
  readonly userColumns: readonly string[]
  /** Columns that refer to a row of another table which refers to a user: whose these rows are, by that. */
  readonly usersBy: readonly UserPath[]
  /** The tables that a view reads. */
  readonly reads: readonly QualifiedName[]
}

/** What the catalogues say of a role. */
export interface RoleFacts {
  readonly exists: boolean
  /** Whether requests may act as it. */
  readonly isReachable: boolean
}

/** Names are looked for in `pg_catalog` by this connection, so that expressions come with every name in full. */
type Database = Pick<Sql, 'query'>

/** @param login the role that requests log in as */
export async function readRole(database: Database, role: string, login: string | null): Promise<RoleFacts> {
  const { rows } = await database.query<RoleFacts>(
    compile(sql`
      select
        exists (select from pg_roles where rolname = ${typed(role, 'text')}) as exists,
        coalesce((
          select pg_has_role(coalesce(${typed(login, 'text')}, current_user)::name, oid, 'member')
          from pg_roles where rolname = ${typed(role, 'text')}
        ), false) as "isReachable"`),
  )
  return rows[0] ?? { exists: false, isReachable: false }
}

/** @returns null for a table that is gone, or a role that does not exist */
export async function readRelation(
  database: Database,
  relation: QualifiedName,
  role: string,
): Promise<RelationFacts | null> {
  const { rows } = await database.query<RelationFacts>(selectFacts(relation, role))
  return rows[0] ?? null
}

/** The policies of `c`, for the role `r`. */
const policiesOfRelation = sql`
  coalesce((
    select json_agg(json_build_object(
      'name', p.polname,
      'command', case p.polcmd
        when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all'
      end,
      'permissive', p.polpermissive,
      'roles', (
        select json_agg(case o.id when 0 then 'public' else pg_get_userbyid(o.id) end)
        from unnest(p.polroles) o (id)
      ),
      'isForCaller', exists (
        select from unnest(p.polroles) o (id) where o.id = 0 or pg_has_role(r.oid, o.id, 'usage')
      ),
      'using', pg_get_expr(p.polqual, p.polrelid),
      'check', pg_get_expr(p.polwithcheck, p.polrelid)
    ) order by p.polpermissive desc, p.polname)
    from pg_policy p where p.polrelid = c.oid
  ), '[]')`

/** The columns of `c` that lead to users of `auth`, at once and by another table. */
const usersOfRelation = sql`
  coalesce((
    select json_agg(a.attname order by a.attnum)
    from pg_constraint k
    join pg_class f on f.oid = k.confrelid and f.relname = 'users'
    join pg_namespace fn on fn.oid = f.relnamespace and fn.nspname = 'auth'
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1
  ), '[]') as "userColumns",
  coalesce((
    select json_agg(json_build_object(
      'column', a.attname, 'schema', tn.nspname, 'name', t.relname, 'key', b.attname, 'user', u.attname
    ) order by a.attnum)
    from pg_constraint k
    join pg_class t on t.oid = k.confrelid
    join pg_namespace tn on tn.oid = t.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    join pg_attribute b on b.attrelid = t.oid and b.attnum = k.confkey[1]
    join pg_constraint ku on ku.conrelid = t.oid and ku.contype = 'f' and cardinality(ku.conkey) = 1
    join pg_class f on f.oid = ku.confrelid and f.relname = 'users'
    join pg_namespace fn on fn.oid = f.relnamespace and fn.nspname = 'auth'
    join pg_attribute u on u.attrelid = t.oid and u.attnum = ku.conkey[1]
    where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1 and t.oid <> c.oid
  ), '[]') as "usersBy"`

const selectFacts = ({ schema, name }: QualifiedName, role: string): Statement =>
  compile(sql`
    select
      case c.relkind
        when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table'
        when 'p' then 'partitioned_table' else 'table'
      end as kind,
      pg_get_userbyid(c.relowner) as owner,
      c.relrowsecurity as "rowSecurity",
      r.rolsuper or r.rolbypassrls or (not c.relforcerowsecurity and pg_has_role(r.oid, c.relowner, 'usage')) as "isAbove",
      coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)
        as "runsAsCaller",
      has_schema_privilege(r.oid, n.oid, 'usage') as "mayUseSchema",
      json_build_object(
        'select', has_any_column_privilege(r.oid, c.oid, 'select'),
        'insert', has_any_column_privilege(r.oid, c.oid, 'insert'),
        'update', has_any_column_privilege(r.oid, c.oid, 'update'),
        'delete', has_table_privilege(r.oid, c.oid, 'delete')
      ) as may,
      coalesce((
        select json_agg(a.attname order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and not has_column_privilege(r.oid, c.oid, a.attnum, 'select')
      ), '[]') as "deniedColumns",
      coalesce((
        select json_agg(s.relname order by s.relname)
        from pg_depend d join pg_class s on s.oid = d.objid
        where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid
          and d.deptype = 'a'
          -- Conditions have no order: only a case keeps an index from being asked as a sequence.
          and case when s.relkind = 'S' then not has_sequence_privilege(r.oid, s.oid, 'usage') else false end
      ), '[]') as "deniedSequences",
      ${policiesOfRelation} as policies,
      ${usersOfRelation},
      coalesce((
        select json_agg(distinct jsonb_build_object('schema', bn.nspname, 'name', b.relname))
        from pg_rewrite w
        join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
          and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid
        join pg_class b on b.oid = d.refobjid and b.relkind in ('r', 'p', 'v', 'm', 'f')
        join pg_namespace bn on bn.oid = b.relnamespace
        where w.ev_class = c.oid
      ), '[]') as reads
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_roles r on r.rolname = ${typed(role, 'text')}
    where n.nspname = ${typed(schema, 'text')} and c.relname = ${typed(name, 'text')}
      and c.relkind in ('r', 'p', 'v', 'm', 'f')`)

/** What the catalogues say of a function, and of what a role may do with it. */
export interface FunctionFacts {
  readonly owner: string
  readonly runsAsOwner: boolean
  readonly mayCall: boolean
  readonly source: string
}

/** The functions of a name, those of fewest parameters first. */
export async function readFunctions(
  database: Database,
  { schema, name }: QualifiedName,
  role: string,
): Promise<readonly FunctionFacts[]> {
  const { rows } = await database.query<FunctionFacts>(
    compile(sql`
      select
        pg_get_userbyid(p.proowner) as owner,
        p.prosecdef as "runsAsOwner",
        has_function_privilege(r.oid, p.oid, 'execute') as "mayCall",
        coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as source
      from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      join pg_roles r on r.rolname = ${typed(role, 'text')}
      where n.nspname = ${typed(schema, 'text')} and p.proname = ${typed(name, 'text')}
      order by p.pronargs`),
  )
  return rows
}
