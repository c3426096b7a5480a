import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { signingKey } from '../signature/sign.ts'
import { checksumAlgorithms, createChecksum } from './checksums.ts'
import type { SeedSignature } from './chunk-signatures.ts'
import { type BodyPlan, planBody } from './plan-body.ts'
import { readBody } from './read-body.ts'

const scope = { date: '20130524', region: 'us-east-1', service: 's3' }
const key = signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope)
const seed = (signature: string): SeedSignature => ({ key, amzDate: '20130524T000000Z', scope, signature })
const code = (expected: string) => expect.objectContaining({ code: expected })

/** The bytes in pieces of a length, as a network may deliver them. */
const inPieces = (bytes: Buffer, length: number): Readable =>
  Readable.from(
    (function* () {
      for (let index = 0; index < bytes.length; index += length) yield bytes.subarray(index, index + length)
    })(),
    { objectMode: false },
  )

async function read(bytes: Buffer, plan: BodyPlan, signature: SeedSignature | null = null, pieceBytes = 1000) {
  const body = readBody(inPieces(bytes, pieceBytes), plan, signature)
  const received = await buffer(body.stream)
  return { received, checksums: body.checksums() }
}

const chunk = (data: string | Buffer, signature?: string) =>
  Buffer.concat([
    Buffer.from(`${data.length.toString(16)}${signature === undefined ? '' : `;chunk-signature=${signature}`}\r\n`),
    Buffer.from(data),
    Buffer.from(data.length === 0 ? '' : '\r\n'),
  ])

