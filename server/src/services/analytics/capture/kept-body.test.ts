import { expect, test } from 'vitest'
import { recordings } from '../../../../test/counted-recordings.ts'
import type { StoredRecord } from '../../../engines/spool/index.ts'
import { createThreads } from '../../../engines/threads/index.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { Place } from '../geo/place.ts'
import { type EventTarget, placeOf } from '../targets.ts'
import { canBeKept, createKeptPlanner, type KeptRequest, keep } from './kept-body.ts'
import { planRequest } from './planned.ts'
import { type CaptureRequest, readBody } from './read.ts'
import { createUnfold } from './unfold.ts'

const request: CaptureRequest = {
  kind: 'events',
  encoded: { contentType: '', contentEncoding: '', body: Buffer.alloc(0), dataParameter: null, compression: null },
  query: { token: 'phc', sentAt: '2026-01-02T03:04:00Z' },
  v1: null,
  sender: {
    arrivedAt: new Date('2026-01-02T03:04:05Z'),
    remoteAddress: '198.51.100.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
}
const maxEventBytes = 1_000_000
const facts = { maxEventBytes, findPlace: () => null }
const known = { isKnown: () => false, isKnownType: () => false }

const event = (properties: object = {}, more: object = {}) => ({
  uuid: uuidv7(),
  event: 'ordered',
  timestamp: '2026-01-02T03:03:00Z',
  properties: { distinct_id: 'ada', filler: 'x'.repeat(500), ...properties },
  ...more,
})
const many = (...odd: readonly object[]): object[] => [...Array.from({ length: 20 }, () => event()), ...odd]
const limits = { jsonDepth: 200, maxBatchEvents: 20_000 }
const linesOf = ({ records }: KeptRequest): Buffer =>
  Buffer.concat(records.flatMap(({ start, rest }) => [Buffer.from(start), rest]))
const read = (plain: Buffer) => readBody(plain, request, limits, () => null)

test.each<[string, Buffer]>([
  ['an envelope', Buffer.from(JSON.stringify({ api_key: 'phc', batch: many(), sent_at: '2026-01-02T03:04:01Z' }))],
  ['a list', Buffer.from(JSON.stringify(many()))],
  ['line breaks', Buffer.from(JSON.stringify({ batch: many() }, null, 2))],
  ['a byte order mark', Buffer.from(`\ufeff${JSON.stringify({ batch: many() })}`)],
  ['half of a surrogate pair', Buffer.from(JSON.stringify({ batch: many(event({ half: '\ud800' })) }))],
  [
    'what events imply',
    Buffer.from(
      JSON.stringify({
        batch: many(event({ $lib: 'web', $current_url: 'https://a.test/ö?utm_source=mail', $host: 5 })),
      }),
    ),
  ],
  [
    'persons, groups, decisions and exceptions',
    Buffer.from(
      JSON.stringify([
        event({}, { event: '$identify', $set: { plan: 'pro' } }),
        ...many(event({}, { event: '$opt_out' }), event({ $groups: { company: 'acme' } })),
        event({ $exception_list: [{ type: 'Error', value: 'x' }] }, { event: '$exception' }),
      ]),
    ),
  ],
])('a kept body with %s becomes the rows that it becomes at once', (_what, plain) => {
  const body = read(plain)
  expect(canBeKept(plain, body, request, facts)).toBe(true)
  const kept = keep(plain, body.envelope.events.length, request)
  expect(kept).toMatchObject({ accepted: body.envelope.events.length, refused: {} })
  const atOnce = planRequest(
    body,
    { sender: request.sender, isV1: false, maxEventBytes, addresses: 'keep', secret: '' },
    { ...known, recordings, newId: uuidv7, isAt: () => false, findPlace: () => null },
  )
  expect(createKeptPlanner(maxEventBytes, known)(linesOf(kept))).toEqual(atOnce)
})

test.each<[string, object]>([
  ['without a uuid', event({}, { uuid: undefined })],
  ['with an id that is no uuid', event({}, { uuid: 'one' })],
  ['without a name', event({}, { event: '' })],
  ['of nobody', event({ distinct_id: '' })],
  ['that names an address', event({ $ip: '203.0.113.77' })],
  ['of a visitor without cookies', event({ $cookieless_mode: true })],
  ['in cookieless mode', event({ distinct_id: '$posthog_cookieless' })],
  ['that is a recording', event({}, { event: '$snapshot' })],
  ['without properties', event({}, { properties: undefined, distinct_id: 'ada' })],
  ['that contradicts itself', event({ $process_person_profile: false }, { event: '$identify' })],
  ['that is no object', []],
])('a body with an event %s is planned at once', (_what, odd) => {
  const plain = Buffer.from(JSON.stringify(many(odd)))
  expect(canBeKept(plain, read(plain), request, facts)).toBe(false)
})

test('what is parsed and small, of a known place, or may be too large as a whole is planned at once', () => {
  const plain = Buffer.from(JSON.stringify(many()))
  const lisbon: Place = { $geoip_country_code: 'PT' }
  expect(canBeKept(plain, read(plain), request, { ...facts, findPlace: () => lisbon })).toBe(false)
  expect(canBeKept(plain, read(plain), request, { ...facts, maxEventBytes: 5000 })).toBe(false)
  const small = Buffer.from(JSON.stringify([event()]))
  expect(canBeKept(small, read(small), request, facts)).toBe(false)
})

const recordOf = (plain: Buffer): StoredRecord => {
  const lines = linesOf(keep(plain, read(plain).envelope.events.length, request))
  return { target: placeOf('bodies'), rows: 21, lines, sizeBytes: lines.length }
}

const rowsOf = (records: readonly StoredRecord[], target: EventTarget): readonly string[] =>
  records.filter((record) => record.target === placeOf(target)).flatMap(({ lines }) => String(lines).split('\n'))

test.each([1, 40])('%i bodies are planned in their place among other records', async (count) => {
  const threads = createThreads()
  const refused: object[] = []
  const unfold = createUnfold({ threads, maxEventBytes, known, leaveOut: (more) => refused.push(more) })
  const merge = (name: string): StoredRecord => ({
    ...{ target: placeOf('identity'), rows: 1, lines: Buffer.from(`"${name}"`), sizeBytes: 0 },
  })
  const broken: StoredRecord = { target: placeOf('bodies'), rows: 1, lines: Buffer.from('no head'), sizeBytes: 7 }
  const bodies = Array.from({ length: count }, (_, index) =>
    recordOf(Buffer.from(JSON.stringify(many(event({ index }, { event: 'last', distinct_id: `visitor-${index}` }))))),
  )
  const later = recordOf(Buffer.from(JSON.stringify([event({}, { distinct_id: 'later' })])))
  const unfolded = await unfold([merge('first'), ...bodies, broken, ...bodies, merge('second'), later])
  await threads.close()
  const twice = [...bodies.keys(), ...bodies.keys()]
  const idsOf = (lines: readonly string[]) =>
    lines.flatMap((line) => line.match(/visitor-\d+|later|first|second/) ?? [])
  const visitors = twice.map((index) => `visitor-${index}`)
  expect(rowsOf(unfolded, 'events')).toHaveLength(21 * twice.length + 1)
  expect(idsOf(rowsOf(unfolded, 'events'))).toEqual([...visitors, 'later'])
  expect(idsOf(rowsOf(unfolded, 'identity'))).toEqual(['first', ...visitors, 'second', 'later'])
  expect(unfolded.filter(({ target }) => target === placeOf('bodies'))).toEqual([broken])
  for (const { rows, lines } of unfolded.filter((record) => record !== broken))
    expect(String(lines).split('\n')).toHaveLength(rows)
  // What stands between others is not scattered over a record for each body.
  expect(unfolded.length).toBeLessThan(12)
  expect(refused.every((more) => Object.keys(more).length === 0)).toBe(true)
})
