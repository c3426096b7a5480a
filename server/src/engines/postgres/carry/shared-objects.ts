import pg from 'pg'
import { compile, quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { superuser } from '../server/roles.ts'
import { carryFailed } from './carried-server.ts'

interface RoleRow {
  readonly oid: number
  readonly name: string
  readonly password: string | null
  readonly validUntil: string | null
  readonly connectionLimit: number
  readonly comment: string | null
  /** Words of `create role`, as `nosuperuser inherit …`, without whether it may log in. */
  readonly attributes: string
  readonly mayLogIn: boolean
}

interface MembershipRow {
  readonly role: string
  readonly member: string
  readonly grantor: string
  readonly options: string
  readonly isAdmin: boolean
}

interface ParameterRow {
  readonly name: string
  readonly privilege: string
  readonly grantee: string
  readonly isGrantable: boolean
}

interface SettingRow {
  readonly role: string | null
  readonly settings: readonly string[]
}

/** Roles and what is of the whole cluster. */
export interface SharedObjects {
  readonly roles: readonly RoleRow[]
  readonly memberships: readonly MembershipRow[]
  readonly parameters: readonly ParameterRow[]
  readonly settings: readonly SettingRow[]
}

/**
 * Reads the roles of a cluster; those of the system itself, whose numbers are below 16384 (`FirstNormalObjectId`), are in every
 * cluster.
 */
export async function readSharedObjects({ query }: BulkConnection): Promise<SharedObjects> {
  const roles = await query<RoleRow>(
    compile(sql`
      select oid::int8::int as oid, rolname as name, rolpassword as password, rolvaliduntil::text as "validUntil",
        rolconnlimit as "connectionLimit", shobj_description(oid, 'pg_authid') as comment, rolcanlogin as "mayLogIn",
        concat_ws(' ',
          case when rolsuper then 'superuser' else 'nosuperuser' end,
          case when rolinherit then 'inherit' else 'noinherit' end,
          case when rolcreaterole then 'createrole' else 'nocreaterole' end,
          case when rolcreatedb then 'createdb' else 'nocreatedb' end,
          case when rolreplication then 'replication' else 'noreplication' end,
          case when rolbypassrls then 'bypassrls' else 'nobypassrls' end) as attributes
      from pg_authid
      where oid >= 16384 or rolname = ${superuser}
      order by oid`),
  )
  const memberships = await query<MembershipRow>(
    compile(sql`
      select pg_get_userbyid(roleid) as role, pg_get_userbyid(member) as member, pg_get_userbyid(grantor) as grantor,
        admin_option as "isAdmin",
        format('admin %s, inherit %s, set %s', admin_option::text, inherit_option::text, set_option::text) as options
      from pg_auth_members
      where roleid >= 16384 or member >= 16384
      order by oid`),
  )
  const parameters = await query<ParameterRow>(
    compile(sql`
      select p.parname as name, a.privilege_type as privilege, a.is_grantable as "isGrantable",
        case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee
      from pg_parameter_acl p
      cross join aclexplode(p.paracl) a
      where a.grantee <> a.grantor
      order by 1, 2`),
  )
  const settings = await query<SettingRow>(
    compile(sql`
      select case when s.setrole = 0 then null else pg_get_userbyid(s.setrole) end as role, s.setconfig as settings
      from pg_db_role_setting s
      where s.setdatabase = 0
      order by 1`),
  )
  return {
    ...{ roles: roles.rows, memberships: memberships.rows },
    ...{ parameters: parameters.rows, settings: settings.rows },
  }
}

/**
 * The statements that make the roles in a new cluster, with their numbers. All of them may log in at first: rows of a table are
 * stored by its owner.
 */
export function renderRoles({ roles, memberships, parameters }: SharedObjects): readonly string[] {
  return [
    ...roles.flatMap(({ oid, name, attributes, password, validUntil }) => {
      const role = quoteIdentifier(name)
      const isThere = name === superuser
      const secret = password === null ? '' : ` password ${pg.escapeLiteral(password)}`
      const until = validUntil === null ? '' : ` valid until ${pg.escapeLiteral(validUntil)}`
      return [
        ...(isThere ? [] : [`select binary_upgrade_set_next_pg_authid_oid('${oid}'::oid)`, `create role ${role}`]),
        `alter role ${role} with login ${attributes}${secret}${until}`,
      ]
    }),
    ...inOrder(memberships).map(
      ({ role, member, grantor, options }) =>
        `grant ${quoteIdentifier(role)} to ${quoteIdentifier(member)} with ${options} granted by ${quoteIdentifier(grantor)}`,
    ),
    ...parameters.map(({ name, privilege, grantee, isGrantable }) => {
      // A parameter of an extension has a name of two parts.
      const parameter = name.split('.').map(quoteIdentifier).join('.')
      return `grant ${privilege} on parameter ${parameter} to ${grantee}${isGrantable ? ' with grant option' : ''}`
    }),
    ...roles.flatMap(({ name, comment }) =>
      comment === null ? [] : [`comment on role ${quoteIdentifier(name)} is ${pg.escapeLiteral(comment)}`],
    ),
  ]
}

/** Who grants a role must have been granted it before, with its administration. */
function inOrder(memberships: readonly MembershipRow[]): readonly MembershipRow[] {
  const done: MembershipRow[] = []
  let left = [...memberships]
  const may = ({ role, grantor }: MembershipRow): boolean =>
    grantor === superuser || done.some((other) => other.role === role && other.member === grantor && other.isAdmin)
  while (left.length > 0) {
    const next = left.filter(may)
    if (next.length === 0) throw carryFailed(`The grants of the role ${left[0]?.role} have no beginning.`)
    done.push(...next)
    left = left.filter((each) => !next.includes(each))
  }
  return done
}

/** The statements after the rows: what would have kept owners from storing them. */
export const renderLogins = ({ roles }: SharedObjects): readonly string[] =>
  roles.map(
    ({ name, mayLogIn, connectionLimit }) =>
      `alter role ${quoteIdentifier(name)} with ${mayLogIn ? 'login' : 'nologin'} connection limit ${connectionLimit}`,
  )

/** Settings of roles in every database, as they are kept: a statement would have to quote each list again. */
export async function storeSettings({ query }: BulkConnection, { settings }: SharedObjects): Promise<void> {
  for (const { role, settings: values } of settings)
    await query(
      compile(sql`
        insert into pg_db_role_setting (setdatabase, setrole, setconfig)
        select 0, coalesce((select oid from pg_authid where rolname = ${role}), 0), ${values}::text[]`),
    )
}
