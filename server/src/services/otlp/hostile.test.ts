import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { attribute, log, oneLog, oneSpan, span, test } from '../../../test/otlp-world.ts'
import { spoolSettings } from '../../engines/spool/index.ts'
import { createThreads } from '../../engines/threads/index.ts'
import { readSettings } from '../../ground/settings/read.ts'

const protobuf = { 'content-type': 'application/x-protobuf' }
const gzip = { 'content-encoding': 'gzip' }

/** A message in a field, as Protobuf has it. */
const field = (number: number, ...parts: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(parts)
  const head = [(number << 3) | 2]
  let length = bytes.length
  while (length >= 128) {
    head.push((length % 128) | 128)
    length = Math.floor(length / 128)
  }
  return Buffer.concat([Buffer.from([...head, length]), bytes])
}

/** A span in a request, of these bytes. */
const inRequest = (...spans: readonly Buffer[]): Buffer => field(1, field(2, ...spans.map((each) => field(2, each))))

/** A value within lists, so many deep. */
function deep(levels: number): Buffer {
  let value: Buffer = Buffer.alloc(0)
  for (let level = 0; level < levels; level += 1) value = field(5, field(1, value))
  return value
}

describe('hostile bodies', () => {
  const many = (count: number): Buffer => Buffer.alloc(count * 2, Buffer.from([0x4a, 0]))
  test.for<readonly [what: string, body: Buffer, headers: Readonly<Record<string, string>>, status: number]>([
    ['a bomb of gzip', gzipSync(Buffer.alloc(40_000_000)), { ...protobuf, ...gzip }, 413],
    ['a bomb of gzip in JSON', gzipSync(' '.repeat(40_000_000)), gzip, 413],
    ['double compression', gzipSync(gzipSync(oneSpan())), gzip, 400],
    ['a body that is cut off', gzipSync(oneSpan()).subarray(0, 40), gzip, 400],
    ['values 20,000 deep', inRequest(field(9, field(2, deep(20_000)))), protobuf, 400],
    ['objects 100,000 deep', Buffer.from(`{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`), {}, 400],
    ['eight million attributes', inRequest(many(7_900_000)), protobuf, 413],
    ['eight million spans', field(1, field(2, Buffer.alloc(15_000_000, Buffer.from([0x12, 0])))), protobuf, 413],
    ['millions of values in JSON', gzipSync(`{"resourceSpans":[${'{},'.repeat(4_000_000)}{}]}`), gzip, 413],
    ['a length that lies', Buffer.from('0affffffff0f00', 'hex'), protobuf, 400],
    [
      'a number of a megabyte',
      Buffer.from(oneSpan({ kind: 0 }).replace('"kind":0', `"kind":${'9'.repeat(1_000_000)}`)),
      {},
      400,
    ],
    ['1e400 for a time', Buffer.from(oneSpan({ last: 0 }).replace('"last":0', '"endTimeUnixNano":1e400')), {}, 400],
    ['random bytes', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)), protobuf, 400],
  ])('%s: refused', async ([, body, headers, status], { otlp }) => {
    const answer = await otlp.post('/v1/traces', body, headers)
    expect(answer.status).toBe(status)
    expect(await otlp.spans()).toEqual([])
    // Requests after the hostile ones are answered as ever.
    expect((await otlp.post('/v1/traces', oneSpan())).status).toBe(200)
  })

  test('hold the event loop for less than 50 ms, whatever they are made of', async ({ otlp }) => {
    // Just small enough to be read on the event loop.
    const attributes = Array.from({ length: 120 }, (_, at) => attribute(`a${at}`, 'eyJ-'.repeat(125)))
    const bodies: readonly (readonly [string, string | Buffer, Readonly<Record<string, string>>])[] = [
      ['/v1/traces', oneSpan({ attributes }).slice(0, 65_000).padEnd(65_000), {}],
      ['/v1/traces', oneSpan({ attributes: attributes.slice(0, 100) }), {}],
      ['/v1/traces', inRequest(Buffer.alloc(64_000, Buffer.from([0x4a, 0]))), protobuf],
      ['/v1/traces', field(1, field(2, Buffer.alloc(39_000, Buffer.from([0x12, 0])))), protobuf],
      ['/v1/logs', oneLog({ ...log(), body: { stringValue: `?token=${'eyJaaaaaaaa.'.repeat(5_000)}` } }), {}],
      ['/v1/traces', oneSpan({ name: `${'sb_secret_'.repeat(6_000)}` }), {}],
    ]
    // The first of a kind is compiled, and not measured.
    for (const [path, body, headers] of bodies) await otlp.post(path, body, headers)
    for (const [path, body, headers] of bodies) {
      const { take } = otlp.otlp
      const sent = {
        signal: path === '/v1/logs' ? 'logs' : 'traces',
        encoding: headers === protobuf ? 'protobuf' : 'json',
        contentEncoding: '',
      } as const
      const took = await shortestOf(5, () => take(sent, Buffer.from(body)).catch(() => undefined))
      expect(took, `${path} ${String(body).slice(0, 40)}`).toBeLessThan(50)
    }
  })

  test('a large body is read beside the event loop, and stored like any other', async ({ otlp }) => {
    const spans = Array.from({ length: 2_000 }, (_, at) => ({
      ...span(),
      spanId: (at + 1).toString(16).padStart(16, '0'),
      attributes: [attribute('text', 'ä'.repeat(100))],
    }))
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    expect((await otlp.post('/v1/traces', gzipSync(body), gzip)).status).toBe(200)
    const rows = await otlp.spans()
    expect(rows).toHaveLength(2_000)
    expect(otlp.otlp.counts()).toEqual({ taken: 2_000, rejected: 0 })
  })
})

