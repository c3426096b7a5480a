import { expect, test } from 'vitest'
import {
  change,
  momentOf,
  note as noteFacts,
  requestMoment,
  serverLog,
  serverSpan,
} from '../../../../test/answers/requests.ts'
import { session } from '../../../../test/answers.ts'
import type { Change, Frame, Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import {
  momentOfLink,
  readChips,
  readRow,
  readSessionSearch,
  renderChips,
  renderRow,
  type SessionSearch,
} from '../search.ts'
import {
  chips,
  chipsOf,
  defaultChips,
  describeChange,
  filterMoments,
  lastOwn,
  momentAt,
  shortRowName,
  shortSql,
  stepMoment,
} from './moments.ts'
import { idleSpans, tracksOf } from './tracks.ts'

const changeOf = (facts: Partial<Change>): Change => ({ ...change, ...facts })

const requestOf = (facts: Partial<RequestMoment> = {}): RequestMoment => ({
  ...requestMoment,
  id: 'r1',
  atMs: 900,
  changes: [{ ...change, at: new Date(Date.parse(requestMoment.at) + 50).toISOString() }],
  ...facts,
})

const frameOf = (): Frame => ({
  id: 'f1',
  at: session.startedAt,
  connectionId: 'r9',
  direction: 'received',
  kind: 'broadcast',
  topic: 'counter',
  event: 'ready',
  bytes: 80,
  delayMs: 7,
  skipped: 0,
  windowId: null,
  link: { channel: 'cookie', exact: true, foreign: false, why: null },
  cause: null,
  reached: [],
})

const moments = [
  momentOf('page', 0, '/menu'),
  momentOf('console', 100, 'ready', { level: 'log' }),
  momentOf('console', 200, 'broken', { level: 'error' }),
  momentOf('click', 890, 'Place order', { requests: [requestOf()] }),
  momentOf('request', 2000, 'GET /rest/v1/invoices', { requests: [requestOf({ id: 'r2', atMs: 2000, changes: [] })] }),
  momentOf('event', 2500, '$web_vitals'),
  momentOf('event', 2600, 'order placed'),
  momentOf('frame', 3000, 'ready', { frame: frameOf() }),
]
/** What a server told of the order. */
const served = [
  momentOf('span', 950, 'POST /checkout', { spans: [serverSpan, { ...serverSpan, id: 'b', status: 'error' }] }),
  momentOf('log', 960, 'card declined', { log: serverLog }),
]
const labels = (found: readonly Moment[]) => found.map(({ label }) => label)

test.each([
  ['as at first', defaultChips, ['/menu', 'broken', 'Place order', 'GET /rest/v1/invoices', 'order placed', 'ready']],
  ['only what changed rows', ['rows'], ['/menu', 'broken', 'Place order', 'order placed']],
  ['what sockets received', ['live'], ['/menu', 'broken', 'order placed', 'ready']],
  ['with the console', ['console'], ['/menu', 'ready', 'broken', 'order placed']],
] as const)('the list holds the chosen tracks: %s', (_name, on, wanted) => {
  expect(labels(filterMoments(moments, on, ''))).toEqual(wanted)
})

test.each([
  ['a label', 'PLACE O', ['Place order']],
  ['a path', 'invoices', ['GET /rest/v1/invoices']],
  ['a row', 'products #7', ['Place order']],
  ['a value', '12 → 11', ['Place order']],
  ['a channel', 'counter', ['ready']],
  ['nothing', 'no such thing', []],
])('a text finds moments by %s', (_name, text, wanted) => {
  expect(labels(filterMoments(moments, defaultChips, text))).toEqual(wanted)
})

test('a moment lasts until the next; a click is met a breath early, for links carry tenths', () => {
  const at = (ms: number) => moments[momentAt(moments, ms)]?.label
  expect(momentAt(moments, -1)).toBe(-1)
  expect([0, 150, 890, 1999].map(at)).toEqual(['/menu', 'ready', 'Place order', 'Place order'])
  expect(at(850)).toBe('Place order')
  expect(at(800)).toBe('broken')
})

test('back goes to the beginning of a long moment first, then to the one before', () => {
  expect(stepMoment(moments, 3, 1950, -1)?.label).toBe('Place order')
  expect(stepMoment(moments, 3, 900, -1)?.label).toBe('broken')
  expect(stepMoment(moments, 3, 900, 1)?.label).toBe('GET /rest/v1/invoices')
  expect(stepMoment(moments, 7, 3000, 1)).toBeUndefined()
})

test.each([
  ['an update by its columns', changeOf({}), 'stock 12 → 11'],
  ['an update whose old value is not known', changeOf({ old: null }), 'stock → 11'],
  [
    'a new row by its telling values',
    changeOf({
      operation: 'insert',
      old: null,
      new: { id: '7', user_id: 'u', total: '10.00', created_at: '2026', note: null },
    }),
    'total 10.00',
  ],
  ['an updated row without values', changeOf({ key: {}, old: {}, new: {} }), 'stock'],
  [
    'a deleted row by what it held',
    changeOf({ operation: 'delete', old: { id: '7', name: 'Bread' }, new: null }),
    'name Bread',
  ],
])('a change is told in a line: %s', (_name, told, wanted) => {
  expect(describeChange(told)).toBe(wanted)
})

test('SQL and rows are told as a person would, when there is only a line for them', () => {
  expect(shortSql('with pgrst_source as (insert into "public"."orders" ("total")\n  select 1) select 2')).toBe(
    'insert into orders (total) select 1',
  )
  expect(shortSql('select "public"."orders"."id" from "public"."orders" limit $1 offset $2')).toBe(
    'select id from orders',
  )
  expect(shortSql('select "Total Price" from "auth"."users"')).toBe('select "Total Price" from auth.users')
  expect(shortRowName(changeOf({}))).toBe('products #7')
  expect(
    shortRowName(changeOf({ schema: 'auth', table: 'users', key: { id: '01a1fe3f-c991-77f0-84db-0aeda33b93a5' } })),
  ).toBe('auth.users #01a1fe3f…')
})

test('tracks carry what a click caused at the moment it happened, under the click’s name', () => {
  const tracks = tracksOf({
    ...{ moments, shown: moments, on: chips, durationMs: 10_000 },
    idle: idleSpans(moments, [{ fromMs: 3000, toMs: 9000 }]),
  })
  const track = (id: string) => tracks.find((one) => one.id === id)?.marks ?? []
  expect(track('pages').map(({ look, atMs, untilMs }) => [look, atMs, untilMs])).toEqual([
    ['segment', 0, 10_000],
    ['gap', 3000, 9000],
  ])
  expect(track('rows')).toMatchObject([{ look: 'tilde', atMs: 950, cause: 'click 890' }])
  expect(track('api').map(({ cause }) => cause)).toEqual(['click 890', 'request 2000'])
  expect(track('live')).toMatchObject([{ atMs: 3000, label: 'Received ready in counter' }])
  expect(track('errors')).toMatchObject([{ look: 'triangle', atMs: 200 }])
})

test('tracks follow the list: a chip that is off takes its track away, and pages stay where others are filtered out', () => {
  const on = ['clicks', 'api'] as const
  const shown = filterMoments(moments, on, 'pay')
  const tracks = tracksOf({ moments, shown, on, idle: [], durationMs: 10_000 })
  expect(tracks.map(({ id }) => id)).toEqual(['pages', 'clicks', 'api', 'errors'])
  expect(tracks[0]?.marks).toHaveLength(1)
  const drawn = tracks.slice(1).flatMap(({ marks }) => marks.map(({ cause }) => cause))
  expect(new Set(drawn)).toEqual(new Set(shown.map(({ id }) => id)))
})

test('a refused or failed request is an error', () => {
  const failed = momentOf('click', 0, 'Pay', { requests: [requestOf({ status: 500 })] })
  const tracks = tracksOf({ moments: [failed], shown: [failed], on: chips, idle: [], durationMs: 1000 })
  expect(tracks.find(({ id }) => id === 'errors')?.marks).toHaveLength(1)
})

test('a link says everything and is read back', () => {
  expect(readSessionSearch({ t: '41.25', tab: 'network', lane: 'api,rows', q: 'orders', row: 'x', other: 1 })).toEqual({
    t: 41.25,
    tab: 'network',
    lane: 'api,rows',
    q: 'orders',
    row: 'x',
  })
  expect(readSessionSearch({ t: 'soon', tab: 'nowhere' })).toEqual({})
  expect(readChips('rows,console,rows,nonsense')).toEqual(['rows', 'console'])
  expect(readChips(renderChips(['clicks', 'api', 'rows']).lane)).toEqual(['clicks', 'api', 'rows'])
  expect(readChips(renderChips([]).lane)).toEqual([])
})

test('a link to a request or a message opens at its own moment, one to a note at the note', () => {
  const click = momentOf('click', 40_800, 'Pay', { requests: [requestOf({ id: 'r9', atMs: 41_900 })] })
  const detail = { session, moments: [click, momentOf('event', 41_000, 'paid')], windows: [], earlier: 0 }
  const clock = { offsetMs: 0, spreadMs: 0, samples: 1 }
  const open = (search: SessionSearch) =>
    momentOfLink(search, { ...detail, clock, oldClient: null, truncated: false }, [
      { id: 'n1', at: new Date(Date.parse(session.startedAt) + 5000).toISOString() },
    ]).t
  expect(open({ t: 41.9, moment: 'r9' })).toBe(40.8)
  expect(open({ t: 41.9, moment: 'not stored yet' })).toBe(41.9)
  expect(open({ note: 'n1' })).toBe(5)
  expect(open({ note: 'n1', t: 7 })).toBe(7)
  expect(open({ note: 'deleted' })).toBeUndefined()
})

test('what operators wrote has a track of its own', () => {
  const note = { ...noteFacts, id: 'n1', atMs: 2000, text: 'a'.repeat(300) }
  const input = { moments, shown: moments, on: chips, idle: [], durationMs: 10_000 }
  expect(tracksOf({ ...input, notes: [note] }).at(-1)).toMatchObject({
    id: 'notes',
    marks: [{ id: 'n1', look: 'flag', atMs: 2000, label: `olga@example.test: ${'a'.repeat(99)}…` }],
  })
  expect(tracksOf({ ...input, notes: [] }).map(({ id }) => id)).not.toContain('notes')
})

test('a row is named with its schema, table and key; anything else is no row', () => {
  const row = { schema: 'public', table: 'order_items', key: { order_id: '812', line: '1' } }
  expect(readRow(renderRow(row))).toEqual(row)
  expect(readRow('orders:812')).toBeUndefined()
  expect(readRow('public.orders:{}')).toBeUndefined()
  expect(readRow('public.orders:{"id"')).toBeUndefined()
})

test('a stranger’s call with the session’s id, a week later, is not the session’s last moment', () => {
  const foreign = requestOf({ link: { channel: 'header', exact: false, foreign: true, why: 'of another browser' } })
  const weekLater = momentOf('request', 604_800_000, 'GET /', { requests: [foreign] })
  expect(lastOwn([...moments, weekLater])).toBe(moments.at(-1))
})

test('what servers told has a chip and a track, where they told something', () => {
  const all = [...moments, ...served]
  expect(labels(filterMoments(all, ['server'], ''))).toContain('POST /checkout')
  expect(labels(filterMoments(all, ['clicks'], ''))).not.toContain('POST /checkout')
  expect(labels(filterMoments(all, defaultChips, 'SHOP'))).toEqual(['POST /checkout', 'card declined'])
  expect([chipsOf(true).includes('server'), chipsOf(false).includes('server')]).toEqual([true, false])
  const tracks = (shown: readonly Moment[]) =>
    tracksOf({ moments: shown, shown, on: chips, idle: [], durationMs: 5000 }).find(({ id }) => id === 'server')
  expect(tracks(moments)).toBeUndefined()
  expect(tracks(all)?.marks).toMatchObject([
    { look: 'bar', atMs: 950, durationMs: 60, bad: true, label: 'shop POST /checkout 60 ms' },
    { look: 'dot', atMs: 960, label: 'error: card declined' },
  ])
})
