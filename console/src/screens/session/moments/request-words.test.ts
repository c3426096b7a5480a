import { expect, test } from 'vitest'
import { change, requestMoment, statement } from '../../../../test/answers/requests.ts'
import { authSummary, changedByTrigger } from './request-words.ts'

const sql = (text: string) => ({ ...statement, text })
const changeOf = (table: string) => ({ ...change, id: table, table })

test('rows of tables that the SQL does not name were changed by a trigger', () => {
  const order = sql('insert into "public"."orders" ("total") values ($1)')
  const changes = [changeOf('orders'), changeOf('invoices')]
  expect([...changedByTrigger({ statements: [order], changes })]).toEqual(['invoices'])
})

test.each([
  ['of a function', 'select * from "public"."place_order"($1) pgrst_call'],
  ['through a view', 'insert into "public"."open_orders" ("total") values ($1)'],
])('what SQL %s changed is not said to be by a trigger', (_name, text) => {
  expect(changedByTrigger({ statements: [sql(text)], changes: [changeOf('orders')] }).size).toBe(0)
})

test.each([
  ['token', 'grant_type=password', 200, 'signed in: 2 statements, 1 row'],
  ['token', 'grant_type=password', 400, 'sign-in refused: 2 statements, 1 row'],
  ['token', 'grant_type=refresh_token', 200, 'session renewed: 2 statements, 1 row'],
  ['signup', '', 200, 'signed up: 2 statements, 1 row'],
  ['factors', '', 200, 'auth: 2 statements, 1 row'],
])('what auth did is one line: %s %s %i', (name, query, status, wanted) => {
  const request = { ...requestMoment, service: 'auth', path: `/auth/v1/${name}`, query, status }
  expect(authSummary({ ...request, statements: [statement, statement], changes: [change] })).toBe(wanted)
  expect(authSummary({ ...request, service: 'rest', statements: [statement] })).toBeUndefined()
})