test('a full spool takes nothing and says when to come back', async ({ openOtlp }) => {
  const otlp = await openOtlp({ isDiskShort: () => true })
  const answer = await otlp.post('/v1/traces', oneSpan())
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
    503,
    '5',
    { code: 14 },
  ])
  expect(otlp.otlp.counts().taken).toBe(0)
})

test('what finds no room is sent again, and taken once there is some', async ({ openOtlp }) => {
  const settings = { ...readSettings(spoolSettings, []).values, backlogBytes: 4096, batchMs: 60_000 }
  const otlp = await openOtlp({ spoolSettings: settings })
  const large = (spanId: string) => oneSpan({ spanId, attributes: [attribute('text', 'ä'.repeat(1000))] })
  expect((await otlp.post('/v1/traces', large('0000000000000001'))).status).toBe(200)
  const refused = await otlp.post('/v1/traces', large('0000000000000002'))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  await otlp.otlp.flush()
  expect((await otlp.post('/v1/traces', large('0000000000000002'))).status).toBe(200)
  expect((await otlp.spans()).map(({ span_id }) => span_id).toSorted()).toEqual([
    '0000000000000001',
    '0000000000000002',
  ])
})

test('large bodies that wait for no thread are to be sent again', async ({ openOtlp }) => {
  const threads = createThreads({ threads: 1, waitingBytes: 10 })
  try {
    const { otlp } = await openOtlp({ threads })
    const sent = { signal: 'traces', encoding: 'json', contentEncoding: '' } as const
    const body = oneSpan({ name: 'a'.repeat(100_000) })
    // One is read, one waits, and the third finds no room.
    const [read, waits, third] = [1, 2, 3].map(() => otlp.take(sent, Buffer.from(body)))
    await expect(third).rejects.toMatchObject({
      ...{ code: 'CLEW_OTLP_BUSY', status: 503 },
      headers: { 'retry-after': '5' },
    })
    expect([await read, await waits]).toEqual([null, null])
  } finally {
    await threads.close()
  }
})

/** The processor's time of this process, which no other program lengthens, of the shortest of some calls. */
async function shortestOf(times: number, call: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round += 1) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    shortest = Math.min(shortest, (user + system) / 1000)
  }
  return shortest
}
