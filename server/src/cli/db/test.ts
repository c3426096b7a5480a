import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { parseTap } from '../../database/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { parseProjectFile } from '../../instance/project/run-file.ts'
import type { DatabaseOptions, DirectoryOptions } from '../options.ts'
import { bold, green, print, red } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf, withTarget } from '../target.ts'

/** Runs files of tests, each in a transaction that is rolled back; prints what they say, and a line for each. */
export async function testDatabase(paths: readonly string[], options: DatabaseOptions): Promise<number> {
  return withTarget(options, async ({ settings, database }) => {
    const folder = projectOf(settings)
    const files = await testFiles(folder, paths)
    if (files.length === 0) {
      print('No tests are in supabase/tests.')
      return 0
    }
    const results: boolean[] = []
    for (const path of files) {
      const name = relative(folder, path)
      const lines = await runTests(database.sql, name, await readFile(path, 'utf8'))
      for (const line of lines) print(line)
      const { isGood, passed, failed, planned } = parseTap(lines)
      const count = `${passed} of ${planned ?? passed + failed} passed`
      print(`${isGood ? green('ok') : red('FAILED')}  ${bold(name)}  ${count}`)
      results.push(isGood)
    }
    const bad = results.filter((isGood) => !isGood).length
    print(`Files=${results.length}, failed=${bad}`)
    print(`Result: ${bad === 0 ? 'PASS' : 'FAIL'}`)
    return bad === 0 ? 0 : 1
  })
}

async function testFiles(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const places = paths.length === 0 ? [join(folder, 'supabase', 'tests')] : paths.map((path) => resolve(path))
  const found = places.map((place) =>
    /\.(sql|pg)$/.test(place) ? [place] : glob('**/*.{sql,pg}', { cwd: place, absolute: true }),
  )
  return (await Promise.all(found)).flatMap((each) => [...each].sort())
}

/** The lines that a file's statements answer; an error is a test that failed. */
async function runTests(database: Sql, name: string, text: string): Promise<readonly string[]> {
  const lines: string[] = []
  const { statements } = await parseProjectFile(name, text.replaceAll(/^\\.*$/gm, ''))
  await database
    .transaction(async (tx) => {
      await requirePgTap(tx)
      for (const statement of statements) {
        if (transactionCommand.test(statement.text)) continue
        const { rows } = await tx.query<Record<string, unknown>>({ text: statement.text, values: [] })
        lines.push(...rows.flatMap((row) => Object.values(row).flatMap(textLines)))
      }
      throw new Finished()
    })
    .catch((error: unknown) => {
      if (error instanceof Finished) return
      if (error instanceof Error && 'code' in error && error.code === 'CLEW_EXTENSION_MISSING') throw error
      lines.push(`not ok - ${messageOf(error)}`)
    })
  return lines
}

/** A file's own transaction: it is run in one, and nothing of it stays. */
const transactionCommand = /^(?:\s|--[^\n]*\n)*(?:begin|start transaction|rollback|commit|end)\b[^;]*$/i

/** Thrown at the end of a file, to roll it back. */
class Finished extends Error {}

const textLines = (value: unknown): readonly string[] => (typeof value === 'string' ? value.split('\n') : [])

/** Creates pgTAP where the server has it and the database does not. @throws CLEW_EXTENSION_MISSING */
async function requirePgTap(tx: Sql): Promise<void> {
  const { rows } = await tx.query<{ present: boolean; available: boolean }>({
    text: `
      select to_regprocedure('plan(integer)') is not null as present,
        exists (select from pg_catalog.pg_available_extensions where name = 'pgtap') as available`,
    values: [],
  })
  if (rows[0]?.present === true) return
  if (rows[0]?.available !== true) throw instanceError('CLEW_EXTENSION_MISSING', { message: 'The tests need pgTAP.' })
  await tx.query({ text: 'create extension pgtap with schema extensions', values: [] })
}

const template = `begin;
select plan(1);

select ok(true, 'a first test');

select * from finish();
rollback;
`

/** Writes a file of tests to begin with. */
export async function create(name: string, options: DirectoryOptions): Promise<number> {
  const folder = projectOf(await settingsOf({ ...options }))
  const path = join(folder, 'supabase', 'tests', `${name}_test.sql`)
  await mkdir(join(folder, 'supabase', 'tests'), { recursive: true })
  await writeFile(path, template, { flag: 'wx' })
  print(`Created new pgtap test at ${bold(relative(folder, path))}`)
  return 0
}
