import type { ClickHouse } from '../src/engines/clickhouse/index.ts'

export const hourMs = 3_600_000
/** How long the sessions go on to begin, and from when on. */
export const hours = 40
export const beginMs = Math.floor(Date.now() / hourMs) * hourMs - (hours + 2) * hourMs
/** When the rush begins. */
export const rushMs = beginMs + 31 * hourMs
/** So many sessions of its minute and a half that no page has place for all that may have begun a little later. */
const sessionsOfRush = 200

/** Numbers from 0 to 1 that look random and are those of a seed. */
export function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Event {
  readonly ms: number
  readonly isException: boolean
}

interface Message {
  readonly firstMs: number
  readonly lastMs: number
  readonly errors: number
}

interface Request {
  readonly ms: number
  readonly durationMs: number
  readonly status: number
  readonly statementMs: number
  readonly table: string | null
}

/** What one session left in each source. */
export interface History {
  readonly id: string
  readonly country: string
  readonly flag: string | null
  readonly events: readonly Event[]
  readonly messages: readonly Message[]
  readonly requests: readonly Request[]
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** A session that its sources saw within `apartMs` of its begin, one after another, up to a day. */
function historyOf(id: string, startMs: number, apartMs: number, random: () => number): History {
  const pick = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0]
  const longMs = pick([0, 20_000, 90_000, 40 * 60_000, 20 * hourMs])
  const seen = (share: number, most: number): readonly number[] => {
    if (random() > share) return []
    const firstMs = startMs + Math.floor(random() * apartMs)
    return times(1 + Math.floor(random() * most), (i) => (i === 0 ? firstMs : firstMs + Math.floor(random() * longMs)))
  }
  const isFailing = random() < 0.3
  const events = seen(0.8, 4).map((ms, index) => ({ ms, isException: index > 0 && isFailing && random() < 0.5 }))
  const messages = seen(0.6, 3).map((firstMs) => ({
    ...{ firstMs, lastMs: firstMs + Math.floor(random() * 1000) },
    errors: isFailing && random() < 0.4 ? 1 : 0,
  }))
  const requests = seen(events.length + messages.length === 0 ? 1 : 0.7, 4).map((ms) => ({
    ...{ ms, durationMs: pick([3, 40, 900]), statementMs: pick([0, 2, 700]) },
    status: isFailing ? pick([200, 404, 503]) : pick([200, 201]),
    table: pick([null, 'orders', 'items']),
  }))
  return {
    ...{ id, events, messages, requests },
    country: events.length === 0 ? '' : pick(['', 'PT', 'DE']),
    flag: events.length === 0 ? null : pick([null, null, 'checkout=test', 'checkout=control']),
  }
}

/** Sessions of some days, a rush among them, and some that began at one instant. */
export function historiesOf(seed: number): readonly History[] {
  const random = numbersOf(seed)
  const idOf = (kind: string, number: number) => `${kind}-${seed}-${String(number).padStart(6, '0')}`
  return [
    ...times(70, (i) => historyOf(idOf('any', i), beginMs + Math.floor(random() * hours * hourMs), 5 * 60_000, random)),
    ...times(sessionsOfRush, (i) => historyOf(idOf('rush', i), rushMs + Math.floor(random() * 90_000), 2000, random)),
    ...times(12, (i) => historyOf(idOf('once', i), beginMs + 7 * hourMs, 1, random)),
  ]
}

const at = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
const uuid = (number: number): string => `0199a1b2-0000-4000-8000-${String(number).padStart(12, '0')}`

/** What is found in a session; the obvious way. */
export function factsOf({ events, messages, requests, ...rest }: History) {
  const starts = [...events, ...requests].map(({ ms }) => ms).concat(messages.map(({ firstMs }) => firstMs))
  const ends = [
    ...events.map(({ ms }) => ms),
    ...messages.map(({ lastMs }) => lastMs),
    ...requests.map(({ ms, durationMs }) => ms + durationMs),
  ]
  const startMs = Math.min(...starts)
  return {
    ...{ ...rest, events, messages, requests, startMs, durationMs: Math.max(...ends) - startMs },
    hasErrors:
      events.some(({ isException }) => isException) ||
      messages.some(({ errors }) => errors > 0) ||
      requests.some(({ status }) => status >= 400),
  }
}

/** What is found in a session. */
export type Facts = ReturnType<typeof factsOf>

/** Inserts what sessions left. */
export async function storeHistories(
  clickhouse: ClickHouse,
  histories: readonly History[],
  newNumber: () => number,
): Promise<void> {
  const rows = histories.flatMap((history) => {
    const browser = { session_id: history.id, window_id: 'w', distinct_id: `browser-of-${history.id}` }
    return {
      events: history.events.map(({ ms, isException }, index) => ({
        ...{ ...browser, uuid: uuid(newNumber()), timestamp: at(ms), client_time: at(ms), received_at: at(ms) },
        event: isException ? '$exception' : index === 0 && history.flag !== null ? '$feature_flag_called' : '$pageview',
        properties: {
          ...(history.country !== '' && { $geoip_country_code: history.country }),
          ...(isException && { $exception_message: 'x is not a function' }),
          ...(history.flag !== null && { $feature_flag: 'checkout', $feature_flag_response: history.flag.slice(9) }),
        },
      })),
      snapshots: history.messages.map(({ firstMs, lastMs, errors }) => ({
        ...{
          ...browser,
          uuid: uuid(newNumber()),
          first_ts: firstMs,
          last_ts: lastMs,
          sent_at: lastMs,
          received_at: lastMs,
        },
        ...{ console_errors: errors, data: '[]' },
      })),
      requests: history.requests.map((request) => ({ ...request, browser, id: uuid(newNumber()), lsn: newNumber() })),
    }
  })
  await clickhouse.insert(
    'events',
    rows.flatMap(({ events }) => events),
  )
  await clickhouse.insert(
    'snapshots',
    rows.flatMap(({ snapshots }) => snapshots),
  )
  const requests = rows.flatMap((row) => row.requests)
  await clickhouse.insert(
    'requests',
    requests.map(({ id, browser, ms, durationMs, status, table }) => ({
      ...{ ...browser, id, time: at(ms), duration_ms: durationMs, status, writes: table !== null },
      ...{ service: 'rest', method: 'GET', path: '/rest/v1/orders', channel: 'header', exact: true, role: 'anon' },
    })),
  )
  await clickhouse.insert(
    'statements',
    requests.map(({ id, ms, statementMs }) => ({
      ...{ request_id: id, ordinal: 0, time: at(ms), text: 'select 1', duration_ms: statementMs, role: 'anon' },
    })),
  )
  await clickhouse.insert(
    'changes',
    requests.flatMap(({ id, ms, table, lsn }) =>
      table === null
        ? []
        : [
            {
              ...{ commit_time: at(ms), lsn, seq: 0, xid: 1, request_id: id, operation: 'insert' },
              ...{ schema_name: 'public', table_name: table, key: `{"id":"${lsn}"}`, old: '', new: '{}' },
            },
          ],
    ),
  )
}
