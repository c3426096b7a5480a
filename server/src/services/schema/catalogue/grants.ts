import { Type } from 'typebox'
import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'

/** What may be done to a table as a whole, in the order of PostgreSQL's manual. */
export const TablePrivilege = Type.Enum(['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])

/** What a role may do on a table, before row security. */
export const SchemaGrant = Type.Object(
  {
    role: Type.String({ description: '`public` is every role' }),
    privileges: Type.Array(Type.String()),
    isOwner: Type.Boolean(),
  },
  { $id: 'SchemaGrant' },
)

/** The grants on a relation `c`, those of its owner first. */
export const grantsOfRelation: SqlFragment = sql`
  (select coalesce(json_agg(g order by g."isOwner" desc, g.role), '[]') from (
    select case when x.grantee = 0 then 'public' else pg_catalog.pg_get_userbyid(x.grantee)::text end as role,
      json_agg(lower(x.privilege_type) order by x.privilege_type) as privileges,
      x.grantee = c.relowner as "isOwner"
    from pg_catalog.aclexplode(coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))) x
    group by x.grantee) g)`
