import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readdress } from './readdress.ts'

const move = { from: 'http://127.0.0.1:54321', to: 'https://cafe.test:8443' }
const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')
const unpack = (text: string): unknown => JSON.parse(gunzipSync(Buffer.from(text, 'latin1')).toString())

test.each([
  ['an address', '{"url":"http://127.0.0.1:54321/menu"}', '{"url":"https://cafe.test:8443/menu"}'],
  [
    'escaped slashes',
    '{"p":"{\\"u\\":\\"http:\\/\\/127.0.0.1:54321\\/\\"}"}',
    '{"p":"{\\"u\\":\\"https:\\/\\/cafe.test:8443\\/\\"}"}',
  ],
  ['a host alone', '{"$host":"127.0.0.1:54321"}', '{"$host":"cafe.test:8443"}'],
  ['a longer port', '{"u":"http://127.0.0.1:543210/"}', '{"u":"http://127.0.0.1:543210/"}'],
  ['another host that ends so', '{"u":"http://9127.0.0.1:54321/"}', '{"u":"http://9127.0.0.1:54321/"}'],
])('%s follows the instance, and what is another stays', async (_, row, expected) => {
  expect(await readdress(row, move)).toBe(expected)
})

test('what is packed in a recorded page follows too', async () => {
  const page = { src: 'http://127.0.0.1:54321/photos/1', css: 'url("http://127.0.0.1:54321/font.woff2")' }
  const plain = pack({ src: '/photos/1' })
  const events = [
    { type: 2, data: pack(page) },
    { type: 3, data: { source: 0, adds: pack([page]), texts: plain } },
  ]
  const row = JSON.stringify({ session_id: 's1', data: JSON.stringify(events) })
  const { data, session_id } = JSON.parse(await readdress(row, move))
  const [full, change] = JSON.parse(data)
  const moved = { src: 'https://cafe.test:8443/photos/1', css: 'url("https://cafe.test:8443/font.woff2")' }
  expect(session_id).toBe('s1')
  expect(unpack(full.data)).toEqual(moved)
  expect(unpack(change.data.adds)).toEqual([moved])
  expect(change.data.texts).toBe(plain)
})

test('where the sample was recorded at this address, a row stays to the byte', async () => {
  const row = '{"u": "http://127.0.0.1:54321/" }'
  expect(await readdress(row, { from: move.from, to: move.from })).toBe(row)
})
