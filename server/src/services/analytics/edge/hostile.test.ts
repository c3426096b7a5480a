import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { compact, event, post, test, token } from '../../../../test/edge-world.ts'

const MiB = 1024 ** 2
const json = { 'content-type': 'application/json' }
const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const members = (count: number): string => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join()
const batch = (...events: readonly string[]): string => `{"api_key":"${token}","batch":[${events.join()}]}`
const withProperties = (properties: string): string =>
  `{"event":"e","distinct_id":"a","token":"${token}","api_key":"${token}","properties":${properties}}`

type Case = readonly [what: string, body: string | Buffer, headers: Readonly<Record<string, string>>]

/** Bodies that nothing is stored of. */
const refused: readonly Case[] = [
  ['nothing', '', json],
  ['nesting 100,000 deep', withProperties(deep(100_000)), json],
  ['objects 100,000 deep', withProperties(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), json],
  ['a million keys', withProperties(`{${members(1_000_000)}}`), json],
  ['a million events', batch(`${'{},'.repeat(1_000_000)}{}`), json],
  ['a bomb of gzip', gzipSync(Buffer.alloc(200 * MiB, ' ')), json],
  ['a bomb in a bomb', gzipSync(gzipSync(Buffer.alloc(50 * MiB, '['))), json],
  ['brotli, which is not taken', brotliCompressSync(batch()), { ...json, 'content-encoding': 'br' }],
  ['gzip that says it is none', gzipSync(batch()), { ...json, 'content-encoding': 'deflate' }],
  ['half of a gzip', gzipSync(batch(compact(event()))).subarray(0, 60), json],
  ['half of a body', batch(compact(event())).slice(0, -30), json],
  ['a key that is no text', `{"api_key":{"a":["${token}"]},"batch":[${compact(event())}]}`, json],
  ['a key of another project', batch(compact(event())).replace(token, 'phc_of_another'), json],
  ['a key of a megabyte', batch(compact(event())).replace(token, 'k'.repeat(MiB)), json],
  ['a key with NUL', batch(compact(event())).replace(token, `${token}\\u0000`), json],
  ['a secret key', batch(compact(event())).replace(token, 'sb_secret_test'), json],
]

/** One of each way to take a body. */
const paths = ['/e/', '/batch/', '/s/', '/consent/']

test.for(refused)(
  '%s: refused everywhere, nothing stored, and the next event is taken',
  {
    timeout: 60_000,
  },
  async ([, body, headers], { edge }) => {
    for (const path of paths) {
      const answer = await post(`${edge.url}${path}`, body, headers)
      expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status >= 400 && status < 500)])
      expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^CLEW_INGEST_/) })
    }
    expect((await post(`${edge.url}/batch/`, batch(compact(event())))).status).toBe(200)
    await edge.stored(1)
  },
)

test('an event of odd values is stored with what of them can be, and once', async ({ edge }) => {
  const odd = `{"n":1e400,"m":-0,"long":${'9'.repeat(50_000)},"__proto__":{"a":1},"constructor":"x","n":2,
    "half":"\\ud800","nul":"\\u0000","turned":"\u202e","name":"e\u0301","${'k'.repeat(20_000)}":1,"$session_id":{"a":1}}`
  const body = batch(
    `{"uuid":"0199a1b2-0000-7000-8000-00000000000d","event":"odd","distinct_id":"a","properties":${odd}}`,
  )
  for (const _ of [1, 2]) expect((await post(`${edge.url}/batch/`, body)).status).toBe(200)
  const [row] = await edge.stored(1)
  const { half, nul, turned, name } = JSON.parse((row?.properties ?? '').replace('1e400', '0')) as Record<
    string,
    unknown
  >
  expect({ half, nul, turned, name }).toEqual({ half: '\ufffd', nul: '\0', turned: '\u202e', name: 'e\u0301' })
  expect(row?.session_id).toBe('')
})
