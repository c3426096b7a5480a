import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Product } from '../e2e/support/product.ts'
import { changeOf, metaOf, type RawEvent, type RecordedElement, snapshotOf } from '../e2e/support/recorded.ts'

/** What a session of the player's measurement is like. */
export interface Visit {
  readonly minutes: number
  readonly clicks: number
  /** Custom events: each is a moment of the thread. */
  readonly events: number
  /** Rows that change each half second besides: a page that is never still. */
  readonly changes?: number
}

/** An rrweb event and when it happens, in milliseconds since the session's start. */
export interface TimedEvent {
  readonly atMs: number
  readonly event: RawEvent
}

const rows = 200
const bodyId = 50
const listId = 60
const firstRowId = 2000
/** Every recorder takes a whole page now and then. */
const snapshotEveryMs = 5 * 60_000
const eventsPerMessage = 200

/** A shop's page: a styled list of some hundred rows, which a visit changes. */
const page = (): RawEvent => {
  const row = (n: number): RecordedElement => ({
    tag: 'li',
    id: firstRowId + n * 4,
    attributes: { class: 'row', 'data-n': String(n) },
    children: [
      { tag: 'b', children: [`Product ${n}`] },
      { tag: 'span', children: [`${n * 3} €`] },
    ],
  })
  const style = '.row{display:flex;gap:12px;padding:8px;border-bottom:1px solid #ddd} body{font:14px sans-serif}'
  const list: RecordedElement = { tag: 'ul', id: listId, children: Array.from({ length: rows }, (_, n) => row(n)) }
  return snapshotOf([{ tag: 'style', children: [style] }], [{ tag: 'main', id: bodyId, children: [list] }])
}

/** A row that changes its look, with some 200 bytes that no other one has. */
const attributesOf = (id: number, seed: number): RawEvent => {
  const style = Array.from({ length: 40 }, (_, n) => ((seed * (n + 3)) % 9973).toString(36)).join(' ')
  return changeOf(0, { texts: [], attributes: [{ id, attributes: { style } }], removes: [], adds: [] })
}

/** The recording of a visit: the pointer moves twice a second, a row comes and one changes as often, clicks and scrolling between. */
export function recordVisit({ minutes, clicks, changes = 0 }: Visit): readonly TimedEvent[] {
  const lengthMs = minutes * 60_000
  const timed: TimedEvent[] = []
  const at = (atMs: number, event: RawEvent): void => void timed.push({ atMs, event })
  for (let atMs = 0; atMs < lengthMs; atMs += snapshotEveryMs) {
    at(atMs, metaOf('http://shop.test/'))
    at(atMs + 1, page())
  }
  let nextId = 100_000
  for (let half = 1; half < minutes * 120; half += 1) {
    const atMs = half * 500
    const positions = Array.from({ length: 10 }, (_, step) => ({
      x: (half * 37 + step * 13) % 800,
      y: (half * 17 + step * 7) % 600,
      id: 1,
      timeOffset: step * 50 - 500,
    }))
    at(atMs, changeOf(1, { positions }))
    const added = { type: 2, tagName: 'li', attributes: { class: 'row' }, childNodes: [], id: nextId }
    const text = { type: 3, textContent: `Row ${half}`, id: nextId + 1 }
    const changed = firstRowId + (half % rows) * 4
    at(
      atMs + 10,
      changeOf(0, {
        texts: [],
        attributes: [{ id: changed, attributes: { class: `row is-${half % 9}` } }],
        removes: half > 20 && atMs % snapshotEveryMs > 11_000 ? [{ parentId: listId, id: nextId - 40 }] : [],
        adds: [
          { parentId: listId, nextId: null, node: added },
          { parentId: nextId, nextId: null, node: text },
        ],
      }),
    )
    for (let change = 0; change < changes; change += 1)
      at(atMs + 20 + change * 20, attributesOf(firstRowId + (change % rows) * 4, half * 31 + change))
    if (half % 8 === 0) at(atMs + 20, changeOf(3, { id: 1, x: 0, y: (half * 53) % 3000 }))
    nextId += 2
  }
  for (let click = 0; click < clicks; click += 1)
    at(
      ((click + 0.5) * lengthMs) / clicks,
      changeOf(2, { type: 2, id: firstRowId + (click % rows) * 4, x: 400, y: 300 }),
    )
  return timed.toSorted((one, other) => one.atMs - other.atMs)
}

/** An event as posthog-js compresses it: a page whole, a change of a page by its fields, one character a byte. */
function packed(event: RawEvent): object {
  const { type, data } = event
  const gzip = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')
  if (type === 2) return { ...event, cv: '2024-10', data: gzip(data) }
  if (type !== 3 || data.source !== 0) return event
  const fields = Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? gzip(value) : value])
  return { ...event, cv: '2024-10', data: Object.fromEntries(fields) }
}

/** Sends a visit's recording and its events, as posthog-js does; it ended some minutes ago. */
export async function sendVisit(
  { apiUrl, ingestToken }: Pick<Product, 'apiUrl' | 'ingestToken'>,
  visit: Visit,
): Promise<string> {
  const startMs = Date.now() - visit.minutes * 60_000 - 180_000
  const ids = { $session_id: randomUUID(), $window_id: randomUUID() }
  const post = async (path: string, body: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${apiUrl}/ingest${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const recorded = recordVisit(visit)
  for (let from = 0; from < recorded.length; from += eventsPerMessage) {
    const part = recorded.slice(from, from + eventsPerMessage)
    const $snapshot_data = part.map(({ atMs, event }) => ({ ...packed(event), timestamp: Math.round(startMs + atMs) }))
    const properties = { token: ingestToken, distinct_id: 'visitor', ...ids, $snapshot_data }
    await post('/s/', [{ event: '$snapshot', uuid: randomUUID(), sent_at: Date.now(), properties }])
  }
  const events = Array.from({ length: visit.events }, (_, n) => ({
    event: 'asked',
    timestamp: new Date(startMs + ((n + 0.3) * visit.minutes * 60_000) / visit.events).toISOString(),
    properties: { token: ingestToken, distinct_id: 'visitor', ...ids, n },
  }))
  await post('/e/', events)
  return ids.$session_id
}
