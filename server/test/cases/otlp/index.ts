import { gzipSync } from 'node:zlib'
import { attribute, log, oneLog, oneSpan, publishableKey, secretKey, span, spanId, traceId } from '../../otlp-world.ts'
import type { OtlpCase } from './case.ts'

const protobuf = { 'content-type': 'application/x-protobuf' }
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** A `Status` in Protobuf begins with its code; the text follows. */
const status = (code: number): Buffer => Buffer.from([0x08, code, 0x12])

/** Where and how it is sent, and what is answered when all is well. */
const taken: readonly OtlpCase[] = [
  { section: 'otlp §1', rule: 'spans in JSON are taken', body: oneSpan(), status: 200, answer: {} },
  { section: 'otlp §1', rule: 'logs in JSON are taken', path: '/v1/logs', body: oneLog(), status: 200, answer: {} },
  {
    section: 'otlp §1',
    rule: 'below /otlp as well',
    path: '/otlp/v1/traces',
    body: oneSpan(),
    status: 200,
    answer: {},
  },
  {
    section: 'otlp §1',
    rule: 'with a slash at the end',
    path: '/v1/traces/',
    body: oneSpan(),
    status: 200,
    answer: {},
  },
  {
    ...{ section: 'otlp §1', rule: 'a content type may have parameters', body: oneSpan(), status: 200, answer: {} },
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    ...{
      section: 'otlp §1',
      rule: 'a compressed body is unpacked',
      body: gzipSync(oneSpan()),
      status: 200,
      answer: {},
    },
    headers: { 'content-encoding': 'gzip' },
  },
  {
    ...{ section: 'otlp §1', rule: 'an empty request is answered as a full one', headers: protobuf, isProtobuf: true },
    ...{ body: Buffer.alloc(0), status: 200, answer: Buffer.alloc(0) },
  },
  {
    ...{ section: 'otlp §1', rule: 'the secret key may be a bearer token', body: oneSpan(), status: 200 },
    headers: { apikey: '', authorization: `Bearer ${secretKey}` },
  },
]

/** What JSON says otherwise than Protobuf's own mapping. */
const json: readonly OtlpCase[] = [
  {
    ...{ section: 'otlp §2', rule: 'ids may be in capitals', status: 200, answer: {} },
    body: oneSpan({ traceId: traceId.toUpperCase(), spanId: spanId.toUpperCase() }),
  },
  {
    section: 'otlp §2',
    rule: 'unknown members are passed over',
    body: oneSpan({ novel: [{}] }),
    status: 200,
    answer: {},
  },
  {
    ...{ section: 'otlp §2', rule: 'numbers of 64 bits may be numbers', status: 200, answer: {} },
    body: oneSpan({ startTimeUnixNano: Date.now() * 1e6 }),
  },
  { section: 'otlp §2', rule: 'base64 is no id', body: oneSpan({ traceId: 'S/kvNXezTaajzpKdDg5HNg==' }), status: 400 },
  {
    section: 'otlp §2',
    rule: 'the name of a kind is no kind',
    body: oneSpan({ kind: 'SPAN_KIND_SERVER' }),
    status: 400,
  },
]

/** What of a request is left out, though the request is taken. */
const partly: readonly OtlpCase[] = [
  {
    ...{ section: 'otlp §3', rule: 'a span without a valid id is rejected, and counted', status: 200 },
    body: JSON.stringify({
      resourceSpans: [
        { scopeSpans: [{ spans: [span(), { ...span(), traceId: '0'.repeat(32) }, { ...span(), spanId: 'ab' }] }] },
      ],
    }),
    answer: {
      partialSuccess: { rejectedSpans: '2', errorMessage: 'Some spans were not taken: 2 without a valid id.' },
    },
  },
  {
    ...{ section: 'otlp §3', rule: 'a span of another time is rejected', status: 200 },
    body: oneSpan({ startTimeUnixNano: '1', endTimeUnixNano: '2' }),
    answer: {
      partialSuccess: { rejectedSpans: '1', errorMessage: 'Some spans were not taken: 1 of a time that is not kept.' },
    },
  },
  {
    ...{ section: 'otlp §3', rule: 'so are log records', path: '/v1/logs', status: 200 },
    body: oneLog({ timeUnixNano: '18446744073709551615' }),
    answer: {
      partialSuccess: {
        rejectedLogRecords: '1',
        errorMessage: 'Some log records were not taken: 1 of a time that is not kept.',
      },
    },
  },
  {
    ...{
      section: 'otlp §3',
      rule: 'in Protobuf the count is a field of the answer',
      headers: protobuf,
      isProtobuf: true,
    },
    // A resource, a scope, a span that is empty.
    ...{ body: bytes('0a04 1202 1200'), status: 200 },
    answer: Buffer.concat([bytes('0a34 0801 1230'), Buffer.from('Some spans were not taken: 1 without a valid id.')]),
  },
]

