import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { formattedSql } from './format-sql.ts'

const format = (text: string) => new QueryClient().fetchQuery(formattedSql(text))

test('a statement stands on lines, a clause on each', async () => {
  expect(
    await format(`SELECT "public"."notes"."id" from "public"."notes" where "public"."notes"."title" = $1 limit $2`),
  ).toBe(
    'select\n  "public"."notes"."id"\nfrom\n  "public"."notes"\nwhere\n  "public"."notes"."title" = $1\nlimit\n  $2',
  )
})

test('members of a body stay whole', async () => {
  expect(await format('insert into orders (total, "Note") values ($1.total, $1."Note")')).toContain(
    '($1.total, $1."Note")',
  )
})

test('what cannot be read stays as it is', async () => {
  const cut = "select 'a"
  expect(await format(cut)).toBe(cut)
})
