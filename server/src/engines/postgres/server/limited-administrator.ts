import type pg from 'pg'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { postgresError } from '../errors.ts'
import type { EngineLog } from '../options.ts'

/** Roles that applications expect, with the attributes that a superuser gives them (`migrations/0001`). */
const expected: Readonly<Record<string, string>> = {
  anon: 'nologin noinherit',
  authenticated: 'nologin noinherit',
  service_role: 'nologin noinherit bypassrls',
  authenticator: 'login noinherit',
  postgres: 'login createdb createrole replication bypassrls',
  supabase_admin: 'nologin createrole bypassrls',
  supabase_auth_admin: 'nologin noinherit createrole',
  supabase_storage_admin: 'nologin noinherit createrole',
  supabase_realtime_admin: 'nologin noinherit',
  dashboard_user: 'nologin createdb createrole replication',
}

/** Attributes that a role may give only when it has them; before PostgreSQL 16 only a superuser gives the last two. */
const restricted = ['createdb', 'bypassrls', 'replication'] as const

interface Administrator {
  readonly name: string
  readonly database: string
  readonly version: number
  readonly createrole: boolean
  readonly createdb: boolean
  readonly bypassrls: boolean
  readonly replication: boolean
  /** Whether it may create schemas. */
  readonly creates: boolean
  readonly owns_public: boolean
  /** Of the expected roles, those that exist. */
  readonly present: readonly string[]
  /** Of the existing ones, those that it may not grant. */
  readonly foreign: readonly string[]
  readonly service_role_bypasses: boolean
}

const firstWithAdminOptions = 160_000

/** Privileges that an administrator who is no superuser lacks, as statements that a superuser runs. */
export interface MissingPrivileges {
  /** A start fails without these. */
  readonly required: readonly string[]
  /** Without each of these, one feature is missing. */
  readonly advised: readonly { readonly without: string; readonly statement: string }[]
}

