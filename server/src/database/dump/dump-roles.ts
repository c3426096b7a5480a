import type { Sql } from '../../engines/postgres/index.ts'
import { quoteIdentifier, type Statement } from '../../ground/sql/postgres.ts'

/** A role of the project, as the catalogues know it. */
export interface ProjectRole {
  readonly name: string
  readonly inherits: boolean
  readonly createsRoles: boolean
  readonly createsDatabases: boolean
  readonly logsIn: boolean
  readonly bypassesPolicies: boolean
  /** `name=value`. */
  readonly settings: readonly string[]
  /** Roles of which it is a member. */
  readonly memberOf: readonly string[]
}

/** Roles that every project has. */
const reserved =
  '^(anon|authenticated|authenticator|cli_login_.*|clew_.*|dashboard_user|pg_.*|pgbouncer|pgsodium_.*|pgtle_admin|postgres|service_role|supabase_.*)$'

const selectRolesStatement = (): Statement => ({
  text: `
    select r.rolname as name, r.rolinherit as inherits, r.rolcreaterole as "createsRoles",
      r.rolcreatedb as "createsDatabases", r.rolcanlogin as "logsIn", r.rolbypassrls as "bypassesPolicies",
      coalesce(r.rolconfig, '{}') as settings,
      array(
        select g.rolname::text
        from pg_catalog.pg_auth_members m
        join pg_catalog.pg_roles g on g.oid = m.roleid
        where m.member = r.oid
        order by 1
      ) as "memberOf"
    from pg_catalog.pg_roles r
    where r.rolname !~ $1 and not r.rolsuper
    order by r.rolname`,
  values: [reserved],
})

/** Settings of a role that its owner may make. */
const allowedSetting = /^(?:pgaudit\..*|pgrst\..*|app\..*|session_replication_role|statement_timeout|track_io_timing)$/

const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The statements that make roles, without their passwords. */
export function renderRoles(roles: readonly ProjectRole[]): string {
  const attributes = (role: ProjectRole): string =>
    [
      role.inherits ? 'INHERIT' : 'NOINHERIT',
      role.createsRoles ? 'CREATEROLE' : 'NOCREATEROLE',
      role.createsDatabases ? 'CREATEDB' : 'NOCREATEDB',
      role.logsIn ? 'LOGIN' : 'NOLOGIN',
      role.bypassesPolicies ? 'BYPASSRLS' : 'NOBYPASSRLS',
    ].join(' ')
  const created = roles.flatMap((role) => [
    `CREATE ROLE ${quoteIdentifier(role.name)};`,
    `ALTER ROLE ${quoteIdentifier(role.name)} WITH ${attributes(role)};`,
  ])
  const settings = roles.flatMap(({ name, settings: all }) =>
    all.flatMap((setting) => {
      const end = setting.indexOf('=')
      const parameter = setting.slice(0, end)
      return allowedSetting.test(parameter)
        ? [
            `ALTER ROLE ${quoteIdentifier(name)} SET ${quoteIdentifier(parameter)} TO ${quoteLiteral(setting.slice(end + 1))};`,
          ]
        : []
    }),
  )
  const members = roles.flatMap(({ name, memberOf }) =>
    memberOf.map((group) => `GRANT ${quoteIdentifier(group)} TO ${quoteIdentifier(name)};`),
  )
  return [...created, ...settings, ...members, 'RESET ALL;', ''].join('\n')
}

/** The roles of a project as statements; roles are the cluster's, and those that every project has are left out. */
export const dumpRoles = async (database: Sql): Promise<string> =>
  renderRoles((await database.query<ProjectRole>(selectRolesStatement())).rows)
