import { expect } from 'vitest'
import { answersTest as test } from '../../../test/storage-answers.ts'

/** Every route that takes JSON. */
const routes = [
  'POST /bucket',
  'PUT /bucket/b',
  'POST /bucket/b/empty',
  'POST /object/list/b',
  'POST /object/list-v2/b',
  'POST /object/sign/b',
  'POST /object/sign/open/a.txt',
  'POST /object/move',
  'POST /object/copy',
  'DELETE /object/b',
]
const kib = 1024
/** What a body of a route may have; lists have more. */
const most = 64 * kib

const named = (value: string) =>
  `{"name":${value},"prefix":${value},"sourceKey":${value},"destinationKey":${value},"bucketId":"b","prefixes":[${value}],"paths":[${value}],"expiresIn":60,"public":${value}}`

/** What is refused before anything is made of it, with what the answer says. */
const refused: readonly (readonly [title: string, body: string, message: RegExp])[] = [
  ['100,000 brackets', '['.repeat(100_000), /nests too deep|too large/],
  ['brackets up to the limit', '['.repeat(most), /nests too deep/],
  ['objects in one another', '{"prefix":'.repeat(most / 10), /nests too deep/],
  ['a list of as many values as fit', `{"prefixes":[${'1,'.repeat(most / 2 - 20)}1]}`, /too many values/],
  ['as many members as fit', `{${'"a":1,'.repeat(most / 6 - 2)}"b":1}`, /./],
  ['a megabyte', `{"prefix":"${'x'.repeat(1024 * kib)}"}`, /too large|must have required|must be|too long/],
  ['NaN', named('NaN'), /not valid JSON|Unexpected/i],
  ['another prototype', '{"__proto__":{"public":true}}', /not valid JSON/],
  ['another constructor', '{"constructor":{"prototype":{"public":true}}}', /not valid JSON/],
  ['half of a text', '{"prefix":"', /JSON/],
  ['text in another encoding', Buffer.from('{"prefix":""}', 'utf16le').toString('latin1'), /JSON|nests/],
]

