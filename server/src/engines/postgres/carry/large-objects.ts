import pg from 'pg'
import { compile, quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { runAll } from './definitions.ts'

interface LargeObject {
  readonly oid: string
  readonly owner: string
  readonly comment: string | null
  /** Null where its rights are those that every object has from its making. */
  readonly rights:
    | readonly { readonly privilege: string; readonly grantee: string; readonly isGrantable: boolean }[]
    | null
}

/** Carries the large objects of a database over: no dump of definitions has them. */
export async function carryLargeObjects(old: BulkConnection, own: BulkConnection): Promise<void> {
  const { rows } = await old.query<LargeObject>(
    compile(sql`
      select l.oid::text as oid, pg_get_userbyid(l.lomowner) as owner, obj_description(l.oid, 'pg_largeobject') as comment,
        case when l.lomacl is not null then (
          select jsonb_agg(jsonb_build_object('privilege', a.privilege_type, 'isGrantable', a.is_grantable,
            'grantee', case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end))
          from aclexplode(l.lomacl) a
        ) end as rights
      from pg_largeobject_metadata l
      order by l.oid`),
  )
  await own.query(compile(sql`select lo_create(oid) from unnest(${rows.map(({ oid }) => oid)}::oid[]) oid`))
  for (const object of rows) await runAll(own, renderLargeObject(object))
  const pages = old.copyOut('copy pg_catalog.pg_largeobject (loid, pageno, data) to stdout')
  await own.copyIn('copy pg_catalog.pg_largeobject (loid, pageno, data) from stdin', pages)
}

function renderLargeObject({ oid, owner, comment, rights }: LargeObject): readonly string[] {
  const object = `large object ${oid}`
  return [
    `alter ${object} owner to ${quoteIdentifier(owner)}`,
    ...(rights === null ? [] : [`revoke all on ${object} from ${quoteIdentifier(owner)}`]),
    ...(rights ?? []).map(
      ({ privilege, grantee, isGrantable }) =>
        `grant ${privilege} on ${object} to ${grantee}${isGrantable ? ' with grant option' : ''}`,
    ),
    ...(comment === null ? [] : [`comment on ${object} is ${pg.escapeLiteral(comment)}`]),
  ]
}