// “Signature Calculations for the Authorization Header: Transferring Payload in Multiple Chunks” of Amazon S3, and its
// page on trailing checksums.
describe('the examples of Amazon’s reference', () => {
  const data = Buffer.alloc(66_560, 'a')
  const signedBody = Buffer.concat([
    chunk(data.subarray(0, 65_536), 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'),
    chunk(data.subarray(65_536), '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'),
    chunk('', 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'),
    Buffer.from('\r\n'),
  ])
  const plan = planBody({ 'x-amz-decoded-content-length': '66560' }, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD')
  const first = seed('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9')

  test.each([1, 7, 1000, 100_000])('signed chunks, delivered %i bytes at a time', async (pieceBytes) => {
    expect((await read(signedBody, plan, first, pieceBytes)).received.equals(data)).toBe(true)
  })

  test.each<[string, (body: Buffer) => Buffer | undefined]>([
    ['a changed byte', (body) => body.fill('b', 500, 501)],
    ['a changed signature', (body) => body.fill('0', 30, 31)],
    ['a chunk that is left out', (body) => Buffer.concat([body.subarray(0, 65_626), body.subarray(-86)])],
  ])('%s is refused', async (_title, change) => {
    const changed = change(Buffer.from(signedBody)) ?? signedBody
    await expect(read(changed, plan, first)).rejects.toThrow(code('SignatureDoesNotMatch'))
  })

  const trailerPlan = planBody(
    { 'x-amz-decoded-content-length': '66560', 'x-amz-trailer': 'x-amz-checksum-crc32c' },
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
  )
  const trailerSeed = seed('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e')
  const trailerBody = (trailers: string) =>
    Buffer.concat([
      chunk(data.subarray(0, 65_536), 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2'),
      chunk(data.subarray(65_536), '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7'),
      chunk('', '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992'),
      Buffer.from(trailers),
    ])
  const sum = 'x-amz-checksum-crc32c:sOO8/Q==\r\n'
  const signature = 'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n'

  test('signed chunks with a signed trailer', async () => {
    const { received, checksums } = await read(trailerBody(`${sum}${signature}\r\n`), trailerPlan, trailerSeed)
    expect(received.equals(data)).toBe(true)
    expect([...checksums]).toEqual([['crc32c', 'sOO8/Q==']])
  })

  test.each([
    ['without signature', `${sum}\r\n`, 'SignatureDoesNotMatch'],
    ['with another signature', `${sum}${signature.replace('d81f', 'd81e')}\r\n`, 'SignatureDoesNotMatch'],
    ['with another checksum', `${sum.replace('sOO8', 'sOO9')}${signature}\r\n`, 'SignatureDoesNotMatch'],
  ])('a trailer %s is refused', async (_title, trailers, expected) => {
    await expect(read(trailerBody(trailers), trailerPlan, trailerSeed)).rejects.toThrow(code(expected))
  })
})

describe('unsigned chunks with a trailer', () => {
  const plan = (length: number, trailer = 'x-amz-checksum-crc32') =>
    planBody(
      { 'x-amz-decoded-content-length': String(length), 'x-amz-trailer': trailer },
      'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    )
  const body = (data: Buffer, trailers: string) =>
    Buffer.concat([chunk(data.subarray(0, 3)), chunk(data.subarray(3)), Buffer.from(`0\r\n${trailers}\r\n`)])

  test.each(checksumAlgorithms)('%s is verified', async (algorithm) => {
    const data = randomBytes(1001)
    const checksum = createChecksum(algorithm)
    checksum.update(data)
    const base64 = checksum.digest().toString('base64')
    const header = `x-amz-checksum-${algorithm}`
    const { received, checksums } = await read(body(data, `${header}: ${base64}\r\n`), plan(1001, header))
    expect(received.equals(data)).toBe(true)
    expect([...checksums]).toEqual([[algorithm, base64]])
    const other = body(randomBytes(1001), `${header}:${base64}\r\n`)
    await expect(read(other, plan(1001, header))).rejects.toThrow(code('InvalidChecksum'))
  })

  test.each<[string, Buffer, number, string]>([
    ['no trailer', body(Buffer.from('hello'), ''), 5, 'InvalidChecksum'],
    [
      'fewer bytes than announced',
      body(Buffer.from('hello'), 'x-amz-checksum-crc32:NhCmhg==\r\n'),
      6,
      'IncompleteBody',
    ],
    ['more bytes than announced', body(Buffer.from('hello'), 'x-amz-checksum-crc32:NhCmhg==\r\n'), 4, 'IncompleteBody'],
    ['an end before the last chunk', chunk('hello'), 5, 'IncompleteBody'],
    ['a body in no chunks', Buffer.from('hello\r\n'), 5, 'MalformedChunk'],
    ['a size that is no number', Buffer.from('-5\r\nhello\r\n'), 5, 'MalformedChunk'],
    ['a size beyond all numbers', Buffer.from('fffffffffffffffff\r\n'), 5, 'MalformedChunk'],
    ['a line without end', Buffer.alloc(5000, '1'), 5, 'MalformedChunk'],
    ['a chunk longer than its size', Buffer.from('2\r\nhello\r\n'), 5, 'MalformedChunk'],
    ['many trailers', body(Buffer.from('hello'), 'x-a:b\r\n'.repeat(100)), 5, 'MalformedChunk'],
  ])('%s is refused', async (_title, bytes, length, expected) => {
    await expect(read(bytes, plan(length))).rejects.toThrow(code(expected))
  })
})

describe('a body without chunks', () => {
  const data = Buffer.from('hello')
  const sha256 = createHash('sha256').update(data).digest('hex')
  const md5 = createHash('md5').update(data).digest('base64')
  test.each<[string, Record<string, string>, string, string | null]>([
    ['its signed digest', { 'content-length': '5' }, sha256, null],
    ['another digest', { 'content-length': '5' }, sha256.replace(/^./, 'f'), 'XAmzContentSHA256Mismatch'],
    ['no digest', {}, 'UNSIGNED-PAYLOAD', null],
    ['a short length', { 'content-length': '4' }, 'UNSIGNED-PAYLOAD', 'IncompleteBody'],
    ['a long length', { 'content-length': '6' }, 'UNSIGNED-PAYLOAD', 'IncompleteBody'],
    ['an MD5', { 'content-md5': md5 }, 'UNSIGNED-PAYLOAD', null],
    ['another MD5', { 'content-md5': 'a'.repeat(22) }, 'UNSIGNED-PAYLOAD', 'InvalidChecksum'],
    ['a checksum', { 'x-amz-checksum-crc32': 'NhCmhg==' }, 'UNSIGNED-PAYLOAD', null],
    ['another checksum', { 'x-amz-checksum-crc32': 'NhCmhw==' }, 'UNSIGNED-PAYLOAD', 'InvalidChecksum'],
  ])('with %s', async (_title, headers, payloadHash, expected) => {
    const received = read(data, planBody(headers, payloadHash))
    if (expected === null) expect((await received).received.toString()).toBe('hello')
    else await expect(received).rejects.toThrow(code(expected))
  })

  test('a client that leaves is noticed', async () => {
    const source = new Readable({ read: () => undefined })
    const body = readBody(source, planBody({}, 'UNSIGNED-PAYLOAD'), null)
    source.destroy()
    await expect(buffer(body.stream)).rejects.toThrow(code('IncompleteBody'))
  })
})

test.each<[Record<string, string>, string, string]>([
  [{}, 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD', 'AccessDenied'],
  [{}, 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'IncompleteBody'],
  [{ 'content-length': '1e3' }, 'UNSIGNED-PAYLOAD', 'IncompleteBody'],
  [{ 'x-amz-checksum-sha256': '<>' }, 'UNSIGNED-PAYLOAD', 'InvalidChecksum'],
])('%j with %s is %s', (headers, payloadHash, expected) => {
  expect(() => planBody(headers, payloadHash)).toThrow(code(expected))
})

// The check values of the catalogue of parametrised CRC algorithms, of “123456789”.
test.each([
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
] as const)('%s has its check value, in whatever pieces it comes', (algorithm, expected) => {
  const whole = createChecksum(algorithm)
  whole.update(Buffer.from('123456789'))
  expect(whole.digest().toString('hex')).toBe(expected)
  const data = randomBytes(333)
  const [one, pieces] = [createChecksum(algorithm), createChecksum(algorithm)]
  one.update(data)
  for (const [start, end] of [
    [0, 1],
    [1, 9],
    [9, 24],
    [24, 333],
  ])
    pieces.update(data.subarray(start, end))
  expect(pieces.digest()).toEqual(one.digest())
})
