import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { isDatabaseError, type Session } from '../../../engines/postgres/index.ts'
import type { RowValues } from '../../../ground/model/change.ts'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import type { TableFacts } from './facts.ts'

/** A row of a change. */
export interface AskedRow {
  readonly key: RowValues
  /** The transaction that wrote it, as the log names it. */
  readonly xid: number
}

/** Which rows the callers of one role see: for each caller's claims, the places of the rows that are visible, from 1. */
export type FindVisible = (
  facts: TableFacts,
  role: string,
  claims: readonly string[],
  rows: readonly AskedRow[],
) => Promise<readonly ReadonlySet<number>[]>

const timeoutMs = 3000
const queryCanceled = '57014'
/** A statement takes about this long: as many rows and callers are asked about at once as that allows. */
const paceMs = 300
const mostPairs = 200_000
/** A transaction that is not seen yet is soon. */
const lookAgainMs = 5
/** How long one batch may take altogether, as the change stream waits meanwhile. */
const patienceMs = 16 * timeoutMs
const mostTables = 1000

/** The dependencies of `createFindVisible`. */
export interface VisibleDeps {
  readonly session: Pick<Session, 'run'>
  readonly nowMs: () => number
  readonly log: { warn(details: object, message: string): void }
}

/** Asks row-level security about all callers of a role in one statement, or in as few as their policies allow (realtime §6). */
export function createFindVisible({ session, nowMs, log }: VisibleDeps): FindVisible {
  const ask = createAsk(session)
  /** How many pairs of a row and a caller a statement is asked about, by table and role. */
  const pairsAtOnce = new LRUCache<string, number>({ max: mostTables })
  return async (facts, role, claims, rows) => {
    const name = `${facts.name} ${role}`
    const untilMs = nowMs() + patienceMs
    const find: Find = async (someClaims, someRows) => {
      const most = pairsAtOnce.get(name) ?? mostPairs
      const pairs = someClaims.length * someRows.length
      if (pairs > most && pairs > 1) return findInHalves(find, someClaims, someRows)
      const sinceMs = nowMs()
      try {
        const found = await ask(facts, role, someClaims, someRows)
        if (found === null) {
          if (nowMs() > untilMs) throw new Error('The transaction is in the log, and not seen.')
          await delay(lookAgainMs)
          return find(someClaims, someRows)
        }
        const tookMs = nowMs() - sinceMs
        if (tookMs > paceMs * 2) pairsAtOnce.set(name, Math.ceil(pairs / 2))
        else if (tookMs < paceMs / 2 && pairs > most / 2) pairsAtOnce.set(name, Math.min(most * 2, mostPairs))
        return found
      } catch (error) {
        const isSlow = isDatabaseError(error) && error.code === queryCanceled
        if (isSlow) pairsAtOnce.set(name, Math.ceil(pairs / 4))
        if (isSlow && pairs > 1 && nowMs() < untilMs) return findInHalves(find, someClaims, someRows)
        // What cannot be asked is not shown.
        log.warn({ err: error, table: facts.name, role }, 'realtime: visibility is not known')
        return someClaims.map(() => new Set<number>())
      }
    }
    return find(claims, rows)
  }
}

type Find = (claims: readonly string[], rows: readonly AskedRow[]) => Promise<readonly ReadonlySet<number>[]>

const half = (list: readonly unknown[]): number => Math.ceil(list.length / 2)

async function findInHalves(
  find: Find,
  claims: readonly string[],
  rows: readonly AskedRow[],
): Promise<readonly ReadonlySet<number>[]> {
  if (claims.length > 1) {
    const at = half(claims)
    return [...(await find(claims.slice(0, at), rows)), ...(await find(claims.slice(at), rows))]
  }
  const at = half(rows)
  const [before, after] = [await find(claims, rows.slice(0, at)), await find(claims, rows.slice(at))]
  return before.map((places, index) => new Set([...places, ...[...(after[index] ?? [])].map((place) => place + at)]))
}

/** Null where a transaction is not seen yet. */
type Ask = (...asked: Parameters<FindVisible>) => Promise<Awaited<ReturnType<FindVisible>> | null>

function createAsk(session: Pick<Session, 'run'>): Ask {
  return async (facts, role, claims, asked) => {
    const columns = facts.columns.filter(({ isKey }) => isKey)
    const values = JSON.stringify(asked.map(({ key }) => columns.map(({ name }) => key[name] ?? null)))
    const types = columns.map(({ typeName }) => `${typeName}[]`)
    const { rows } = await session.run<{ places: string }>({
      role,
      settings: [
        ['search_path', 'public, extensions'],
        ['request.jwt.claim.role', role],
        ['statement_timeout', String(timeoutMs)],
      ],
      statement: {
        text: 'select v.places from clew_realtime.visible_rows($1, $2::text[], $3::bigint[], $4::text[], $5::jsonb) as v (places)',
        values: [visibleQuery(facts), types, [...new Set(asked.map(({ xid }) => xid))], claims, values],
      },
      readOnly: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
    return rows.length === 0
      ? null
      : claims.map((_, index) => new Set(JSON.parse(rows[index]?.places ?? '[]') as number[]))
  }
}

/**
 * Answers the places of the keys that are seen, counted from 1; the key's columns come as a list each. Rows are looked for by
 * the first of them, for which the planner takes the index; policies are then asked about these rows, and about no others.
 */
function visibleQuery({ name, columns }: TableFacts): string {
  const names = columns.filter(({ isKey }) => isKey).map((column) => quoteIdentifier(column.name))
  const lists = names.map((_, index) => `pg_catalog.unnest($${index + 1})`)
  const values = names.map((_, index) => `value_${index}`)
  return `with seen as materialized (
      select ${names.map((each) => `t.${each}`).join(', ')} from ${name} t where t.${names[0] ?? ''} = any ($1)
    )
    select pg_catalog.array_agg(k.place)
    from rows from (${lists.join(', ')}) with ordinality as k (${values.join(', ')}, place)
    where exists (select from seen where ${names.map((each, index) => `seen.${each} = k.${values[index]}`).join(' and ')})`
}
