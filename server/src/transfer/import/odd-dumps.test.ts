import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { importDatabase } from './import-database.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-odd-dumps-'))
})
afterAll(() => rm(folder, { recursive: true }))

const importFile = (db: TestDatabase, path: string, progress: (line: string) => void = () => undefined) => {
  const { host, port, user, database } = db.login('postgres')
  return importDatabase({
    origin: 'supabase',
    from: { kind: 'file', path },
    targetAddress: `host='${host}' port=${port} user=${user} dbname=${database}`,
    activatesJobs: false,
    files: null,
    progress,
  })
}

const table = 'CREATE TABLE public.cups (id integer NOT NULL, name text);\n'
const rows = (...lines: readonly string[]): string =>
  `COPY public.cups (id, name) FROM stdin;\n${lines.join('\n')}${lines.length === 0 ? '' : '\n'}\\.\n`
const many = rows(...Array.from({ length: 40_000 }, (_, n) => `${n}\tcup ${n}`))

test.for([
  ['ends within rows', Buffer.from(`${table}${rows('1\ta').slice(0, -3)}`), 'ends within the rows'],
  ['is compressed and cut', gzipSync(table + many).subarray(0, 20_000), 'is no whole gzip file'],
  [
    'is compressed and damaged',
    Buffer.from([...gzipSync(table).subarray(0, 30), ...Buffer.alloc(40, 7)]),
    'no whole gzip',
  ],
  ['holds a byte of another encoding', Buffer.from(`${table}${rows('1\tcaf\u00e9')}`, 'latin1'), 'are not UTF-8'],
  ['ends within a letter', Buffer.from(`${table}-- é`).subarray(0, -1), 'are not UTF-8'],
] as const)(
  'a dump that %s is refused in one sentence, and no table has a part of its rows',
  async ([name, bytes, message], { db }) => {
    const path = join(folder, `${name}.sql`)
    await writeFile(path, bytes)
    await expect(importFile(db, path)).rejects.toMatchObject({
      code: 'CLEW_IMPORT_FILE',
      message: expect.stringContaining(message),
    })
    const { rows: there } = await db.owner.query<{ cups: string | null }>({
      text: `select to_regclass('public.cups') as cups`,
      values: [],
    })
    if (there[0]?.cups !== null) {
      const { rows: kept } = await db.owner.query({ text: 'select from public.cups', values: [] })
      expect(kept).toEqual([])
    }
  },
)

test.for([
  ['a file that is not there', join('none', 'dump.sql')],
  ['a folder', 'folder'],
] as const)('%s is refused as such', async ([, name], { db }) => {
  await mkdir(join(folder, 'folder'), { recursive: true })
  await expect(importFile(db, join(folder, name))).rejects.toMatchObject({
    code: 'CLEW_IMPORT_FILE',
    message: `${join(folder, name)} cannot be read.`,
  })
})

test('what is no SQL, what no row can hold, and what the owner may not do is named; the rest is taken', async ({
  db,
}) => {
  const path = join(folder, 'odd.sql')
  await writeFile(
    path,
    `\ufeff\\restrict x\n${table}this is no SQL;\nCREATE TABLE public.plates (id integer NOT NULL);\n${rows('1\ta', 'two\tb')}
COPY public.plates (id) FROM stdin;\n7\n\\.\n
    ALTER SYSTEM SET fsync = off;\nCOPY public.cups TO PROGRAM 'id';\nCREATE FUNCTION public.f() RETURNS int LANGUAGE c AS 'x', 'y';
\\unrestrict x\n`,
  )
  const { failed, tables } = await importFile(db, path)
  expect(failed.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('syntax error at or near "this"'),
    expect.stringContaining('invalid input syntax for type integer: "two"'),
    expect.stringContaining('ALTER SYSTEM cannot run inside a transaction block'),
    expect.stringContaining('permission denied to COPY to or from an external program'),
    expect.stringContaining('permission denied for language c'),
  ])
  expect(tables).toEqual([{ table: 'public.plates', rows: 1, conflicts: 0 }])
})

test('of two imports at once the second is refused, and does its part when the first has ended', async ({ db }) => {
  const [first, second] = [join(folder, 'first.sql'), join(folder, 'second.sql')]
  await writeFile(first, table + many)
  await writeFile(second, 'CREATE TABLE public.plates (id integer);')
  const refusals: Promise<unknown>[] = []
  const report = await importFile(db, first, () => {
    refusals.push(importFile(db, second).catch((error: unknown) => error))
  })
  expect(report.tables).toEqual([{ table: 'public.cups', rows: 40_000, conflicts: 0 }])
  const [refusal] = await Promise.all(refusals)
  expect(refusal).toMatchObject({ code: 'CLEW_IMPORT_RUNNING' })
  expect(await importFile(db, second)).toMatchObject({ statements: 1, failed: [] })
})

test('an import whose connection is cut ends with the reason; the next run has each row once', async ({ db }) => {
  const path = join(folder, 'cut.sql')
  await writeFile(path, `${table}${rows('1\ta')}CREATE TABLE public.plates (id integer);\n`)
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'clew import'
    and datname = current_database()`
  let isCut: Promise<unknown> | undefined
  const cut = importFile(db, path, (line) => {
    if (line === 'public.cups') isCut = db.admin.query({ text: end, values: [] })
  })
  await expect(cut).rejects.toThrow()
  await isCut
  const { failed } = await importFile(db, path)
  expect(failed).toEqual([])
  const { rows: there } = await db.owner.query({ text: 'select id from public.cups', values: [] })
  expect(there).toEqual([{ id: 1 }])
})