/** What is refused as a whole. */
const refused: readonly OtlpCase[] = [
  { section: 'otlp §3', rule: 'what is no JSON is refused', body: 'spans', status: 400, answer: { code: 3 } },
  { section: 'otlp §3', rule: 'a list is no request', body: '[]', status: 400, answer: { code: 3 } },
  {
    section: 'otlp §3',
    rule: 'nor is a text for a list',
    body: '{"resourceSpans":"x"}',
    status: 400,
    answer: { code: 3 },
  },
  {
    ...{
      section: 'otlp §3',
      rule: 'Protobuf that ends within a field is refused',
      headers: protobuf,
      isProtobuf: true,
    },
    ...{ body: bytes('0a10 0a'), status: 400, answer: status(3) },
  },
  {
    ...{ section: 'otlp §3', rule: 'a group is refused', headers: protobuf, isProtobuf: true },
    ...{ body: bytes('0b0c'), status: 400, answer: status(3) },
  },
  {
    ...{ section: 'otlp §3', rule: 'a number of more than ten bytes is refused', headers: protobuf, isProtobuf: true },
    ...{ body: bytes('ffffffffffffffffffffffff01'), status: 400, answer: status(3) },
  },
  {
    ...{
      section: 'otlp §3',
      rule: 'a damaged compression is refused',
      body: 'no gzip',
      status: 400,
      answer: { code: 3 },
    },
    headers: { 'content-encoding': 'gzip' },
  },
  {
    ...{
      section: 'otlp §3',
      rule: 'another compression is refused',
      body: oneSpan(),
      status: 415,
      answer: { code: 3 },
    },
    headers: { 'content-encoding': 'zstd' },
  },
  {
    ...{ section: 'otlp §3', rule: 'another content type is refused', body: oneSpan(), status: 415, isProtobuf: true },
    ...{ headers: { 'content-type': 'text/plain' }, answer: status(3) },
  },
  {
    ...{
      section: 'otlp §3',
      rule: 'a value for each member deep within another is refused',
      status: 400,
      answer: { code: 3 },
    },
    body: `{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  },
  {
    ...{ section: 'otlp §1', rule: 'no key is refused', body: oneSpan(), status: 401, answer: { code: 16 } },
    headers: { apikey: '' },
  },
  {
    ...{
      section: 'otlp §1',
      rule: 'the publishable key is refused',
      body: oneSpan(),
      status: 401,
      answer: { code: 16 },
    },
    headers: { apikey: publishableKey },
  },
  {
    ...{
      section: 'otlp §1',
      rule: 'the secret key of a page is refused',
      body: oneSpan(),
      status: 401,
      answer: { code: 16 },
    },
    headers: { origin: 'https://shop.example' },
  },
  {
    section: 'otlp §1',
    rule: 'only POST is answered',
    method: 'PUT',
    body: oneSpan(),
    status: 405,
    answer: { code: 3 },
  },
]

/** What becomes of what was sent, by one attribute or text each. */
export const keptCases: readonly (readonly [section: string, rule: string, sent: object, kept: object])[] = [
  ['otlp §4', 'a text', attribute('shop', 'Lisbon'), { shop: 'Lisbon' }],
  ['otlp §4', 'a number of 64 bits', { key: 'n', value: { intValue: '9007199254740993' } }, { n: '9007199254740993' }],
  ['otlp §4', 'a number that JSON has no word for', { key: 'n', value: { doubleValue: 'NaN' } }, { n: 'NaN' }],
  [
    ...(['otlp §4', 'a list'] as const),
    { key: 'l', value: { arrayValue: { values: [{ boolValue: true }, { intValue: 7 }] } } },
    { l: [true, 7] },
  ],
  [
    ...(['otlp §4', 'an object, whose secret members are replaced'] as const),
    { key: 'o', value: { kvlistValue: { values: [attribute('city', 'Porto'), attribute('password', 'x')] } } },
    { o: { city: 'Porto', password: '(redacted)' } },
  ],
  [
    'otlp §4',
    'a secret by its name',
    attribute('http.request.header.authorization', 'Basic x'),
    { 'http.request.header.authorization': '(redacted)' },
  ],
  [
    'otlp §4',
    'a credential in an address',
    attribute('url.full', '/a?token=abc&b=1'),
    { 'url.full': '/a?token=(redacted)&b=1' },
  ],
  ['otlp §4', 'a key in a text', attribute('note', 'sb_secret_0123456789abcdef'), { note: '(redacted)' }],
  ['otlp §4', 'names of objects', attribute('__proto__', 'x'), JSON.parse('{"__proto__":"x"}')],
  ['otlp §4', 'half a character', attribute('half', '\ud800!'), { half: '\ufffd!' }],
]

/** Every case that is one request and its answer. */
export const otlpCases: readonly OtlpCase[] = [...taken, ...json, ...partly, ...refused]

/** Levels of log records by what they say. */
export const levelCases: readonly (readonly [section: string, said: object, level: string])[] = [
  ['otlp §4', { ...log(), severityNumber: 1 }, 'trace'],
  ['otlp §4', { ...log(), severityNumber: 8 }, 'debug'],
  ['otlp §4', { ...log(), severityNumber: 10 }, 'info'],
  ['otlp §4', { ...log(), severityNumber: 13 }, 'warn'],
  ['otlp §4', { ...log(), severityNumber: 20 }, 'error'],
  ['otlp §4', { ...log(), severityNumber: 24 }, 'fatal'],
  ['otlp §4', { ...log(), severityNumber: 0, severityText: 'WARNING' }, 'warn'],
  ['otlp §4', { ...log(), severityNumber: 0 }, 'info'],
]