async function readAdministrator(pool: pg.Pool): Promise<Administrator> {
  const { rows } = await pool.query<Administrator>(
    `select r.rolname as name, pg_catalog.current_database() as database,
       pg_catalog.current_setting('server_version_num')::int as version,
       r.rolcreaterole as createrole, r.rolcreatedb as createdb, r.rolbypassrls as bypassrls,
       r.rolreplication as replication,
       pg_catalog.has_database_privilege(pg_catalog.current_database(), 'create') as creates,
       coalesce((
         select pg_catalog.pg_has_role(n.nspowner, 'usage') from pg_catalog.pg_namespace n where n.nspname = 'public'
       ), true) as owns_public,
       array(select p.rolname::text from pg_catalog.pg_roles p where p.rolname = any ($1)) as present,
       array(
         select p.rolname::text
         from pg_catalog.pg_roles p
         where p.rolname = any ($1) and p.oid <> r.oid
           and not pg_catalog.pg_has_role(r.oid, p.oid, 'usage with admin option')
           and not pg_catalog.pg_has_role(r.oid, p.oid, 'member with admin option')
       ) as foreign,
       coalesce((select s.rolbypassrls from pg_catalog.pg_roles s where s.rolname = 'service_role'), r.rolbypassrls)
         as service_role_bypasses
     from pg_catalog.pg_roles r
     where r.rolname = current_user`,
    [Object.keys(expected)],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The server returned no row for the current role.')
  return row
}

function missingPrivilegesOf(administrator: Administrator): MissingPrivileges {
  const { version, createrole, creates, owns_public, foreign } = administrator
  const name = quoteIdentifier(administrator.name)
  const required = [
    ...(createrole ? [] : [`alter role ${name} createrole;`]),
    ...(creates ? [] : [`grant create on database ${quoteIdentifier(administrator.database)} to ${name};`]),
    ...(owns_public ? [] : [`alter schema public owner to ${name};`]),
    ...(version >= firstWithAdminOptions && foreign.length > 0
      ? [`grant ${foreign.map(quoteIdentifier).join(', ')} to ${name} with admin option;`]
      : []),
  ]
  const gives = version >= firstWithAdminOptions && administrator.bypassrls
  const bypasses = administrator.present.includes('service_role') ? administrator.service_role_bypasses : gives
  const advised = [
    ...(bypasses
      ? []
      : [
          {
            without: 'service_role sees all rows by a policy that each start adds to tables with row level security',
            statement: 'alter role service_role bypassrls;',
          },
        ]),
    ...(administrator.replication
      ? []
      : [{ without: 'row changes are not recorded', statement: `alter role ${name} replication;` }]),
  ]
  return { required, advised }
}

/** Whether the migrations of roles and schemas have run in this database. */
async function isPrepared(pool: pg.Pool): Promise<boolean> {
  const { rows: made } = await pool.query<{ made: boolean }>(
    `select pg_catalog.to_regclass('clew.migrations') is not null as made`,
  )
  if (made[0]?.made !== true) return false
  const { rows } = await pool.query<{ applied: number }>(
    `select count(*)::int as applied from clew.migrations where room = 'postgres' and version in ('0001', '0002')`,
  )
  return rows[0]?.applied === 2
}

/** The privileges that a pool's role, which is no superuser, lacks. */
export async function findMissingPrivileges(pool: pg.Pool): Promise<MissingPrivileges> {
  const missing = missingPrivilegesOf(await readAdministrator(pool))
  return (await isPrepared(pool)) ? { ...missing, required: [] } : missing
}

function attributesFor(attributes: string, administrator: Administrator): string {
  const mayGive = (attribute: string): boolean => {
    if (!restricted.some((one) => one === attribute)) return true
    if (attribute === 'createdb') return administrator.version < firstWithAdminOptions || administrator.createdb
    if (administrator.version < firstWithAdminOptions) return false
    return attribute === 'bypassrls' ? administrator.bypassrls : administrator.replication
  }
  return attributes.split(' ').filter(mayGive).join(' ')
}

/**
 * Creates the missing roles with the attributes that an administrator who is no superuser may give, before the
 * migrations need them.
 *
 * @throws POSTGRES_NOT_PREPARED with the statements that a superuser must run
 */
export async function createMissingRoles(pool: pg.Pool, log: EngineLog): Promise<void> {
  const administrator = await readAdministrator(pool)
  const { required, advised } = await findMissingPrivileges(pool)
  if (required.length > 0)
    throw postgresError('POSTGRES_NOT_PREPARED', {
      message: `The role ${administrator.name} may not do what a start needs. A superuser runs once, in the database ${administrator.database}:\n${required.map((line) => `  ${line}`).join('\n')}`,
    })
  for (const [name, attributes] of Object.entries(expected))
    if (!administrator.present.includes(name))
      await pool.query(`create role ${quoteIdentifier(name)} ${attributesFor(attributes, administrator)}`)
  for (const { without, statement } of advised) log(`postgres: ${without}; for more, a superuser runs: ${statement}`)
}

/**
 * Adds a policy to each table with row level security, by which service_role reads and writes all rows, where it may not
 * have BYPASSRLS.
 *
 * @param schemas of the API
 */
export async function createServiceRolePolicies(pool: pg.Pool, schemas: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ table: string }>(
    `select pg_catalog.format('%I.%I', n.nspname, c.relname) as table
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and c.relrowsecurity and n.nspname = any ($1)
       and pg_catalog.pg_has_role(c.relowner, 'usage')
       and not (select s.rolbypassrls from pg_catalog.pg_roles s where s.rolname = 'service_role')
       and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = $2)`,
    [schemas, servicePolicy],
  )
  for (const { table } of rows)
    await pool.query(
      `create policy ${quoteIdentifier(servicePolicy)} on ${table} to service_role using (true) with check (true)`,
    )
}

const servicePolicy = 'service_role (made by Clew)'
