import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouse, createClickHouse } from '../index.ts'
import { migrate, splitStatements } from './migrate.ts'

const root = mkdtempSync(join(tmpdir(), 'clew-ch-'))
const folder = pathToFileURL(`${root}/`)
let clickhouse: ClickHouse

beforeAll(() => {
  clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(root, 'data'),
    socketPath: join(root, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(root, { recursive: true, force: true })
})

test.each([
  ['select 1;\nselect 2;\n', ['select 1', 'select 2']],
  ["select ';' as a;\n-- the end; of it\n", ["select ';' as a"]],
  ['-- why\ncreate table a (b Int8)\n', ['-- why\ncreate table a (b Int8)']],
  ['select 1; \r\nselect 2', ['select 1', 'select 2']],
  ['\n-- nothing\n', []],
])('statements of %j end with a semicolon at a line’s end', (text, statements) => {
  expect(splitStatements(text)).toEqual(statements)
})

test('a room’s files are applied once, in order, and later ones when they appear', async () => {
  writeFileSync(
    new URL('0002_second.sql', folder),
    '-- doubled if it ran twice\ninsert into steps select max(step) * 2 from steps;\n',
  )
  writeFileSync(
    new URL('0001_first.sql', folder),
    'create table if not exists steps (step UInt32)\nengine = MergeTree\norder by step;\ninsert into steps values (3);\n',
  )
  writeFileSync(new URL('notes.txt', folder), 'not a migration')
  await clickhouse.migrate('room', folder)
  await clickhouse.migrate('room', folder)
  writeFileSync(new URL('0003_third.sql', folder), 'insert into steps select max(step) + 1 from steps')
  await clickhouse.migrate('room', folder)
  expect(await clickhouse.query({ text: 'select step from steps order by step', parameters: {} })).toEqual([
    { step: 3 },
    { step: 6 },
    { step: 7 },
  ])
})

test('another room with the same names has its own', async () => {
  rmSync(new URL('0001_first.sql', folder))
  rmSync(new URL('0002_second.sql', folder))
  await clickhouse.migrate('other', folder)
  expect(await clickhouse.query({ text: 'select count() as count from steps', parameters: {} })).toEqual([
    { count: '4' },
  ])
})

test('a statement that fails names itself and leaves its file to be run again', async () => {
  writeFileSync(new URL('0004_wrong.sql', folder), 'insert into steps values (100);\ninsert into nowhere values (1);\n')
  await expect(clickhouse.migrate('room', folder)).rejects.toMatchObject({ code: '60' })
  writeFileSync(new URL('0004_wrong.sql', folder), 'insert into steps values (101);\n')
  await clickhouse.migrate('room', folder)
  expect(
    await clickhouse.query({ text: 'select step from steps where step > 99 order by step', parameters: {} }),
  ).toEqual([{ step: 100 }, { step: 101 }])
})

test('a statement that names its steps is run once for each, and one that waits is over before the next', async () => {
  const steps = pathToFileURL(`${join(root, 'steps')}/`)
  mkdirSync(steps)
  writeFileSync(
    new URL('0001_long.sql', steps),
    `create table if not exists long (n UInt32) engine = MergeTree order by n;
create table if not exists source (number UInt32) engine = MergeTree order by number;
insert into source select number from numbers(1200000);
insert into long select number from source where number % {steps:UInt32} = {step:UInt32};
alter table long add column if not exists twice UInt32 materialized n * 2;
alter table long materialize column twice settings mutations_sync = 1;
`,
  )
  await clickhouse.migrate('steps', steps)
  const [row] = await clickhouse.query({
    text: `select count() as rows, uniqExact(n) as numbers, sum(twice) as twice,
        (select count() from system.parts_columns where active and table = 'long' and column = 'twice') > 0 as kept,
        (select count() from system.mutations where table = 'long' and not is_done) as unfinished
      from long`,
    parameters: {},
  })
  expect(row).toEqual({ rows: '1200000', numbers: '1200000', twice: '1439998800000', kept: 1, unfinished: '0' })
})

test('of an upgrade’s projections one is made after another', async () => {
  const upgrade = pathToFileURL(`${join(root, 'upgrade')}/`)
  mkdirSync(upgrade)
  const run = (text: string) => clickhouse.command({ text, parameters: {} })
  const begun = async () =>
    await clickhouse.query<{ command: string }>({
      text: `select command from system.mutations where table = 'grown' order by create_time, mutation_id`,
      parameters: {},
    })
  writeFileSync(
    new URL('0001_table.sql', upgrade),
    'create table if not exists grown (n UInt32, m UInt32) engine = MergeTree order by n',
  )
  await clickhouse.migrate('upgrade', upgrade)
  await run('insert into grown select number, number from numbers(1000)')
  const projections = ['first', 'second'].map(
    (name) => `alter table grown add projection if not exists ${name} (select m order by m);
alter table grown materialize projection ${name} settings mutations_sync = 0;
`,
  )
  writeFileSync(new URL('0002_projections.sql', upgrade), projections.join(''))
  await run('system stop merges grown')
  let asked = 0
  const query: ClickHouse['query'] = (...question) => {
    asked += 1
    return clickhouse.query(...question)
  }
  const migrated = migrate({ ...clickhouse, query }, 'upgrade', upgrade)
  await expect.poll(() => asked).toBeGreaterThan(4)
  expect(await begun()).toMatchObject([{ command: expect.stringContaining('first') }])
  await run('system start merges grown')
  await migrated
  expect(await begun()).toHaveLength(2)
})

test('what a view makes of rows that were there before it is filled in steps, and bears an interruption', async () => {
  const filled = pathToFileURL(`${join(root, 'filled')}/`)
  mkdirSync(filled)
  writeFileSync(
    new URL('0001_source.sql', filled),
    `create table if not exists told (n UInt32, said String) engine = MergeTree order by n;
insert into told select number, if(number % 4 = 0, 'yes', 'no') from numbers(1200000);
`,
  )
  await clickhouse.migrate('filled', filled)
  writeFileSync(
    new URL('0002_view.sql', filled),
    `create table if not exists agreed (n UInt32) engine = ReplacingMergeTree order by n;
create materialized view if not exists agreed_of_told to agreed as
select n from told where said = 'yes';
fill agreed from agreed_of_told by n;
insert into nowhere values (1);
`,
  )
  await expect(clickhouse.migrate('filled', filled)).rejects.toMatchObject({ code: '60' })
  await clickhouse.command({ text: `insert into told values (1, 'yes'), (3, 'no')`, parameters: {} })
  writeFileSync(new URL('0002_view.sql', filled), 'fill agreed from agreed_of_told by n;\n')
  await clickhouse.migrate('filled', filled)
  const [counts] = await clickhouse.query({
    text: 'select count() as all, countIf(n % 4 != 0) as later from agreed final',
    parameters: {},
  })
  expect(counts).toEqual({ all: '300001', later: '1' })
})

test('an insert that began before a view was made is waited for', async () => {
  const awaited = pathToFileURL(`${join(root, 'awaited')}/`)
  mkdirSync(awaited)
  writeFileSync(
    new URL('0001_source.sql', awaited),
    'create table if not exists slow (n UInt32) engine = MergeTree order by n;\n',
  )
  await clickhouse.migrate('awaited', awaited)
  // With `with` first the engine takes it for a read, which runs beside what writes.
  const text = 'with 1 as one insert into slow select number + sleepEachRow(0.3) from numbers(5)'
  const inserted = clickhouse.command({ text, parameters: {} })
  const running = { text: `select 1 from system.processes where query like 'with 1 as one insert%'`, parameters: {} }
  await expect.poll(async () => (await clickhouse.query(running)).length).toBe(1)
  writeFileSync(
    new URL('0002_view.sql', awaited),
    `create table if not exists followed (n UInt32) engine = ReplacingMergeTree order by n;
create materialized view if not exists followed_of_slow to followed as select n from slow;
fill followed from followed_of_slow by n;
`,
  )
  await clickhouse.migrate('awaited', awaited)
  expect(await clickhouse.query({ text: 'select count() as rows from followed final', parameters: {} })).toEqual([
    { rows: '5' },
  ])
  await inserted
})

test('a table is filled with rows of the time in which a file was applied', async () => {
  const timed = pathToFileURL(`${join(root, 'timed')}/`)
  mkdirSync(timed)
  const files = {
    '0001_source.sql': `create table if not exists timed (n UInt32, stored_at DateTime64(3, 'UTC')) engine = MergeTree order by n;
create table if not exists doubled (n UInt32) engine = ReplacingMergeTree order by n;
create materialized view if not exists doubled_of_timed to doubled as select n * 2 as n from timed;
`,
    '0002_between.sql': 'select 1;\n',
    '0003_filled.sql': 'fill doubled from doubled_of_timed by n during 0002_between;\n',
    '0004_itself.sql': 'fill doubled from doubled_of_timed by n during 0004_itself;\n',
  }
  const write = (name: keyof typeof files) => writeFileSync(new URL(name, timed), files[name])
  const run = (text: string) => clickhouse.command({ text, parameters: {} })
  const applied = (name: string, at: string) =>
    run(`alter table migrations update applied_at = '${at}' where name = '${name}.sql' settings mutations_sync = 1`)
  write('0001_source.sql')
  write('0002_between.sql')
  await clickhouse.migrate('timed', timed)
  await applied('0001_source', '2026-01-01 00:00:00')
  await applied('0002_between', '2026-01-02 00:00:00')
  const rows = [
    ...['2025-12-31 23:57:00', '2025-12-31 23:59:00', '2026-01-01 12:00:00', '2026-01-02 00:00:01'],
    new Date(Date.now() + 60_000).toISOString(),
  ]
  await clickhouse.insert(
    'timed',
    rows.map((at, n) => ({ n, stored_at: at })),
  )
  const filled = async () =>
    (await clickhouse.query<{ n: number }>({ text: 'select n from doubled final order by n', parameters: {} })).map(
      ({ n }) => n / 2,
    )
  const refilled = async (name: keyof typeof files) => {
    await run('truncate table doubled')
    write(name)
    await clickhouse.migrate('timed', timed)
    return filled()
  }
  // An insert that began before the file may have stored in the table of before.
  expect(await refilled('0003_filled.sql')).toEqual([1, 2])
  expect(await refilled('0004_itself.sql')).toEqual([4])
})
