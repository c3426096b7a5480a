import { describe, expect, test } from 'vitest'
import { decidingClauses, flatten, hasSubquery, parseClause, readable, tablesIn } from './clauses.ts'

test.each([
  ['(customer_id = auth.uid())', 'customer_id', 'auth.uid()'],
  ["(status = 'a) or (b'::text)", 'status', "'a) or (b'::text"],
  [`(("odd and name" ->> 'x'::text) <> E'it\\'s or'::text)`, `"odd and name" ->> 'x'::text`, `E'it\\'s or'::text`],
  ["((auth.jwt() ->> 'org'::text))::uuid = org_id", `((auth.jwt() ->> 'org'::text))::uuid`, 'org_id'],
  ['(deleted_at IS NULL)', 'deleted_at', null],
  ["(role = ANY (ARRAY['a'::text, 'b'::text]))", 'role', null],
  ['(id IN ( SELECT m.team FROM public.members m))', 'id', null],
  ['is_public', null, null],
  ['auth.is_admin()', null, null],
])('the sides of %s', (expression, left, right) => {
  expect(parseClause(expression)).toMatchObject({ joined: null, left, right })
})

test('a condition is taken apart where its clauses are joined', () => {
  const clause = parseClause(
    '((owner = auth.uid()) AND ((NOT hidden) OR (EXISTS ( SELECT 1 FROM x WHERE ((x.a = 1) AND (x.b = 2))))) AND CASE WHEN (a AND b) THEN true ELSE false END)',
  )
  expect(flatten(clause).map(({ joined, text }) => joined ?? text)).toEqual([
    'and',
    'owner = auth.uid()',
    'or',
    'not',
    'hidden',
    'EXISTS ( SELECT 1 FROM x WHERE ((x.a = 1) AND (x.b = 2)))',
    'CASE WHEN (a AND b) THEN true ELSE false END',
  ])
})

describe('which clauses decide', () => {
  const clause = parseClause('((a = 1) AND ((b = 2) OR (NOT c)))')
  test.each([
    [[false, false, true, true, false, true], [1]],
    [[null, null, true, true, false, true], [1]],
    [
      [false, true, false, false, false, true],
      [3, 5],
    ],
    [
      [false, false, false, false, false, true],
      [1, 3, 5],
    ],
    [[true, true, true, false, true, false], []],
  ])('%j', (values, deciding) => {
    expect([...decidingClauses(clause, values)]).toEqual(deciding)
  })
})

test('subqueries and the tables that they read', () => {
  const expression = `(EXISTS ( SELECT 1 FROM (public.members m JOIN "My Teams" t ON ((t.id = m.team))) WHERE (m.u = auth.uid())))`
  expect(hasSubquery(expression)).toBe(true)
  expect(tablesIn(expression)).toEqual(['public.members', '"My Teams"'])
  expect(hasSubquery("(selected = 'select'::text)")).toBe(false)
  expect(hasSubquery('(owner = ( SELECT auth.uid() AS uid))')).toBe(false)
  expect(readable('SELECT auth.uid() AS uid')).toBe('auth.uid()')
  expect(readable('(owner = ( SELECT auth.uid() AS uid))')).toBe('(owner = auth.uid())')
})
