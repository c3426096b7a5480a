import type { Session } from '../../../engines/postgres/index.ts'
import type { RowValues } from '../../../ground/model/change.ts'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import type { TableFacts } from './facts.ts'

/** Which rows the callers of one role see: for each caller's claims, the places of the keys that are visible. */
export type FindVisible = (
  facts: TableFacts,
  role: string,
  claims: readonly string[],
  keys: readonly RowValues[],
) => Promise<readonly ReadonlySet<number>[]>

const timeoutMs = 3000

/** Asks row-level security once for all callers of a role (realtime §6). */
export function createFindVisible(session: Pick<Session, 'run'>): FindVisible {
  return async (facts, role, claims, keys) => {
    const columns = facts.columns.filter(({ isKey }) => isKey)
    const values = JSON.stringify(keys.map((key) => columns.map(({ name }) => key[name] ?? null)))
    const { rows } = await session.run<{ places: string }>({
      role,
      settings: [
        ['search_path', 'public, extensions'],
        ['request.jwt.claim.role', role],
        ['statement_timeout', String(timeoutMs)],
      ],
      statement: {
        text: 'select v.places from clew_realtime.visible_rows($1, $2::text[], $3::jsonb) as v (places)',
        values: [visibleQuery(facts), claims, values],
      },
      readOnly: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
    return claims.map((_, index) => new Set(JSON.parse(rows[index]?.places ?? '[]') as number[]))
  }
}

/**
 * Answers the places of the keys that are seen, counted from 1. Rows are looked for by the values of their keys' first column,
 * for which the planner takes the index; policies are then asked about these rows, and about no others.
 */
function visibleQuery({ name, columns }: TableFacts): string {
  const key = columns.filter(({ isKey }) => isKey)
  const names = key.map((column) => quoteIdentifier(column.name))
  const values = key.map(({ typeName }, index) => `(k.value ->> ${index})::${typeName}`)
  const [first = '', firstValue = ''] = [names[0], values[0]]
  return `with seen as materialized (
      select ${names.map((each) => `t.${each}`).join(', ')} from ${name} t
      where t.${first} = any (array(select ${firstValue} from pg_catalog.jsonb_array_elements($1) k (value)))
    )
    select pg_catalog.array_agg(k.place)
    from pg_catalog.jsonb_array_elements($1) with ordinality as k (value, place)
    where exists (select from seen where ${names.map((each, index) => `seen.${each} = ${values[index]}`).join(' and ')})`
}
