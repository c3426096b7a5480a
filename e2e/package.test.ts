import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const server = fileURLToPath(new URL('../server', import.meta.url))
// A third is the reader of PDFs, which is loaded with the first one.
const mostBytes = 8 * 1024 ** 2

let packed: { readonly size: number; readonly files: readonly { readonly path: string }[] }
beforeAll(async () => {
  // Nothing is written but the README and the licence, for as long as npm looks.
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: server })
  packed = JSON.parse(stdout)[0]
})

test('the package has the command, the console, the tables, its types, its README and licence, and nothing of the tests', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'bin/clew.js',
      'dist/cli/index.js',
      'dist/package/index.d.ts',
      'dist/package/clew.schema.json',
      'dist/change-worker/worker.js',
      'dist/console/index.html',
      'dist/services/storage/migrations/0001_schema.sql',
    ]),
  )
  expect(paths.filter((path) => /\.test\.|(?<!\.d)\.tsx?$|\.map$|(?:^|\/)tests?\//.test(path))).toEqual([])
  expect(packed.size).toBeLessThan(mostBytes)
})

test('whatever the package imports is among its dependencies', async () => {
  const { dependencies } = JSON.parse(await readFile(join(server, 'package.json'), 'utf8'))
  const own = packed.files.filter(({ path }) => /^dist\/(?!console\/).*\.js$/.test(path))
  const texts = await Promise.all(own.map(({ path }) => readFile(join(server, path), 'utf8')))
  const statement =
    /^(?:import |(?:import|export|\}) ?[^'"\n]*\bfrom )['"]([^'"\n]+)['"];?$|\bimport\(['"]([^'"\n]+)['"]\)/gm
  const imports = texts.flatMap((text) => [...text.matchAll(statement)].map(([, fixed, lazy]) => fixed ?? lazy ?? ''))
  const packages = imports
    .filter(
      (name) =>
        !name.startsWith('.') &&
        !name.startsWith('node:') &&
        !builtinModules.includes(name) &&
        name !== '#module-addresses',
    )
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
  expect([...new Set(packages)].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
  expect(packages).toContain('fastify')
})
