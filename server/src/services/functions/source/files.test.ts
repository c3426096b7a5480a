import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesOf } from './files.ts'

let project: string
const long = `${'a'.repeat(200)}b`
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'clew-files-'))
  await mkdir(join(project, 'pages/deep'), { recursive: true })
  for (const path of ['pages/a.html', 'pages/deep/b.html', `pages/${long}`, 'pages/+(a)'])
    await writeFile(join(project, path), '')
})
afterAll(() => rm(project, { recursive: true, force: true }))

const entry = 'supabase/functions/hello/index.ts'
const find = (pattern: string): Promise<readonly string[]> =>
  filesOf(project, { name: 'hello', entry, verifyJwt: true, staticFiles: [pattern], importMap: null, config: null })

test.each([
  ['pages/*.html', ['pages/a.html']],
  ['pages/**/*.html', ['pages/a.html', 'pages/deep/b.html']],
  ['./pages/{a,c}.html', ['pages/a.html']],
  ['pages/*a*b', [`pages/${long}`]],
  // An extended pattern is none: it would be matched by trying all ways.
  ['pages/+(+(a|a)|a)c', []],
])('the static files %s are found', async (pattern, expected) => {
  expect(await find(pattern)).toEqual([...expected, entry].sort())
})

test.each([`pages/${'*a'.repeat(30)}c`, `${'**/'.repeat(20)}c`, 'pages/+(a*)*(a*)*(a*)c'])(
  'a pattern that could take for ever is refused: %s',
  async (pattern) => {
    await expect(find(pattern)).rejects.toMatchObject({ code: 'BOOT_ERROR', details: expect.stringContaining('two *') })
  },
)
