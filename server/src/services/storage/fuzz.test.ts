import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openStorage } from '../../../test/storage-app.ts'

const texts = [
  '',
  'a',
  '..',
  '%2e%2e%2f',
  '%00',
  '%',
  'a%2Fb',
  '%ED%A0%80',
  '%F0%9F%98%80',
  "'",
  '"',
  '*',
  'x'.repeat(1500),
]
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{"prefix":""}',
  '{"prefix":"\\u0000"}',
  '{"prefix":"\\ud800","limit":1e9,"offset":1e400}',
  '{"prefixes":["\\u0000","\\ud800","a"]}',
  '{"prefixes":[]}',
  '{"expiresIn":1e400,"paths":["\\u0000"]}',
  '{"expiresIn":60,"paths":["a","\\ud800"]}',
  '{"expiresIn":60,"transform":{"width":-1}}',
  '{"bucketId":"b","sourceKey":"a","destinationKey":"\\u0000"}',
  '{"bucketId":"\\u0000","sourceKey":"\\u0000","destinationKey":"x"}',
  '{"name":"\\u0000"}',
  '{"name":"x","allowed_mime_types":["\\u0000/x"]}',
  '{"name":"x","__proto__":{"public":true},"constructor":1}',
  `{"prefix":"","cursor":"${Buffer.from('l:\0\no:asc').toString('base64')}"}`,
  `{"prefix":"","cursor":"${Buffer.from('l:a\nc:created_at\na:9999999-01-01').toString('base64')}"}`,
  '['.repeat(5000),
]

test('no odd address, body or header is a 500', async ({ db }) => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', true)`)
  await app.client().from('b').upload('a', 'x')
  const seen = new Map<string, number>()
  const send = async (method: string, path: string, body: string | null, headers: Record<string, string>) => {
    const answer = await app.call(path, { method, headers, body: method === 'GET' || method === 'HEAD' ? null : body })
    await answer.arrayBuffer()
    if (answer.status >= 500) seen.set(`${method} ${path} ${String(body).slice(0, 80)}`, answer.status)
  }
  const paths = [
    '/bucket',
    '/object/list/b',
    '/object/list-v2/b',
    '/object/sign/b',
    '/object/sign/b/a',
    '/object/move',
    '/object/copy',
    '/object/b',
    '/upload/resumable/',
  ]
  for (const path of paths)
    for (const body of bodies) {
      await send('POST', path, body, { 'content-type': 'application/json', 'x-metadata': '%%%' })
      if (path === '/object/b') await send('DELETE', path, body, { 'content-type': 'application/json' })
    }
  for (const text of texts)
    for (const path of [
      `/object/b/${text}`,
      `/object/${text}/a`,
      `/object/public/b/${text}`,
      `/object/info/b/${text}`,
      `/bucket/${text}`,
      `/object/sign/b/a?token=${text}`,
      `/upload/resumable/${text}`,
    ])
      for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
        await send(method, path, 'x', {
          'content-type': 'text/plain',
          range: `bytes=${text.replaceAll(/[^\x20-\x7e]/g, '')}-`,
          'tus-resumable': '1.0.0',
        })
  expect([...seen]).toEqual([])
}, 120_000)
