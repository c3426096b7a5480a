import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { CopiedServer } from '../../../engines/postgres/index.ts'
import { digestAllTables } from '../sources/table-digests.ts'
import { checkClickHouse, checkPostgres } from './check-tables.ts'

const asCopy =
  ({ admin }: TestDatabase): CopiedServer['query'] =>
  async <Row extends object>(statement: Parameters<typeof admin.query>[0]) =>
    (await admin.query<Row>(statement)).rows

describe('of PostgreSQL', () => {
  test('tables as they were are good; other rows, and a table that is gone, are told by name', async ({ db }) => {
    const query = asCopy(db)
    const postgres = { query } as CopiedServer
    const write = (text: string) => db.admin.query({ text, values: [] })
    await write('create table public.kept (n int); insert into public.kept select generate_series(1, 100)')
    await write('create table public.lost (n int); insert into public.lost values (1)')
    const tables = [...(await digestAllTables({ query }))].map(([name, digest]) => ({ name, digest }))
    const facts = { version: '18.4', systemId: '1', timeline: 1, startLsn: '0/0', stopLsn: '0/0', tables }
    const check = () => checkPostgres(facts, { postgres })
    expect(await check()).toEqual({
      detail: expect.stringContaining(`${tables.length} tables are those of the instance, row by row`),
      problem: null,
    })
    await write('delete from public.kept where n = 50')
    expect((await check()).problem).toBe('Other rows than in the instance: public.kept.')
    // As many rows, and not the same.
    await write('insert into public.kept values (50)')
    expect((await check()).problem).toBe('Other rows than in the instance: public.kept.')
    await write('drop table public.lost')
    expect((await check()).problem).toBe('Missing: public.lost. Other rows than in the instance: public.kept.')
  })
})

const command = (clickhouse: ClickHouse, text: string) => clickhouse.command({ text, parameters: {} })

/** A table of 1,000 rows in two parts. */
async function fill(clickhouse: ClickHouse): Promise<void> {
  await command(clickhouse, 'create table seen (n UInt32, text String) engine = MergeTree order by n')
  for (const from of [0, 500])
    await command(clickhouse, `insert into seen select number + ${from}, toString(number) from numbers(500)`)
}

/** Where the active parts are. */
const partsOf = async (clickhouse: ClickHouse): Promise<readonly string[]> =>
  (
    await clickhouse.query<{ path: string }>({
      text: `select path from system.parts where table = 'seen' and active order by path`,
      parameters: {},
    })
  ).map(({ path }) => path)

describe('of ClickHouse', () => {
  test('rows as they were are good; more, and none, are told', async ({ clickhouse }) => {
    await fill(clickhouse)
    const problemWith = async (rows: number) =>
      (await checkClickHouse({ version: '', rows: { seen: rows } }, clickhouse)).problem
    expect(await problemWith(1000)).toBeNull()
    expect(await problemWith(999)).toBe('seen has 1000 rows, and had 999.')
    await command(clickhouse, 'truncate table seen')
    expect(await problemWith(1000)).toBe('seen has 0 rows, and had 1000.')
  })

  test('a byte that turned in a part is told with the part', async ({ clickhouse }) => {
    await fill(clickhouse)
    const [part = ''] = await partsOf(clickhouse)
    const name = (await readdir(part)).find((file) => /^(?:data|text|n)\.bin$/.test(file)) ?? ''
    const bytes = await readFile(join(part, name))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(join(part, name), bytes)
    const { problem } = await checkClickHouse({ version: '', rows: { seen: 1000 } }, clickhouse)
    expect(problem).toMatch(/^Checksums of seen are wrong: /)
  })

  test('a part that could not be read when the copy began is told', async ({ clickhouse }) => {
    await fill(clickhouse)
    const [part = ''] = await partsOf(clickhouse)
    await writeFile(join(part, 'checksums.txt'), 'x')
    // It is read anew, as a start does.
    await command(clickhouse, 'detach table seen')
    await command(clickhouse, 'attach table seen')
    const { problem } = await checkClickHouse({ version: '', rows: { seen: 1000 } }, clickhouse)
    expect(problem).toContain('1 parts could not be read.')
  })
})
