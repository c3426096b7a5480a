import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { requestDetail } from '../../../test/answers/requests.ts'
import { instance } from '../../../test/answers.ts'
import type { Change, RequestDetail } from '../../lib/api/schemas.ts'
import { renderCurl } from './curl.ts'
import { literal, renderSupabaseJs } from './supabase-js.ts'

const change: Change = {
  ...{ id: '0/1:0', at: '2026-01-02T03:04:45.810Z', schema: 'public', table: 'orders', columns: [] },
  ...{ operation: 'insert', key: { id: '7' }, old: null, new: { id: '7', note: 'Ana\'s "tea"\n' } },
}

const detailOf = (request: Partial<RequestDetail['request']>, changes: readonly Change[] = []): RequestDetail => ({
  ...requestDetail,
  changes: [...changes],
  request: { ...requestDetail.request, ...request },
})

/** What the official client sends when the code is run. */
async function sentBy(code: string): Promise<{ method: string; url: URL; body: unknown }> {
  const sent: { method: string; url: URL; body: unknown }[] = []
  const supabase = createClient('http://127.0.0.1:54321', 'sb_publishable_test', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (url, init) => {
        const body = typeof init?.body === 'string' ? JSON.parse(init.body) : null
        sent.push({ method: init?.method ?? 'GET', url: new URL(String(url)), body })
        return new Response('[]', { headers: { 'content-type': 'application/json' } })
      },
    },
  })
  // The code is this test's own, made of the requests below.
  await new Function('supabase', 'body', `return (async () => {\n${code}\n})()`)(supabase, { any: 1 })
  const [first] = sent
  if (first === undefined) throw new Error(`Nothing was sent by ${code}`)
  return first
}

test.each([
  [
    'GET',
    '/rest/v1/orders',
    'select=id%2Citems%28name%29&total=gte.10&id=in.%28%221%22%2C2%29&order=at.desc.nullslast%2Cid.asc&limit=5',
  ],
  ['GET', '/rest/v1/orders', 'select=*&note=ilike.*tea*&paid=is.true&deleted_at=is.null&offset=10&limit=5'],
  ['GET', '/rest/v1/Odd%20name', 'select=*&name=eq.O%27Neill&or=%28a.eq.1%2Cb.eq.2%29&tags=cs.%7Ba%2Cb%7D&id=not.eq.4'],
  ['GET', '/rest/v1/orders', 'select=id&body=fts%28english%29.tea'],
  ['HEAD', '/rest/v1/orders', 'select=*&id=eq.1'],
  ['PATCH', '/rest/v1/orders', 'id=eq.7&select=*'],
  ['DELETE', '/rest/v1/orders', 'id=eq.7'],
  ['POST', '/rest/v1/orders', 'select=*'],
  ['POST', '/rest/v1/orders', 'on_conflict=id&select=*'],
  ['POST', '/rest/v1/rpc/place_order', ''],
  ['POST', '/functions/v1/receipt', ''],
])('supabase-js sends %s %s?%s when the code for it is run', async (method, path, query) => {
  const code = renderSupabaseJs(detailOf({ method, path, query, service: path.split('/')[1] ?? '' }))
  const sent = await sentBy(code ?? '')
  expect([sent.method, sent.url.pathname]).toEqual([method, path])
  const parameters = (search: string) => [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`)
  // A column that ascends is ordered by its name alone as well.
  expect(
    parameters(sent.url.search)
      .toSorted()
      .map((each) => each.replaceAll('.asc', '')),
  ).toEqual(
    parameters(query)
      .toSorted()
      .map((each) => each.replaceAll('.asc', '')),
  )
})

test('what was sent is what its rows tell; otherwise it is named', async () => {
  const request = { method: 'POST', path: '/rest/v1/orders', query: '' }
  const inserted = renderSupabaseJs(detailOf(request, [change, { ...change, table: 'stock', operation: 'update' }]))
  expect((await sentBy(inserted ?? '')).body).toEqual(change.new)
  const both = renderSupabaseJs(detailOf(request, [change, change]))
  expect((await sentBy(both ?? '')).body).toEqual([change.new, change.new])
  const updated = { ...change, operation: 'update' as const, columns: ['note'] }
  const patched = renderSupabaseJs(detailOf({ ...request, method: 'PATCH' }, [updated]))
  expect((await sentBy(patched ?? '')).body).toEqual({ note: change.new?.note })
  expect((await sentBy(renderSupabaseJs(detailOf(request)) ?? '')).body).toEqual({ any: 1 })
})

test('a request without a call of its own has no code', () => {
  for (const path of ['/auth/v1/token', '/storage/v1/object/a/b', '/rest/v1/', '/rest/v1/rpc/a/b'])
    expect(renderSupabaseJs(detailOf({ path }))).toBeNull()
})

test('curl says it with variables for what was not kept', () => {
  const read = { method: 'GET', path: "/rest/v1/o'neill", query: 'select=id', role: 'anon' }
  expect(renderCurl(detailOf(read), instance)).toBe(
    `curl 'http://127.0.0.1:54321/rest/v1/o'\\''neill?select=id' \\\n  -H 'apikey: sb_publishable_test'`,
  )
  const command = renderCurl(detailOf({}, [change]), instance)
  expect(command.split(' \\\n  ')).toEqual([
    `curl 'http://127.0.0.1:54321/rest/v1/orders'`,
    '-X POST',
    `-H 'apikey: sb_publishable_test'`,
    '-H "authorization: Bearer $ACCESS_TOKEN"',
    `-H 'content-type: application/json'`,
    `--data '${JSON.stringify(change.new).replaceAll("'", "'\\''")}'`,
  ])
  const secret = renderCurl(detailOf({ role: 'service_role' }), instance)
  expect(secret).toContain('-H "apikey: $SECRET_KEY"')
  expect(secret).toContain('--data "$BODY"')
  expect(secret).not.toContain(instance.publishableKey)
})

test.each([
  ['it\'s "so"\n\\', `'it\\'s "so"\\n\\\\'`],
  [{ a: 1, 'b-c': [null, true] }, `{ a: 1, 'b-c': [null, true] }`],
  [{}, '{}'],
])('%j is written as JavaScript', (value, text) => {
  expect(literal(value)).toBe(text)
  expect(new Function(`return ${text}`)()).toEqual(value)
})