test('a body that would cost much is refused by every route, and changes nothing', async ({ app }) => {
  const state = () =>
    app.sql(`select (select count(*)::int from storage.buckets where not public) as private,
      (select count(*)::int from storage.buckets) as buckets, (select count(*)::int from storage.objects) as objects`)
  const before = await state()
  const wrong: string[] = []
  for (const route of routes)
    for (const [title, body, message] of refused) {
      const [method = '', path = ''] = route.split(' ')
      const answer = await app.call(path, { method, body, headers: { 'content-type': 'application/json' } })
      const text = await answer.text()
      const isRefused = [400, 413].includes(answer.status) && /^\{"statusCode":"4\d\d","error":"/.test(text)
      if (!isRefused || !message.test(text))
        wrong.push(`${route} with ${title}: ${answer.status} ${text.slice(0, 200)}`)
    }
  expect(wrong).toEqual([])
  expect(await state()).toEqual(before)
})

test('lists of a thousand names, each as long as one may be, are taken', async ({ app }) => {
  const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(1024, 'x'))
  const post = (method: string, path: string, body: object) =>
    app.call(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  expect((await post('DELETE', '/object/b', { prefixes: names })).status).toBe(200)
  const signed = await post('POST', '/object/sign/b', { expiresIn: 60, paths: names })
  expect([signed.status, ((await signed.json()) as unknown[]).length]).toEqual([200, 1000])
})

test('the last of members of one name counts, a number has its bounds, and a compressed body is no JSON', async ({
  app,
}) => {
  const headers = { 'content-type': 'application/json' }
  const list = (body: string, more: object = {}) =>
    app.call('/object/list/open', { method: 'POST', body, headers: { ...headers, ...more } })
  expect(await (await list('{"prefix":"absent","prefix":""}')).json()).toMatchObject([{ name: 'a.txt' }])
  for (const limit of ['-0', '1e400', '1'.repeat(60_000), '-1', '1.5', '"x"'])
    expect(await (await list(`{"prefix":"","limit":${limit}}`)).json(), limit.slice(0, 9)).toMatchObject({
      code: 'InvalidRequest',
    })
  const packed = await list('\u001f\u008b\u0008', { 'content-encoding': 'gzip' })
  expect([packed.status, await packed.json()]).toMatchObject([400, { code: 'InvalidRequest' }])
})

/** Texts that no key may be, as JSON and, percent-encoded, in an address. */
const oddKeys: readonly (readonly [title: string, json: string, address: string])[] = [
  ['half of an emoji', '\\ud83d', '%F0%9F'],
  ['a lone surrogate', 'a\\udc00b', 'a%ED%B0%80b'],
  ['NUL', 'a\\u0000b', 'a%00b'],
  ['a control character', 'a\\u001bb', 'a%1Bb'],
  ['text from right to left', 'a\\u202eb', 'a%E2%80%AEb'],
  ['composed', '\\u00e9', '%C3%A9'],
  ['decomposed', 'e\\u0301', 'e%CC%81'],
  ['a folder above', 'a/../b', 'a%2F..%2Fb'],
  ['encoded twice', '%2e%2e/x', '%252e%252e/x'],
  ['a drive', 'C:\\\\x', 'C:%5Cx'],
  ['another server', '\\\\\\\\host\\\\x', '%5C%5Chost%5Cx'],
  ['1,025 bytes', 'x'.repeat(1025), 'x'.repeat(1025)],
]

test.for(oddKeys)('%s is no key, wherever it stands', async ([, json, address], { app }) => {
  const headers = { 'content-type': 'application/json' }
  await app.client().from('b').upload('a', 'x')
  const move = (more: string) => `{"bucketId":"b","sourceKey":"a","destinationKey":"${json}"${more}}`
  const asked: readonly (readonly [string, string, string | null])[] = [
    ['POST', '/object/move', move('')],
    ['POST', '/object/copy', move('')],
    ['POST', '/object/copy', move(',"destinationBucket":"open"')],
    ['POST', `/object/b/${address}`, 'x'],
    ['PUT', `/object/b/${address}`, 'x'],
    ['POST', `/object/upload/sign/b/${address}`, null],
    ['PUT', `/object/upload/sign/b/${address}?token=x`, 'x'],
  ]
  for (const [method, path, body] of asked) {
    const answer = await app.call(path, { method, body, headers })
    const said = await answer.json()
    expect.soft(answer.status, `${method} ${path}: ${JSON.stringify(said)}`).toBe(400)
  }
  // Where it only names what may be there, nothing is.
  const absent: readonly (readonly [string, string, string | null])[] = [
    ['GET', `/object/b/${address}`, null],
    ['HEAD', `/object/b/${address}`, null],
    ['GET', `/object/info/b/${address}`, null],
    ['POST', `/object/sign/b/${address}`, '{"expiresIn":60}'],
    ['DELETE', `/object/b/${address}`, null],
    ['POST', '/object/move', `{"bucketId":"b","sourceKey":"${json}","destinationKey":"z"}`],
    ['POST', '/object/copy', `{"bucketId":"b","sourceKey":"${json}","destinationKey":"z"}`],
  ]
  for (const [method, path, body] of absent)
    expect.soft((await app.call(path, { method, body, headers })).status, `${method} ${path}`).toBe(400)
  const removed = await app.call('/object/b', { method: 'DELETE', body: `{"prefixes":["${json}"]}`, headers })
  expect(removed.status === 400 || (await removed.text()) === '[]').toBe(true)
  expect(await app.sql('select bucket_id, name from storage.objects order by name')).toEqual([
    { bucket_id: 'b', name: 'a' },
    { bucket_id: 'open', name: 'a.txt' },
  ])
})

const half = '--x\r\ncontent-disposition: form-data; name="'

test.for([
  ['a field of no name', `${half}"\r\n\r\nx\r\n`],
  ['a field of odd bytes', `${half}\u0000\ud800\u202e\u0301"\r\n\r\nx\r\n`],
  ['a field of another prototype', `${half}__proto__"\r\n\r\n{"public":true}\r\n`],
  ['a field of a long name', `${half}${'n'.repeat(5000)}"\r\n\r\nx\r\n`],
  ['metadata that nests deep', `${half}metadata"\r\n\r\n${'['.repeat(100_000)}\r\n`],
  ['metadata of half a surrogate pair', `${half}metadata"\r\n\r\n{"a":"\\ud800","b":"\\u0000"}\r\n`],
] as const)('a form with %s stores the file, or nothing', async ([, fields], { app }) => {
  const file = `${half}"; filename="../../\u202e\u0000x\ud83d"\r\ncontent-type: text/plain\r\n\r\nhello\r\n--x--\r\n`
  const answer = await app.call('/object/b/a', {
    method: 'POST',
    body: `${fields}${file}`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  expect([200, 400]).toContain(answer.status)
  const stored = await app.call('/object/b/a')
  // The key is of the address, whatever the form calls its file.
  expect([stored.status, (await stored.text()).length]).toEqual(
    answer.status === 200 ? [200, 5] : [400, expect.any(Number)],
  )
})
