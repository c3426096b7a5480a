import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openBulkConnection } from './bulk-connection.ts'

const open = (db: TestDatabase) => {
  const { host, port, user, database } = db.login('postgres')
  return openBulkConnection(`host='${host}' port=${port} user=${user} dbname=${database}`, 'bulk test')
}

test('rows stream from one connection to another', async ({ db }) => {
  const [from, to] = await Promise.all([open(db), open(db)])
  await db.script('create table public.copied (n int, note text)')
  const rows = from.copyOut(`copy (select n, repeat('é\t', 20) from generate_series(1, 20000) n) to stdout`)
  expect(await to.copyIn('copy public.copied from stdin', rows)).toBe(20_000)
  const { rows: sums } = await from.query({
    text: 'select sum(n)::int as n, min(note) as note from public.copied',
    values: [],
  })
  expect(sums).toEqual([{ n: 200_010_000, note: 'é\t'.repeat(20) }])
  await Promise.all([from.close(), to.close()])
})

test('a refused row fails the copy alone: both connections go on', async ({ db }) => {
  const [from, to] = await Promise.all([open(db), open(db)])
  await db.script('create table public.small (n int check (n < 10))')
  for (const target of ['public.small', 'public.nowhere']) {
    const rows = from.copyOut('copy (select n from generate_series(1, 20000) n) to stdout')
    await expect(to.copyIn(`copy ${target} from stdin`, rows)).rejects.toThrow(/violates check|does not exist/)
    expect((await to.query({ text: 'select n from public.small', values: [] })).rowCount).toBe(0)
    expect((await from.query({ text: 'select 1', values: [] })).rowCount).toBe(1)
  }
  await Promise.all([from.close(), to.close()])
})

test('a source that fails leaves no row', async ({ db }) => {
  const to = await open(db)
  await db.script('create table public.half (n int)')
  const rows = Readable.from(
    (function* () {
      yield '1\n'
      throw new Error('the source is gone')
    })(),
  )
  await expect(to.copyIn('copy public.half from stdin', rows)).rejects.toThrow('the source is gone')
  expect((await to.query({ text: 'select n from public.half', values: [] })).rowCount).toBe(0)
  await to.close()
})
