import { createHash, createHmac } from 'node:crypto'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, test } from 'vitest'
import { parseCredentials } from './credentials.ts'
import { canonicalPath, canonicalQuery, parseQuery } from './encode.ts'
import { parseFormCredentials, verifyForm } from './post-policy.ts'
import type { SignedFor, SignedRequest } from './request.ts'
import { sha256 } from './sign.ts'
import { verifyRequest } from './verify.ts'

const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

// The examples of “Authenticating Requests: Using the Authorization Header” and “Using Query Parameters” of Amazon S3.
describe('the examples of Amazon’s reference', () => {
  const now = new Date('2013-05-24T00:00:00Z')
  const host = 'examplebucket.s3.amazonaws.com'
  const direct: SignedFor = { hosts: [host], prefixes: [''] }
  const authorization = (signedHeaders: string, signature: string) =>
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${signature}`
  const common = ['x-amz-date', '20130524T000000Z']
  const empty = sha256('')
  test.each<[string, SignedRequest]>([
    [
      'GET Object with a range',
      {
        method: 'GET',
        path: '/test.txt',
        query: '',
        rawHeaders: [
          ...['Host', host, 'Range', 'bytes=0-9', 'x-amz-content-sha256', empty, ...common, 'Authorization'],
          authorization(
            'host;range;x-amz-content-sha256;x-amz-date',
            'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
          ),
        ],
      },
    ],
    [
      'PUT Object',
      {
        method: 'PUT',
        path: '/test%24file.text',
        query: '',
        rawHeaders: [
          ...['Date', 'Fri, 24 May 2013 00:00:00 GMT', 'Host', host, 'x-amz-storage-class', 'REDUCED_REDUNDANCY'],
          ...['x-amz-content-sha256', '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072', ...common],
          'Authorization',
          authorization(
            'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
            '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
          ),
        ],
      },
    ],
    [
      'GET Bucket lifecycle, a name without a value',
      {
        method: 'GET',
        path: '/',
        query: 'lifecycle',
        rawHeaders: [
          ...['Host', host, 'x-amz-content-sha256', empty, ...common, 'Authorization'],
          authorization(
            'host;x-amz-content-sha256;x-amz-date',
            'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
          ),
        ],
      },
    ],
    [
      'List Objects, whose query is sorted',
      {
        method: 'GET',
        path: '/',
        query: 'prefix=J&max-keys=2',
        rawHeaders: [
          ...['Host', host, 'x-amz-content-sha256', empty, ...common, 'Authorization'],
          authorization(
            'host;x-amz-content-sha256;x-amz-date',
            '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
          ),
        ],
      },
    ],
    [
      'a presigned GET',
      {
        method: 'GET',
        path: '/test.txt',
        query:
          'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
          '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
          '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
        rawHeaders: ['Host', host],
      },
    ],
  ])('%s', (_title, request) => {
    const credentials = parseCredentials(request)
    expect(credentials.accessKeyId).toBe(accessKeyId)
    verifyRequest(request, credentials, secret, direct, now)
    const refused = (changed: SignedRequest, key = secret) =>
      expect(() => verifyRequest(changed, parseCredentials(changed), key, direct, now)).toThrow(
        expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
      )
    refused(request, `${secret}x`)
    refused({ ...request, method: 'DELETE' })
    refused({ ...request, path: '/other' })
    refused({ ...request, query: `${request.query}&acl` })
  })
})

/** The request that an official client would send, caught before it is sent. */
async function signedBySdk(key: string, options: { sessionToken?: string; prefix?: string } = {}) {
  const caught: { method: string; path: string; query: string; rawHeaders: string[] }[] = []
  const { sessionToken, prefix = '/storage/v1/s3' } = options
  const client = new S3Client({
    region: 'local',
    endpoint: `http://127.0.0.1:54321${prefix}`,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey: secret, ...(sessionToken === undefined ? {} : { sessionToken }) },
    requestHandler: {
      async handle(request: { method: string; path: string; query: object; headers: Record<string, string> }) {
        const query = Object.entries(request.query).map(
          ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value ?? ''))}`,
        )
        caught.push({
          method: request.method,
          path: request.path,
          query: query.join('&'),
          rawHeaders: Object.entries(request.headers).flat(),
        })
        throw Object.assign(new Error('caught'), { name: 'AbortError' })
      },
    },
  })
  const command = new PutObjectCommand({ Bucket: 'photos', Key: key, Body: 'text', Metadata: { camera: 'box' } })
  await client.send(command).catch(() => undefined)
  const [request] = caught
  if (request === undefined) throw new Error('no request was signed')
  return request
}

const local: SignedFor = { hosts: ['127.0.0.1:54321'], prefixes: [''] }

describe('requests of the AWS SDK', () => {
  const keys = [
    'plain.txt',
    "a b/+&=;:,?@!'()*$.txt",
    'a//b/../c/./d',
    'grüße/日本 %41%.txt',
    '.emptyFolderPlaceholder',
  ]
  test.each(keys)('are verified with the key %s', async (key) => {
    const request = await signedBySdk(key)
    const credentials = parseCredentials(request)
    verifyRequest(request, credentials, secret, local, new Date())
    expect(credentials).toMatchObject({ scope: { region: 'local', service: 's3' }, sessionToken: null })
  })

  test('are verified for the address that the client knows, before a proxy', async () => {
    const request = await signedBySdk('a.txt', { prefix: '/base/storage/v1/s3' })
    const arrived = { ...request, path: request.path.replace('/base', '') }
    const credentials = parseCredentials(arrived)
    const verify = (signedFor: SignedFor) => () => verifyRequest(arrived, credentials, secret, signedFor, new Date())
    expect(verify(local)).toThrow(expect.objectContaining({ code: 'SignatureDoesNotMatch' }))
    verify({ hosts: ['inner:80', '127.0.0.1:54321'], prefixes: ['', '/base'] })()
    expect(verify({ hosts: ['inner:80'], prefixes: ['', '/base'] })).toThrow()
  })

  test('carry a session token that is signed', async () => {
    const request = await signedBySdk('a.txt', { sessionToken: 'a.jwt.token' })
    const credentials = parseCredentials(request)
    expect(credentials.sessionToken).toBe('a.jwt.token')
    verifyRequest(request, credentials, secret, local, new Date())
    const rawHeaders = request.rawHeaders.map((text) => (text === 'a.jwt.token' ? 'another.jwt.token' : text))
    const changed = { ...request, rawHeaders }
    expect(() => verifyRequest(changed, parseCredentials(changed), secret, local, new Date())).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    )
  })

  test.each([
    ['x-amz-copy-source', 'other/secret'],
    ['x-amz-meta-author', 'me'],
    ['X-Amz-Acl', 'public-read'],
  ])('are refused when %s is added on the way', async (name, value) => {
    const request = await signedBySdk('a.txt')
    const changed = { ...request, rawHeaders: [...request.rawHeaders, name, value] }
    expect(() => verifyRequest(changed, parseCredentials(changed), secret, local, new Date())).toThrow(
      expect.objectContaining({ code: 'AccessDenied' }),
    )
  })

  test('are refused when the clocks differ by more than 15 minutes', async () => {
    const request = await signedBySdk('a.txt')
    const credentials = parseCredentials(request)
    const verifyAt = (minutes: number) => () =>
      verifyRequest(request, credentials, secret, local, new Date(credentials.signedAt.getTime() + minutes * 60_000))
    verifyAt(15)()
    verifyAt(-15)()
    expect(verifyAt(15.1)).toThrow(expect.objectContaining({ code: 'RequestTimeTooSkewed' }))
    expect(verifyAt(-15.1)).toThrow(expect.objectContaining({ code: 'RequestTimeTooSkewed' }))
  })

  test('presigned, are good until they expire', async () => {
    const client = new S3Client({
      region: 'eu-central-1',
      endpoint: 'http://127.0.0.1:54321/storage/v1/s3',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey: secret, sessionToken: 'a.jwt.token' },
    })
    const command = new PutObjectCommand({ Bucket: 'photos', Key: 'a b.txt', ContentType: 'text/plain' })
    const url = new URL(await getSignedUrl(client, command, { expiresIn: 60 }))
    const request = { method: 'PUT', path: url.pathname, query: url.search.slice(1), rawHeaders: ['host', url.host] }
    const credentials = parseCredentials(request)
    expect(credentials).toMatchObject({ place: { kind: 'query', expiresSeconds: 60 }, sessionToken: 'a.jwt.token' })
    const verifyAt = (seconds: number) => () =>
      verifyRequest(request, credentials, secret, local, new Date(credentials.signedAt.getTime() + seconds * 1000))
    verifyAt(0)()
    verifyAt(60)()
    expect(verifyAt(61)).toThrow(expect.objectContaining({ code: 'ExpiredToken' }))
    expect(verifyAt(-901)).toThrow(expect.objectContaining({ code: 'AccessDenied' }))
  })
})

test.each<[string, Partial<SignedRequest>, string]>([
  ['nothing', {}, 'AccessDenied'],
  ['a bearer token', { rawHeaders: ['authorization', 'Bearer x'] }, 'AccessDenied'],
  ['version 2', { rawHeaders: ['authorization', 'AWS key:signature'] }, 'AuthorizationHeaderMalformed'],
  ['no fields', { rawHeaders: ['authorization', 'AWS4-HMAC-SHA256 x'] }, 'AuthorizationHeaderMalformed'],
  ['a presigned URL without expiry', { query: 'X-Amz-Signature=x' }, 'AuthorizationQueryParametersError'],
])('a request with %s is refused', (_title, part, code) => {
  const request = { method: 'GET', path: '/', query: '', rawHeaders: [], ...part }
  expect(() => parseCredentials(request)).toThrow(expect.objectContaining({ code }))
})

test('paths and queries are encoded once, and not normalised', () => {
  expect(canonicalPath("/a//b/../c d/%41%2F~!'()*+/%ZZ")).toBe('/a//b/../c%20d/A%2F~%21%27%28%29%2A%2B/%25ZZ')
  expect(canonicalQuery(parseQuery('b=2&a=%20x&b=1&a-b=&c'))).toBe('a=%20x&a-b=&b=1&b=2&c=')
})

describe('the policy of a form', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const form = (
    conditions: readonly unknown[],
    fields: Record<string, string>,
    expiration = '2026-03-01T12:01:00Z',
  ) => {
    const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, '20260301'), 'local'), 's3'), 'aws4_request')
    return new Map(
      Object.entries({
        policy,
        'x-amz-algorithm': 'AWS4-HMAC-SHA256',
        'x-amz-credential': `${accessKeyId}/20260301/local/s3/aws4_request`,
        'x-amz-date': '20260301T120000Z',
        'x-amz-signature': hmac(key, policy).toString('hex'),
        ...fields,
      }),
    )
  }
  const own = ['x-amz-algorithm', 'x-amz-credential', 'x-amz-date'].map((name) => ['starts-with', `$${name}`, ''])
  const verify = (fields: ReadonlyMap<string, string>) =>
    verifyForm(fields, parseFormCredentials(fields), secret, 'photos', now)

  test('allows what its conditions allow', () => {
    const conditions = [{ bucket: 'photos' }, ['starts-with', '$key', 'me/'], ['content-length-range', 1, 10], ...own]
    expect(verify(form(conditions, { key: 'me/a.txt' }))).toEqual({ minBytes: 1, maxBytes: 10 })
  })

  test.each<[string, ReadonlyMap<string, string>]>([
    ['another bucket', form([{ bucket: 'other' }, ...own], {})],
    ['a key with another beginning', form([['starts-with', '$key', 'me/'], ...own], { key: 'you/a' })],
    ['another value', form([['eq', '$acl', 'private'], ...own], { acl: 'public-read' })],
    ['a field without condition', form(own, { key: 'a' })],
    ['an unknown operator', form([['matches', '$key', '.*'], ...own], { key: 'a' })],
    ['no conditions', form(null as never, {})],
  ])('refuses %s', (_title, fields) => {
    expect(() => verify(fields)).toThrow(expect.objectContaining({ code: 'InvalidPolicyDocument' }))
  })

  test('refuses an earlier time as expired', () => {
    expect(() => verify(form(own, {}, '2026-03-01T12:00:00Z'))).toThrow(
      expect.objectContaining({ code: 'ExpiredToken' }),
    )
  })

  test('refuses a policy of another key, and a form without one', () => {
    const fields = form(own, {})
    const other = createHash('sha256').update('x').digest('hex')
    expect(() => verify(new Map(fields).set('x-amz-signature', other))).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    )
    expect(() => parseFormCredentials(new Map([['key', 'a']]))).toThrow(
      expect.objectContaining({ code: 'AccessDenied' }),
    )
  })
})
