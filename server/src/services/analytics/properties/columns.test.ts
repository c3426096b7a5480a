import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { tablesWith } from '../../../../test/tables-with.ts'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { identifier, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { analyticsTables } from '../index.ts'
import { maskedStores } from '../masking/stores.ts'
import { createPropertyColumns } from './columns.ts'
import { columnOf, hasProperty, isProperty, numberOfProperty, propertyOf, rawProperty } from './render.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const settings = { propertyColumns: 2, propertyColumnUses: 3, propertyColumnDays: 30 }
const open = new AbortController().signal
const dayMs = 24 * 3_600_000

const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const opened: (() => Promise<void>)[] = []
  onCleanup(async () => {
    for (const close of opened) await close()
  })
  let nowMs = Date.parse('2026-03-31T12:00:00Z')
  /** A process. */
  const start = (others: Partial<typeof settings> = {}) => {
    const columns = createPropertyColumns({
      ...{ sql: db.admin, clickhouse, settings: { ...settings, ...others }, log: silent },
      now: () => new Date(nowMs),
    })
    opened.push(columns.close)
    return columns
  }
  return {
    start,
    columns: start(),
    /** The next hour's turn, so many milliseconds later. */
    pass: async (ms: number) => {
      nowMs += ms
      await db.admin.query(compile(sql`update clew_analytics.property_turn set taken_until = '-infinity'`))
    },
  }
})

let last = 0

