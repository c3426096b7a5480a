import { expect, test } from 'vitest'
import type { Exchange, RequestContext } from '../../../../ground/model/request.ts'
import { readSettings } from '../../../../ground/settings/read.ts'
import { threadSettings } from '../../settings.ts'
import { createRenderExchange, exchangeColumns } from './exchange-lines.ts'

const settings = readSettings(threadSettings, []).values
const startedAt = new Date('2026-03-04T05:06:07.890Z')
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.signature'

type Side = Partial<{ readonly headers: Exchange['request']['headers']; readonly body: string | Buffer | null }>

/** What is kept of an exchange, by the columns' names. */
function kept(service: string, request: Side, response: Side = {}, exchanges: 'headers' | 'bodies' = 'bodies') {
  const side = ({ headers = {}, body = '' }: Side) => ({ headers, body: body === null ? null : Buffer.from(body) })
  const render = createRenderExchange({ ...settings, exchanges })
  const context = { id: 'r1', startedAt } as RequestContext
  const record = { context, service, durationMs: 1, status: 200, requestBytes: 0, responseBytes: 0 }
  const line = render({ ...record, exchange: { request: side(request), response: side(response) } })
  const values = JSON.parse(line ?? '[]') as string[]
  return Object.fromEntries(exchangeColumns.map((name, place) => [name, values[place]]))
}

const json = (value: unknown, type = 'application/json'): Side => ({
  headers: { 'content-type': type },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

test('bodies of JSON keep their digits, and no value of a secret name or a token', () => {
  const text = `{"id": 9007199254740993, "card_token": {"a": 1}, "note": "see /x?token=abc&a=1", "by": "${jwt}"}`
  const { request_body, response_body } = kept(
    'rest',
    json(text),
    json([{ Password: 'x', total: 1.1 }], 'application/vnd.pgrst.object+json'),
  )
  expect(request_body).toBe(
    '{"id": 9007199254740993, "card_token":"(redacted)", "note": "see /x?token=(redacted)&a=1", "by": "(redacted)"}',
  )
  expect(response_body).toBe('[{"Password":"(redacted)","total":1.1}]')
})

test('of the auth service only what is known to be no secret is kept', () => {
  const asked = { email: 'ann@x.test', password: 'x', code: '123456', data: { shoe: 43 }, gotrue_meta_security: {} }
  const { request_body, response_body } = kept(
    'auth',
    json(asked),
    json({
      access_token: jwt,
      user: { id: '1', email: 'ann@x.test', confirmation_token: 'c' },
      error_code: 'weak_password',
    }),
  )
  expect(JSON.parse(request_body ?? '')).toEqual({
    ...{ email: 'ann@x.test', password: '(redacted)', code: '(redacted)', data: { shoe: '(redacted)' } },
    gotrue_meta_security: '(redacted)',
  })
  expect(JSON.parse(response_body ?? '')).toEqual({
    access_token: '(redacted)',
    user: { id: '1', email: 'ann@x.test', confirmation_token: '(redacted)' },
    error_code: 'weak_password',
  })
  expect(kept('auth', { headers: { 'content-type': 'text/plain' }, body: 'x' })).toMatchObject({
    ...{ request_body: '', request_left_out: 'kind' },
  })
})

test('headers keep no credentials, and nothing that ties them to a visitor', () => {
  const headers = {
    ...{ authorization: `Bearer ${jwt}`, cookie: 'a=b', apikey: 'sb_publishable_x', 'x-stripe-signature': 's' },
    ...{
      'x-posthog-distinct-id': 'ann',
      prefer: 'return=representation',
      referer: `http://x.test/?code=1&access_token=${jwt}`,
    },
  }
  const { request_headers, response_headers } = kept(
    'rest',
    { headers },
    {
      headers: { 'set-cookie': ['a=1', 'b=2'], 'content-length': 12, location: '/a?token=t', 'x-gone': undefined },
    },
  )
  expect(JSON.parse(request_headers ?? '')).toEqual([
    ['authorization', '(redacted)'],
    ['cookie', '(redacted)'],
    ['apikey', '(redacted)'],
    ['x-stripe-signature', '(redacted)'],
    ['prefer', 'return=representation'],
    ['referer', 'http://x.test/?code=(redacted)&access_token=(redacted)'],
  ])
  expect(JSON.parse(response_headers ?? '')).toEqual([
    ['set-cookie', '(redacted)'],
    ['set-cookie', '(redacted)'],
    ['content-length', '12'],
    ['location', '/a?token=(redacted)'],
  ])
})

test.each<[side: Side, body: string, leftOut: string]>([
  [{ body: '' }, '', ''],
  [{ body: null }, '', 'large'],
  [json('{"a":'), '', 'kind'],
  [{ headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: '{}' }, '', 'kind'],
  [{ headers: { 'content-type': 'image/png' }, body: 'png' }, '', 'kind'],
  [{ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `by ${jwt}` }, 'by (redacted)', ''],
  [
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&password=x&my%5Fsecret=y' },
    ...(['a=1&password=(redacted)&my%5Fsecret=(redacted)', ''] as const),
  ],
])('a body of %j is kept as %j, left out as %j', (side, body, leftOut) => {
  expect(kept('functions', side)).toMatchObject({ request_body: body, request_left_out: leftOut })
})

test('where headers are kept alone a body is told to be off, and nothing is kept of what was not copied', () => {
  const { request_headers, request_body, request_left_out } = kept(
    'rest',
    { ...json({ a: 1 }), body: null },
    {},
    'headers',
  )
  expect({ request_headers, request_body, request_left_out }).toEqual({
    request_headers: '[["content-type","application/json"]]',
    ...{ request_body: '', request_left_out: 'off' },
  })
  const context = { id: 'r1', startedAt } as RequestContext
  const record = { context, service: 'rest', durationMs: 1, status: 200, requestBytes: 0, responseBytes: 0 }
  expect(createRenderExchange({ ...settings, exchanges: 'bodies' })(record)).toBeNull()
})
