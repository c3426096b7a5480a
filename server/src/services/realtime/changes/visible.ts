import { isDatabaseError, type Session } from '../../../engines/postgres/index.ts'
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
/** A statement that took too long is asked in halves; so often for one batch, as the change stream waits meanwhile. */
const mostStatements = 16
const queryCanceled = '57014'

/** Asks row-level security once for all callers of a role (realtime §6). */
export function createFindVisible(
  session: Pick<Session, 'run'>,
  log: { warn(details: object, message: string): void },
): FindVisible {
  const ask = createAsk(session)
  return (facts, role, claims, keys) => {
    let left = mostStatements
    const find: Find = async (someClaims, someKeys) => {
      left -= 1
      try {
        return await ask(facts, role, someClaims, someKeys)
      } catch (error) {
        const isSlow = isDatabaseError(error) && error.code === queryCanceled
        if (isSlow && left >= 2 && someClaims.length > 1) return findByClaims(find, someClaims, someKeys)
        if (isSlow && left >= 2 && someKeys.length > 1) return findByKeys(find, someClaims, someKeys)
        // What cannot be asked is not shown.
        log.warn({ err: error, table: facts.name, role }, 'realtime: visibility is not known')
        return someClaims.map(() => new Set<number>())
      }
    }
    return find(claims, keys)
  }
}

type Find = (claims: readonly string[], keys: readonly RowValues[]) => Promise<readonly ReadonlySet<number>[]>

const half = (list: readonly unknown[]): number => Math.ceil(list.length / 2)

async function findByClaims(find: Find, claims: readonly string[], keys: readonly RowValues[]) {
  const at = half(claims)
  return [...(await find(claims.slice(0, at), keys)), ...(await find(claims.slice(at), keys))]
}

async function findByKeys(find: Find, claims: readonly string[], keys: readonly RowValues[]) {
  const at = half(keys)
  const [before, after] = [await find(claims, keys.slice(0, at)), await find(claims, keys.slice(at))]
  return before.map((places, index) => new Set([...places, ...[...(after[index] ?? [])].map((place) => place + at)]))
}

function createAsk(session: Pick<Session, 'run'>): FindVisible {
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
