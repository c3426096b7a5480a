import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonTexts } from '../../../../test/json-texts.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { canBeKept, scanKept } from './kept-body.ts'
import { type CaptureRequest, readBody } from './read.ts'
import { scanEvents } from './scan-events.ts'

const jsonDepth = 12
const limits = { jsonDepth, maxBatchEvents: 20_000 }
const facts = { maxEventBytes: 1_000_000, findPlace: () => null }
const request: Pick<CaptureRequest, 'kind' | 'query' | 'v1' | 'sender'> = {
  ...{ kind: 'events', query: { token: 'of the address', sentAt: null }, v1: null },
  sender: { arrivedAt: new Date('2026-01-02T03:04:05Z'), remoteAddress: '198.51.100.7', userAgent: null },
}

const event = (more: object = {}, properties: object = {}) => ({
  ...{ uuid: uuidv7(), event: 'ordered', timestamp: '2026-01-02T03:03:00Z' },
  properties: { distinct_id: 'ada', price: 4.5, $lib: 'web', ...properties },
  ...more,
})
const scan = (body: unknown) => scanEvents(Buffer.from(JSON.stringify(body)), jsonDepth)

test.each<[string, unknown, number]>([
  ['an envelope', { api_key: 'phc', batch: [event(), event()], sent_at: '2026-01-02T03:04:01Z' }, 2],
  ['one that names its token last', { batch: [event()], historical_migration: true, token: 'phc' }, 1],
  ['events that say another token beside it', { $token: 'phc', batch: [event({ token: 5 }, { token: 'other' })] }, 1],
  ['a list', [event({}, { token: 'phc' }), event({ api_key: 'phc' })], 2],
  ['ids where servers say them', { api_key: 'phc', batch: [event({ distinct_id: 'ada' }, { distinct_id: 'eve' })] }, 1],
  ['letters of all kinds', { api_key: 'phc', batch: [event({ event: 'größer' }, { 日本: ['🧶', '\n\u0001'] })] }, 1],
])('%s is read in place', (_what, body, events) => {
  expect(scan(body)).toEqual({ token: 'phc', events })
})

const inEnvelope = (one: unknown) => ({ api_key: 'phc', batch: [event(), one, event()] })

test.each<[string, unknown]>([
  ['no events', { api_key: 'phc', batch: [] }],
  ['an empty list', []],
  ['one event', event({}, { token: 'phc' })],
  ['no token', { batch: [event()] }],
  ['a token that is no text', { api_key: 5, batch: [event()] }],
  ['an empty token', { api_key: '', token: 'phc', batch: [event()] }],
  ['two tokens', { api_key: 'phc', token: 'phc', batch: [event()] }],
  ['two batches', { api_key: 'phc', batch: [event()], data: [event()] }],
  ['a batch that is no list', { api_key: 'phc', batch: event() }],
  ['a list of which one names another token', [event({}, { token: 'phc' }), event({}, { token: 'other' })]],
  ['a list of which one names none', [event({}, { token: 'phc' }), event()]],
  ['an event without a uuid', inEnvelope(event({ uuid: undefined }))],
  ['an id that is no uuid', inEnvelope(event({ uuid: `${uuidv7().slice(1)}g` }))],
  ['an event without a name', inEnvelope(event({ event: '' }))],
  ['a name that is no text', inEnvelope(event({ event: 1 }))],
  ['a recording', inEnvelope(event({ event: '$snapshot' }))],
  ...['$identify', '$create_alias', '$groupidentify', '$merge_dangerously'].map((name): [string, unknown] => [
    `an event ${name}`,
    inEnvelope(event({ event: name })),
  ]),
  ['an event of nobody', inEnvelope(event({}, { distinct_id: undefined }))],
  ['an empty id', inEnvelope(event({}, { distinct_id: '' }))],
  ['an id of white space', inEnvelope(event({}, { distinct_id: ' \u00a0' }))],
  ['an id that is a number', inEnvelope(event({}, { distinct_id: 5 }))],
  ['an address', inEnvelope(event({}, { $ip: '203.0.113.77' }))],
  ['a visitor without cookies', inEnvelope(event({}, { $cookieless_mode: true }))],
  ['cookieless mode', inEnvelope(event({}, { distinct_id: '$posthog_cookieless ' }))],
  ['no properties', inEnvelope(event({ properties: undefined, distinct_id: 'ada' }))],
  ['an event that is no object', inEnvelope([])],
  ['nesting that is too deep', inEnvelope(event({}, { deep: [[[[[[[[[1]]]]]]]]] }))],
])('a body with %s is parsed', (_what, body) => {
  expect(scan(body)).toBeNull()
})

