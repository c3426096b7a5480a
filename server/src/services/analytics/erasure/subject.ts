import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A person of analytics, by every name that is known of them. */
export interface KnownPerson {
  readonly personId: string
  readonly userId: string | null
  /** All, that of the user among them. */
  readonly distinctIds: readonly string[]
  /** E-mail addresses, phone numbers and names among the properties. */
  readonly texts: readonly string[]
}

/** A person by their own id, or by that of their user; null where there is none. */
export async function findKnownPerson(
  database: Pick<Sql, 'query'>,
  by: { readonly personId: string } | { readonly userId: string },
): Promise<KnownPerson | null> {
  const condition =
    'personId' in by ? sql`p.id = ${typed(by.personId, 'uuid')}` : sql`p.auth_user_id = ${typed(by.userId, 'uuid')}`
  return (await database.query<KnownPerson>(selectStatement(condition))).rows[0] ?? null
}

/** Keeps that nothing more is stored of these ids. */
export async function refuseIds(database: Pick<Sql, 'query'>, distinctIds: readonly string[]): Promise<void> {
  await database.query(
    compile(sql`
      insert into clew_analytics.consents (distinct_id, granted, decided_at, withdrawn_at)
      select id, false, now(), now()
      from unnest(${typed(distinctIds, 'text[]')}) as id
      on conflict (distinct_id) do update
      set granted = false, decided_at = excluded.decided_at, withdrawn_at = excluded.withdrawn_at`),
  )
}

/** Properties that name a person. */
const naming = ['email', '$email', 'name', '$name', 'full_name', 'phone', '$phone', 'username']

const selectStatement = (condition: SqlFragment): Statement =>
  compile(sql`
    select p.id as "personId", p.auth_user_id as "userId",
      array(
        select d.distinct_id
        from clew_analytics.distinct_ids d
        where d.person_id = p.id
        union
        select p.auth_user_id::text
        where p.auth_user_id is not null
      ) as "distinctIds",
      array(
        select distinct btrim(p.properties ->> name)
        from unnest(${typed(naming, 'text[]')}) as name
        where jsonb_typeof(p.properties -> name) = 'string' and btrim(p.properties ->> name) <> ''
      ) as texts
    from clew_analytics.persons p
    where ${condition}`)
