import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { compileClickHouse } from '../sql/clickhouse.ts'
import { compile } from '../sql/postgres.ts'
import { sql, typed } from '../sql/sql.ts'
import {
  erasedInClickHouse,
  erasedInPostgres,
  namedInClickHouse,
  namedInPostgres,
  namedInText,
  soughtTexts,
} from './person-texts.ts'

const texts = soughtTexts({
  ...{ personId: null, userId: '0199a1b2-0000-4000-8000-00000000ada0', distinctIds: [], sessionIds: [] },
  ...{ texts: ['ada@shop.test', 'Ada Lovelace', '+49 151 (23)', 'Ada'], refuses: false },
})

const cases: readonly (readonly [string, string])[] = [
  ['to ada@shop.test.', 'to [erased].'],
  ['ADA@shop.test,ada@shop.test', '[erased],[erased]'],
  ['?email=eq.ada%40shop.test&q=%3Dada%40shop.test', '?email=eq.[erased]&q=%3D[erased]'],
  ['{"a":"x\\nada@shop.test","b":"\\u0026Ada Lovelace"}', '{"a":"x\\n[erased]","b":"\\u0026[erased]"}'],
  ['call +49 151 (23) now', 'call [erased] now'],
  ['user 0199A1B2-0000-4000-8000-00000000ADA0', 'user [erased]'],
  // Others, whose address or name holds theirs.
  ['nada@shop.test', 'nada@shop.test'],
  ['Canada Lovelaces', 'Canada Lovelaces'],
  // A text of three letters is looked for nowhere.
  ['Ada was here', 'Ada was here'],
]

test('the names of a person are found alike in files, and replaced in both engines, and those of others are not', async ({
  db,
  clickhouse,
}) => {
  for (const [given, erased] of cases) {
    const text = sql`${typed(given, 'text')}`
    const [inPostgres] = (
      await db.admin.query<{ erased: string; named: boolean }>(
        compile(sql`select ${erasedInPostgres(text, texts)} as erased, ${namedInPostgres(text, texts)} as named`),
      )
    ).rows
    expect(inPostgres).toEqual({ erased, named: given !== erased })
    const column = sql`${typed(given, 'String')}`
    const [inClickHouse] = await clickhouse.query<{ erased: string; named: number | boolean }>(
      compileClickHouse(
        sql`select ${erasedInClickHouse(column, texts)} as erased, ${namedInClickHouse(column, texts)} as named`,
      ),
    )
    expect([inClickHouse?.erased, Boolean(inClickHouse?.named)]).toEqual([erased, given !== erased])
    expect(namedInText(texts)(given)).toBe(given !== erased)
  }
})