const text = JSON.stringify(inEnvelope(event()))

test.each<[string, string]>([
  ['an escaped name', text.replace('"event":"ordered"', '"\\u0065vent":"$snapshot"')],
  ['an escaped value', text.replace('"ordered"', '"\\u0024snapshot"')],
  ['a member twice', text.replace('"event":"ordered"', '"event":"ordered","event":"$snapshot"')],
  ['properties twice', text.replace('"properties":', '"properties":{"distinct_id":"eve"},"properties":')],
  ['a token twice', text.replace('{', '{"api_key":"other",')],
  ['a second batch behind the first', `${text.slice(0, -1)},"batch":[]}`],
  ['something behind its end', `${text} {}`],
  ['an end that is missing', text.slice(0, -1)],
  ['a byte order mark', `\ufeff${text}`],
])('a text with %s is parsed', (_what, sent) => {
  expect(scanEvents(Buffer.from(sent), jsonDepth)).toBeNull()
})

test('bytes that are no UTF-8 are parsed', () => {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('ordered')] = 0xff
  expect(scanEvents(bytes, jsonDepth)).toBeNull()
})

test('what is read in place would have been kept for the same token, with as many events', () => {
  const names = fc.constantFrom(
    ...['event', 'uuid', 'distinct_id', '$distinct_id', 'properties', 'token', '$token', 'api_key', 'batch', 'data'],
    ...['$ip', '$cookieless_mode', '$snapshot', 'ordered', 'phc', 'other', '', ' ', '\\u0065vent', '\\n', 'é'],
  )
  const pieces = fc.oneof(
    names.map((name) => `"${name}"`),
    fc
      .tuple(
        names,
        fc.oneof(
          names.map((name) => `"${name}"`),
          fc.json({ maxDepth: 1 }),
        ),
      )
      .map(([name, value]) => `"${name}":${value},`),
    fc.constantFrom('', '{', '}', '[', ']', ',', ':', '5', 'null', 'true', '{}', '[]', ' ', '\n'),
  )
  // However it is edited, it is as large as a parsed body has to be to be kept.
  const filler = { filler: 'x'.repeat(3000) }
  const more = Array.from({ length: 4 }, () => event({}, filler))
  const bodies = [
    JSON.stringify({
      api_key: 'phc',
      batch: [event({}, filler), event({ distinct_id: 'eve' }, filler), ...more],
    }),
    JSON.stringify(Array.from({ length: 6 }, () => event({}, { token: 'phc', ...filler }))),
  ]
  // Where a member or a value begins.
  const places = bodies.map((body) => [...body.matchAll(/["{}[\],:]/g)].map(({ index }) => index))
  const edit = fc.tuple(fc.nat(), pieces, fc.boolean())
  let taken = 0
  fc.assert(
    fc.property(fc.nat(1), fc.array(edit, { minLength: 1, maxLength: 3 }), (which, edits) => {
      let sent = bodies[which] ?? ''
      for (const [place, put, isInstead] of edits) {
        const at = places[which]?.[place % (places[which]?.length ?? 1)] ?? 0
        const end = isInstead ? sent.indexOf('"', at + 1) + 1 : at
        sent = sent.slice(0, at) + put + sent.slice(Math.max(at, end))
      }
      const plain = Buffer.from(sent)
      const scanned = scanKept(plain, request, facts, limits)
      if (scanned === null) return
      taken += 1
      const read = readBody(plain, request, limits, () => null)
      expect({ token: read.envelope.token, events: read.envelope.events.length }).toEqual(scanned)
      expect(canBeKept(plain, read, request, facts)).toBe(true)
    }),
    { numRuns: 20_000 },
  )
  expect(taken).toBeGreaterThan(100)
})

/** A body of one event, one of whose properties is this JSON. */
const holding = (json: string): string =>
  `{"api_key":"phc","batch":[{"uuid":"${uuidv7()}","event":"ordered","properties":{"distinct_id":"ada","value":${json}}}]}`
const takes = (json: string, depth = 1000): boolean => scanEvents(Buffer.from(holding(json)), depth) !== null

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([
  ...[
    '{}',
    '[ ]',
    ' {"a" : [1, -0.5e+7, 1E3, "x\\n\\u00e9\\/", true, null] } ',
    '"\\""',
    '0',
    '-0.0',
    '[[],{}]',
    'false',
  ],
])('the value %s is read in place', (json) => {
  expect([takes(json), isJson(holding(json))]).toEqual([true, true])
})

test.each([
  ...['', '[1,]', '{,}', '{"a"}', '{"a":1,}', '{"a":1 "b":2}', '{a:1}', '[1 2]', '[}', '[', '{"a":[1,{}}', '1 1'],
  ...[
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    '- 1',
    'tru',
    'truex',
    'nul',
    'falsy',
    'True',
    'NaN',
    'Infinity',
    '0x1',
  ],
  ...['"', '"\\x"', '"\\u12g4"', '"\\u123"', '"\t"', '"\u0000"', '\u0000'],
])('the value %j is refused', (json) => {
  expect([takes(json), isJson(holding(json))]).toEqual([false, false])
})

test.each([
  ['a line break between the tokens', '[1,\n2]'],
  ['half of a surrogate pair', '"\\ud800"'],
  ['half of one in capitals', '"\\uDFFF"'],
])('%s is left to the parser', (_title, json) => {
  expect([takes(json), isJson(holding(json))]).toEqual([false, true])
})

test('a value is read in place where JSON.parse takes it, and nowhere else', () => {
  fc.assert(
    fc.property(jsonTexts, (json) => {
      expect(takes(json)).toBe(isJson(holding(json)))
    }),
    { numRuns: 3000 },
  )
})

test('a text is read to its end, wherever that and its escapes stand', () => {
  for (let length = 0; length <= 40; length += 1)
    for (let at = 0; at <= length; at += 1) {
      const put = (middle: string): string => `"${'x'.repeat(at)}${middle}${'é'.repeat(length - at)}"`
      expect(['', '\\n', '\\\\', '\\u0041', '🧶'].map((middle) => takes(put(middle)))).not.toContain(false)
      expect(
        ['\u001f', '\\', '\\q', '\\u004', '"'].map((middle) => isJson(put(middle)) || takes(put(middle))),
      ).not.toContain(true)
    }
})

test('nesting is bounded, and deeper than the stack may bear it is left to the parser', () => {
  const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`
  expect([takes(nested(16), 20), takes(nested(16), 19)]).toEqual([true, false])
  expect([takes(nested(490)), takes(nested(498)), takes(nested(100_000))]).toEqual([true, false, false])
})

test('of an earlier body nothing is read', () => {
  const whole = Buffer.from(holding('"value"'))
  for (let length = 0; length < whole.length; length += 1) {
    expect(scanEvents(whole, jsonDepth)).toEqual({ token: 'phc', events: 1 })
    expect(scanEvents(whole.subarray(0, length), jsonDepth)).toBeNull()
  }
})

test('bodies of all lengths are read, up to a limit', () => {
  const bare = holding('""').length
  const ofLength = (length: number): Buffer => Buffer.from(holding(`"${'x'.repeat(length - bare)}"`))
  const pages = [65_536, 131_072, 196_608].flatMap((page) =>
    Array.from({ length: 64 }, (_, index) => page - 16_384 + index - 32),
  )
  for (const length of pages) expect(scanEvents(ofLength(length), jsonDepth)).toEqual({ token: 'phc', events: 1 })
  expect(scanEvents(ofLength(2_000_000), jsonDepth)).toEqual({ token: 'phc', events: 1 })
  expect(scanEvents(ofLength(2_000_001), jsonDepth)).toBeNull()
})