async function store(clickhouse: ClickHouse, ...properties: readonly string[]): Promise<void> {
  const rows = properties.map((text) => {
    last += 1
    const uuid = `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
    return { uuid, event: 'ordered', distinct_id: 'ann', properties: text }
  })
  await clickhouse.insert('events', rows)
}

/** The numbers of what each condition finds. */
const found = async (clickhouse: ClickHouse, condition: SqlFragment): Promise<readonly string[]> =>
  (
    await clickhouse.query<{ uuid: string }>(
      compileClickHouse(sql`select uuid from events where ${condition} order by uuid`),
    )
  ).map(({ uuid }) => uuid)

const columnsOf = async (clickhouse: ClickHouse): Promise<readonly string[]> => {
  const text = "select name from system.columns where table = 'events' and startsWith(name, 'property_') order by name"
  return (await clickhouse.query<{ name: string }>({ text, parameters: {} })).map(({ name }) => name)
}

const ask = async (columns: ReturnType<typeof createPropertyColumns>, property: string, times: number) => {
  for (let time = 0; time < times; time += 1) await columns.read(property)
}

/** Whether statements read the property's column, and not all properties. */
const isColumn = async (columns: ReturnType<typeof createPropertyColumns>, property: string): Promise<boolean> =>
  (await columns.read(property)).parts.some((part) => part.kind === 'name' && part.path[0] === columnOf(property))

const names = ['plan', 'größe', 'a.b', 'a/b', `it's "so" \`called\` \\ 100%`, '$set', 'plan_tier', '']

test('each property has a column of another name, which tells it', () => {
  const odd = [...names, 'a%2Eb', 'a b', 'A.B', 'PLAN']
  expect(new Set(odd.map(columnOf)).size).toBe(odd.length)
  expect(odd.map((name) => propertyOf(columnOf(name)))).toEqual(odd)
})

const values = [
  ...['"pro"', '""', '"12.5"', '12.5', '-3', '1e3', '0.1', '9007199254740993', '12345678901234567890', 'true', 'null'],
  ...['"a/b"', '"a\\/b"', '"\\u00fc"', '"ü"', '"x\\ny"', '{"a":[1, 2]}', '[]', '"null"', '1e400'],
]
const sought = [
  'pro',
  '12.5',
  '-3',
  '1000',
  '0.1',
  '9007199254740993',
  'true',
  'null',
  'a/b',
  'ü',
  'x\ny',
  '{"a":[1,2]}',
]

test('a property is found as in all properties, of events before and after its column, however it is written', async ({
  clickhouse,
  world,
}) => {
  expect(world).toBeDefined()
  // As a client may write it: as it is, and with all that JSON can escape escaped.
  const escaped = (text: string): string =>
    `"${[...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
  const texts = names.flatMap((name) => [
    ...values.map((value) => `{"other":"plan",${JSON.stringify(name)}:${value}}`),
    ...values.slice(0, 3).map((value) => `{${escaped(name)} : ${value}}`),
  ])
  await store(clickhouse, ...texts, '{}', '{"other":"\\"plan\\":1"}')
  for (const name of names) {
    await clickhouse.command(
      compileClickHouse(
        sql`alter table events add column ${identifier(columnOf(name))} String materialized ${rawProperty(name)}`,
      ),
    )
    await store(clickhouse, ...texts)
    for (const raw of [rawProperty(name), identifier(columnOf(name))]) {
      const pairs = [
        [hasProperty(raw), sql`JSONHas(properties, ${name})`],
        [sql`${numberOfProperty(raw)} = 12.5`, sql`JSONExtractFloat(properties, ${name}) = 12.5`],
        [isProperty(raw, ''), sql`JSONExtractRaw(properties, ${name}) = '""'`],
        ...sought.map((value) => [
          isProperty(raw, value),
          sql`lowerUTF8(${value}) in (lowerUTF8(JSONExtractString(properties, ${name})), lowerUTF8(JSONExtractRaw(properties, ${name})))`,
        ]),
      ] as const
      const counts = pairs.map(([given, known]) => sql`(countIf((${given}) != (${known})), countIf(${known}) > 0)`)
      const [row] = await clickhouse.query(compileClickHouse(sql`select [${join(counts)}] as counts from events`))
      expect(row).toEqual({ counts: pairs.map(() => ['0', 1]) })
    }
  }
})

test('what is asked for often has a column, which is written for earlier events and read from then on', async ({
  clickhouse,
  world: { columns, start },
}) => {
  await store(clickhouse, '{"plan":"pro"}', '{"n":1}')
  await ask(columns, 'plan', 3)
  await ask(columns, 'n', 2)
  expect(await columns.list()).toEqual([])
  await columns.choose(open)
  expect(await columnsOf(clickhouse)).toEqual(['property_plan'])
  expect(await columns.list()).toMatchObject([{ property: 'plan', isFilled: true }])
  const other = start()
  expect([await isColumn(other, 'plan'), await isColumn(other, 'n')]).toEqual([true, false])
  expect(await found(clickhouse, isProperty(await other.read('plan'), 'pro'))).toHaveLength(1)
})

test('what a column takes is known of parts that are not small', async ({ clickhouse, world: { columns } }) => {
  await store(clickhouse, '{"plan":"pro"}')
  await ask(columns, 'plan', 3)
  await columns.choose(open)
  expect(await columns.list()).toMatchObject([{ bytes: null }])
  const run = (text: string): Promise<void> => clickhouse.command({ text, parameters: {} })
  await run('alter table events modify setting min_bytes_for_wide_part = 0')
  await store(clickhouse, '{"plan":"free"}')
  expect(await columns.list()).toMatchObject([{ property: 'plan', bytes: expect.any(Number) }])
})

test('uses of all processes count, and one of them chooses in an hour', async ({ clickhouse, world }) => {
  const [first, second] = [world.start(), world.start()]
  await ask(first, 'plan', 2)
  await ask(second, 'plan', 1)
  await first.close()
  await second.choose(open)
  expect(await columnsOf(clickhouse)).toEqual(['property_plan'])
  await ask(second, 'n', 3)
  await second.choose(open)
  expect(await columnsOf(clickhouse)).toEqual(['property_plan'])
  await world.pass(0)
  await second.choose(open)
  expect(await columnsOf(clickhouse)).toEqual(['property_n', 'property_plan'])
})

test('a column that is not asked for is read no more, and dropped once no statement can read it', async ({
  clickhouse,
  world,
}) => {
  await store(clickhouse, '{"plan":"pro"}')
  const before = world.start()
  await ask(before, 'plan', 3)
  await before.choose(open)
  const reader = world.start()
  expect(await isColumn(reader, 'plan')).toBe(true)
  await world.pass(40 * dayMs)
  await world.start().choose(open)
  expect([await world.start().list(), await columnsOf(clickhouse)]).toEqual([[], ['property_plan']])
  // A process that has not looked since.
  expect(await isColumn(reader, 'plan')).toBe(true)
  expect(await found(clickhouse, isProperty(await reader.read('plan'), 'pro'))).toHaveLength(1)
  await world.pass(dayMs)
  await world.start().choose(open)
  expect(await columnsOf(clickhouse)).toEqual([])
  expect(await found(clickhouse, isProperty(await world.start().read('plan'), 'pro'))).toHaveLength(1)
})

test('with the setting 0 nothing is counted, and no column stays', async ({ db, clickhouse, world }) => {
  await ask(world.columns, 'plan', 3)
  await world.columns.choose(open)
  const without = world.start({ propertyColumns: 0 })
  for (const ms of [0, dayMs]) {
    await ask(without, 'n', 9)
    await world.pass(ms)
    await without.choose(open)
  }
  expect(await columnsOf(clickhouse)).toEqual([])
  const counted = await db.admin.query(compile(sql`select from clew_analytics.property_uses where property = 'n'`))
  expect(counted.rows).toEqual([])
})

test('what a process has not finished the next turn finishes, whatever of it there is', async ({
  db,
  clickhouse,
  world,
}) => {
  await store(clickhouse, '{"plan":"pro","n":1}')
  await ask(world.columns, 'plan', 3)
  await ask(world.columns, 'n', 3)
  await expect(world.columns.choose(AbortSignal.abort())).rejects.toThrow()
  expect(await columnsOf(clickhouse)).toHaveLength(1)
  expect((await world.columns.list()).map(({ isFilled }) => isFilled)).toEqual([false])
  await world.pass(0)
  await world.columns.choose(open)
  const filled = [
    { property: 'n', isFilled: true },
    { property: 'plan', isFilled: true },
  ]
  expect(await world.columns.list()).toMatchObject(filled)
  // PostgreSQL and ClickHouse of different states, as where one of them was restored.
  await clickhouse.command({ text: 'alter table events drop column property_n', parameters: {} })
  await db.admin.query(compile(sql`delete from clew_analytics.property_columns where property = 'plan'`))
  expect(await isColumn(world.start(), 'n')).toBe(false)
  await world.pass(0)
  await world.columns.choose(open)
  expect(await world.columns.list()).toMatchObject(filled)
})

test('what is masked is masked in its column as well', async ({ db, clickhouse, world: { columns } }) => {
  await store(clickhouse, '{"email":"ann@x.test","plan":"pro"}')
  for (const property of ['email', 'plan']) await ask(columns, property, 3)
  await columns.choose(open)
  expect(await found(clickhouse, isProperty(identifier('property_email'), 'ann@x.test'))).toHaveLength(1)
  const [events] = maskedStores({ sql: db.admin, clickhouse })
  const work = { signal: open, progress: async () => undefined }
  expect(await events?.mask({ properties: ['email'], columns: [] }, work)).toBe(1)
  expect(await tablesWith(db, clickhouse, 'ann@x.test')).toEqual([])
  expect(await found(clickhouse, isProperty(identifier('property_email'), '[masked]'))).toHaveLength(1)
  expect(await found(clickhouse, isProperty(identifier('property_plan'), 'pro'))).toHaveLength(1)
})

test('a name that no engine keeps is read of all properties', async ({ clickhouse, world: { columns } }) => {
  await store(clickhouse, '{"a\\u0000b":1}', `{"${'x'.repeat(300)}":1}`)
  for (const name of ['\ud83d', 'a\0b', 'x'.repeat(300)]) await ask(columns, name, 3)
  await columns.choose(open)
  expect(await columnsOf(clickhouse)).toEqual([])
  expect(await found(clickhouse, hasProperty(await columns.read('x'.repeat(300))))).toHaveLength(1)
})
