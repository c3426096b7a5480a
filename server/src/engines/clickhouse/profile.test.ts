import { ClickHouseError } from '@clickhouse/client'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/harness.ts'
import { oddProfile, serveWithProfile } from '../../../test/profiled-clickhouse.ts'
import { explainRefusal } from './external.ts'
import { createClickHouse } from './index.ts'

const statements: readonly string[] = [
  'select toUInt64(1) as n, toDecimal64(1.5, 1) as decimal, 0.5 as float, 1 / 0 as infinite',
  `select cast((1, 'a'), 'Tuple(n UInt8, t String)') as named`,
  `select toDateTime64('2026-01-02 03:04:05.678', 3, 'UTC') as at, toString(toDateTime(0)) as beginning`,
  `select toTypeName(toMonday(toDateTime64('2026-01-02 03:04:05', 3))) as type, toDateTime(-1.0) as before`,
  `select a.n, b.t from (select 1 as n) a left join (select 2 as n, 'x' as t) b on a.n = b.n`,
  'select n, m from (select 1 as n) a join (select 1 as n, arrayJoin([1, 2]) as m) b on a.n = b.n order by m',
  'select max(number) as most, count() as all from numbers(0)',
  'select count() as all from numbers(3) where null in (null, 1)',
  'select number, sum(1) as sum from numbers(2) group by rollup(number) order by number, sum',
  `select -number as number from numbers(2) order by number`,
  `select cast(cast(1, 'Nullable(UInt8)'), 'UInt16') as n, toTypeName(cast(cast(1, 'Nullable(UInt8)'), 'UInt16')) as type`,
  'select number from numbers(5)',
]

test('answers are as the embedded engine gives them, whatever the profile of a server’s login says', async ({
  clickhouse,
}) => {
  const url = await serveWithProfile(clickhouse, oddProfile)
  const external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
  onTestFinished(() => external.close())
  for (const text of statements) {
    const expected = await clickhouse.query({ text, parameters: {} })
    const ofProfile = await fetch(`${url}/?default_format=JSONEachRow`, { method: 'POST', body: text })
    expect((await ofProfile.text()).trim(), text).not.toBe(expected.map((row) => JSON.stringify(row)).join('\n'))
    expect(await external.query({ text, parameters: {} }), text).toEqual(expected)
  }
})

test('rows are stored as in the embedded engine, whatever the profile of a server’s login says', async ({
  clickhouse,
}) => {
  const url = await serveWithProfile(clickhouse, oddProfile)
  const external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
  onTestFinished(() => external.close())
  const run = (text: string) => external.command({ text, parameters: {} })
  await run(`
    create table said (n UInt32, at DateTime64(3, 'UTC'), twice UInt32 default n * 2, text String)
    engine = ReplacingMergeTree order by n`)
  await external.insert('said', [
    { n: 1, at: '2026-01-02T03:04:05.678Z', text: null, later: 1 },
    { n: 1, at: '2026-01-02T03:04:05.678Z', text: '' },
    { n: 2, at: '2026-01-02T03:04:06.000Z', text: 'x' },
  ])
  await external.insert('said', [{ n: 1, at: '2026-01-02T03:04:05.678Z', text: '' }])
  await run(`alter table said update text = 'changed' where n = 1`)
  const rows = { text: 'select n, at, twice, text from said order by n', parameters: {} }
  const changed = { n: 1, at: '2026-01-02 03:04:05.678', twice: 2, text: 'changed' }
  expect(await external.query(rows)).toEqual([
    changed,
    changed,
    { n: 2, at: '2026-01-02 03:04:06.000', twice: 4, text: 'x' },
  ])
})

test('a token counts, whatever the profile of a server’s login says', async ({ clickhouse }) => {
  const url = await serveWithProfile(clickhouse, oddProfile)
  const external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
  onTestFinished(() => external.close())
  await external.command({
    text: 'create table once (n UInt8) engine = MergeTree order by n settings non_replicated_deduplication_window = 10',
    parameters: {},
  })
  for (const token of ['a', 'a', 'b']) await external.insert('once', [{ n: 1 }], { token })
  expect(await external.query({ text: 'select count() as rows from once', parameters: {} })).toEqual([{ rows: '2' }])
})

test('an answer that a profile would cut short is refused', async ({ clickhouse }) => {
  const url = await serveWithProfile(clickhouse, { max_result_rows: '2', result_overflow_mode: 'break' })
  const external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
  onTestFinished(() => external.close())
  const rows = { text: 'select number from numbers(3)', parameters: {} }
  await expect(external.query(rows)).rejects.toThrow(/Limit for result exceeded/)
})

test('a setting that a server does not take is named, with what to do', async ({ clickhouse }) => {
  const url = await serveWithProfile(clickhouse, { no_such_setting: '1' })
  const external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
  onTestFinished(() => external.close())
  await expect(external.ready()).rejects.toThrow(
    /refuses a setting that each request has: .*no_such_setting.*Give a server of version 24\.8 or newer/s,
  )
})

test.each([
  ['164', "Cannot modify 'limit' setting in readonly mode."],
  ['452', 'Setting join_use_nulls should not be changed.'],
])('a profile that lets no setting be changed, code %s, is told with what to do', (code, message) => {
  const refused = new ClickHouseError({ code, message, type: '' })
  expect(explainRefusal(refused)).toContain(`${message} Let the profile of its login change it`)
  expect(explainRefusal(new ClickHouseError({ code: '60', message, type: '' }))).toBeNull()
})
