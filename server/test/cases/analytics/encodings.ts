import { gzipSync } from 'node:zlib'
import { type AnalyticsCase, batch, type Call, event, type Form, ok, refusal } from './case.ts'

/** Letters of several alphabets, what base64 and forms write with a plus sign, and a line separator. */
const text = 'a+b c/ü🚀\u2028%2B&='

/** The form of a client, which must come out as it was. */
const packed = (words: string, form: Form, call: Partial<Call> = {}): AnalyticsCase => ({
  rule: `2 ${words}`,
  calls: [{ request: 'POST /e/', body: batch(event({ text, [text]: 1 })), form, text: ok, ...call }],
  stored: { events: [{ event: 'ordered', properties: { text, [text]: 1 } }] },
})

const octets = { 'content-type': 'application/octet-stream' }

const forms: readonly AnalyticsCase[] = [
  packed('gzip as text/plain is known by its first bytes', 'gzip'),
  packed('gzip whose address names it, too', 'gzip', { request: 'POST /e/?compression=gzip-js' }),
  packed('gzip whose address says base64', 'gzip', { request: 'POST /e/?compression=base64' }),
  packed('gzip of another content type', 'gzip', { headers: octets }),
  packed('base64 in a form', 'base64 form', { request: 'POST /e/?compression=base64' }),
  packed('base64 in a form, without a parameter', 'base64 form'),
  packed('base64 in a form that lost its plus signs', 'careless base64 form'),
  packed('base64 in a form that is sent as text, as beacons are', 'base64 form', {
    headers: { 'content-type': 'text/plain' },
  }),
  packed('plain JSON', 'json'),
  packed('plain JSON without a content type', 'json', { headers: { 'content-type': 'text/plain' } }),
  packed('JSON whose address names gzip', 'json', { request: 'POST /e/?compression=gzip-js' }),
  packed('raw JSON in a form', 'json form'),
  packed('Content-Encoding gzip, as posthog-node sends', 'gzip header', { request: 'POST /batch/' }),
  packed('Content-Encoding deflate', 'deflate header', { request: 'POST /batch/' }),
  packed('Content-Encoding br', 'brotli header', { request: 'POST /batch/' }),
  packed('Content-Encoding identity', 'json', { headers: { 'content-encoding': 'identity' } }),
  packed('a body that is base64', 'base64'),
  packed('a body that is base64 of gzip', 'base64 of gzip'),
  packed('a body that is gzip of base64', 'gzip of base64'),
  packed('data in the address, base64', 'base64 pixel', { request: 'GET /e/?' }),
  packed('data in the address, JSON', 'pixel', { request: 'GET /e/?ip=1&' }),
  packed('lz64 of very old clients', 'lz64', { request: 'POST /e/?compression=lz64' }),
  packed('lz64 in a form', 'lz64 form', { request: 'POST /e/?compression=lz64' }),
  packed('a byte order mark', 'json', { body: `\ufeff${JSON.stringify(batch(event({ text, [text]: 1 })))}` }),
  packed('spaces around the JSON', 'json', { body: `\n ${JSON.stringify(batch(event({ text, [text]: 1 })))} \n` }),
]

const refused = (words: string, call: Partial<Call>, code = 'CLEW_INGEST_ENCODING'): AnalyticsCase => ({
  rule: `2 ${words}`,
  calls: [{ request: 'POST /e/', status: 400, holds: refusal(code), ...call }],
})

