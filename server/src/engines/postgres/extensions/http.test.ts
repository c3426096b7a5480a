import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'

const test = base.extend('http', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension if not exists http with schema extensions')
  return db
})

const ask = async (db: TestDatabase, text: string): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values: [] })).rows

test.for([
  `http_get('http://127.0.0.1')`,
  `http_get('http://127.0.0.1', '{"a": 1}'::jsonb)`,
  `http_post('http://127.0.0.1', 'a=1', 'application/x-www-form-urlencoded')`,
  `http_post('http://127.0.0.1', '{"a": 1}'::jsonb)`,
  `http(('GET', 'http://127.0.0.1', array[http_header('a', 'b')], null, null)::http_request)`,
  `http_set_curlopt('CURLOPT_TIMEOUT', '1')`,
])('a blocking request is refused, and pg_net named: %s', async (call, { http }) => {
  for (const text of [`select ${call}`, `select * from ${call}`])
    await expect(ask(http, text)).rejects.toMatchObject({ code: '0A000', hint: expect.stringContaining('pg_net') })
})

test('functions that use it are created, and what needs no request works', async ({ http }) => {
  await http.load(`create function public.ask() returns int language plpgsql as $$
    declare answer http_response; begin select * into answer from http_get('http://127.0.0.1'); return answer.status; end $$`)
  await expect(ask(http, 'select public.ask()')).rejects.toThrow('blocking HTTP requests are not made here')
  expect(
    await ask(
      http,
      `select urlencode('a b&é~') as text, urlencode('{"q": "x y", "n": 1}'::jsonb) as members, urlencode('') as none,
         urlencode('\\x00ff41'::bytea) as bytes`,
    ),
  ).toEqual([{ text: 'a%20b%26%C3%A9~', members: 'n=1&q=x%20y', none: '', bytes: '%00%FFA' }])
  expect(await ask(http, `select bytea_to_text(text_to_bytea('é')) as text`)).toEqual([{ text: 'é' }])
})

test('the owner drops and creates it again', async ({ http }) => {
  await http.load('drop extension http; create extension if not exists http')
})
