import { expect, test } from 'vitest'
import { bookSchema } from '../../../../test/book-schema.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { parseRequest } from '../parse/request.ts'
import { planRequest } from '../plan/plan.ts'
import { restSettings } from '../settings.ts'
import { renderStatement } from './statement.ts'

const cache = bookSchema()
const { values: settings } = readSettings(restSettings, [])

function render(method: string, query: string, body = '', prefer?: string) {
  const request = parseRequest(
    { method, path: '/books', query, headers: { prefer }, body: Buffer.from(body) },
    settings,
  )
  const plan = planRequest(cache, settings, request)
  if (plan.kind === 'options' || plan.kind === 'describe') throw new Error('no statement')
  return renderStatement(plan, { count: null, maxRows: null, range: request.range }, request.preferences.return)
}

test('a read is one select; values, path keys and ranges are parameters', () => {
  const { text, values } = render('GET', 'select=id,info->a&id=in.(1,"2,3")&limit=5')
  expect(text).toContain(
    'select "public"."books"."id", "public"."books"."info"->$1 as "a" from "public"."books" where "public"."books"."id" = any ($2) limit $3 offset $4',
  )
  expect(values).toEqual(['a', '{"1","2,3"}', '5', '0'])
})

test('an embed is a lateral join on its key', () => {
  const { text } = render('GET', 'select=id,authors!inner(name)')
  expect(text).toContain(
    'row_to_json("books_authors_1".*)::jsonb as "authors" from "public"."books" inner join lateral (select "authors_1"."name" from "public"."authors" as "authors_1" where "authors_1"."id" = "public"."books"."author_id") as "books_authors_1" on true',
  )
})

test('an insert reads the payload as it was sent, one parameter', () => {
  const { text, values } = render('POST', '', '{"id": 1.0}')
  expect(text).toContain(
    'insert into "public"."books" ("id") select "pgrst_body"."id" from (select $1::json as json_data)',
  )
  expect(text).toContain('from json_to_record(pgrst_payload.json_data) as _("id" integer)')
  expect(values).toEqual(['{"id": 1.0}'])
})

test('requests of one template have one text', () => {
  expect(render('GET', 'id=eq.1&info->>x=like.a*').text).toBe(render('GET', 'id=eq.22&info->>y=like.b*').text)
})

test('a cast names a known keyword, or a quoted name', () => {
  expect(render('GET', 'select=id::Int').text).toContain('cast("public"."books"."id" as int)')
  expect(render('GET', 'select=id::my Type').text).toContain('cast("public"."books"."id" as "my type")')
})
