import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { plainName } from './plain-name.ts'

test('a name is quoted where PostgreSQL quotes it', async ({ db }) => {
  const { rows } = await db.admin.query<{ word: string; quoted: string }>({
    text: `select word, pg_catalog.quote_ident(word) as quoted
      from (select word from pg_catalog.pg_get_keywords()
        union all values ('orders'), ('order'), ('Orders'), ('two words'), ('1st'), ('a"b'), ('_x1'), ('café')) w`,
    values: [],
  })
  expect(rows.length).toBeGreaterThan(400)
  expect(rows.filter(({ word, quoted }) => plainName(word) !== quoted)).toEqual([])
})