const damaged: readonly AnalyticsCase[] = [
  refused('gzip that ends half-way', { body: gzipSync('{}'.repeat(100)).subarray(0, 15) }),
  refused('Content-Encoding gzip of what is none', {
    body: JSON.stringify(batch(event())),
    headers: { 'content-encoding': 'gzip' },
  }),
  refused('an unknown Content-Encoding', {
    body: JSON.stringify(batch(event())),
    headers: { 'content-encoding': 'compress' },
  }),
  refused('lz64 that ends half-way', { request: 'POST /e/?compression=lz64', body: 'N4Ig' }),
  refused('a form with a broken escape', {
    body: 'data=%7B%',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  refused('a text', { body: 'hello' }, 'CLEW_INGEST_JSON'),
  refused('JSON that ends half-way', { body: '{"api_key":"~T","batch":[' }, 'CLEW_INGEST_JSON'),
  refused('data in the address that is nothing', { request: 'GET /e/?data=hello' }, 'CLEW_INGEST_JSON'),
]

const MiB = 1024 * 1024
const tooLarge = { status: 413, holds: refusal('CLEW_INGEST_TOO_LARGE') }
const taken = { events: [{ event: 'ordered' }] }
const recorded = [{ type: 4, data: { href: 'https://a.test/' }, timestamp: 1_767_323_045_000 }]
const message = {
  ...{ uuid: '~uuid', event: '$snapshot' },
  properties: { token: '~T', distinct_id: '~ada', $session_id: '~ses', $snapshot_data: recorded },
}
const flagCall = { token: '~T', distinct_id: '~ada' }
/** A batch of one event and so many things that are none. */
const crowd = (size: number): object => batch(event(), ...new Array<null>(size - 1).fill(null))

const limits: readonly AnalyticsCase[] = [
  {
    rule: '2 a body of 20 MiB, unpacked',
    calls: [{ request: 'POST /batch/', body: batch(event()), form: 'gzip', sizeBytes: 20 * MiB, text: ok }],
    stored: taken,
  },
  {
    rule: '2 a body of 20 MiB and a byte, unpacked',
    calls: [{ request: 'POST /batch/', body: batch(event()), form: 'gzip', sizeBytes: 20 * MiB + 1, ...tooLarge }],
  },
  {
    rule: '2 a plain body of 20 MiB',
    calls: [{ request: 'POST /batch/', body: batch(event()), sizeBytes: 20 * MiB, text: ok }],
    stored: taken,
  },
  {
    rule: '2 a plain body of 20 MiB and a byte',
    calls: [{ request: 'POST /batch/', body: batch(event()), sizeBytes: 20 * MiB + 1, ...tooLarge }],
  },
  {
    rule: '2 recordings of 25 MiB',
    calls: [{ request: 'POST /s/', body: [message], form: 'gzip', sizeBytes: 25 * MiB, text: ok }],
    stored: { messages: [{ session_id: '~ses' }] },
  },
  {
    rule: '2 recordings of 25 MiB and a byte',
    calls: [{ request: 'POST /s/', body: [message], form: 'gzip', sizeBytes: 25 * MiB + 1, ...tooLarge }],
  },
  {
    rule: '2 a call for flags of 1 MiB',
    calls: [{ request: 'POST /flags/?v=2', body: flagCall, form: 'gzip', sizeBytes: MiB }],
  },
  {
    rule: '2 a call for flags of 1 MiB and a byte',
    calls: [{ request: 'POST /flags/?v=2', body: flagCall, form: 'gzip', sizeBytes: MiB + 1, ...tooLarge }],
  },
  {
    rule: '2 a bomb is not unpacked to its end',
    calls: [{ request: 'POST /e/', body: gzipSync(Buffer.alloc(64 * MiB)), ...tooLarge }],
  },
  {
    rule: '2 an event of a little less than 1 MiB',
    calls: [{ request: 'POST /e/', body: batch(event({ text: 'x'.repeat(MiB - 1024) })), text: ok }],
    stored: taken,
  },
  {
    rule: '2 an event of more than 1 MiB, alone',
    calls: [{ request: 'POST /e/', body: batch(event({ text: 'x'.repeat(MiB) })), ...tooLarge }],
  },
  {
    rule: '2 an event of more than 1 MiB is left out of its batch',
    calls: [
      {
        ...{ request: 'POST /e/', text: ok },
        body: batch(event({ text: 'x'.repeat(MiB) }, { event: 'large' }), event({}, { uuid: '~uuid2' })),
      },
    ],
    stored: { events: [{ uuid: '~uuid2', event: 'ordered' }] },
  },
  {
    rule: '2 20,000 events of one request',
    calls: [{ request: 'POST /batch/', body: crowd(20_000), form: 'gzip', text: ok }],
    stored: taken,
  },
  {
    rule: '2 20,001 events of one request',
    calls: [{ request: 'POST /batch/', body: crowd(20_001), form: 'gzip', ...tooLarge }],
  },
]

/** How bodies are packed, and how large they may be (analytics §2). */
export const encodings: readonly AnalyticsCase[] = [...forms, ...damaged, ...limits]
