import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Runtime } from '../worker/launch.ts'
import { type MadeVersion, makeVersion } from './version.ts'

// A version of what was saved, where no Deno can look for modules.
const entry = 'supabase/functions/hello/index.ts'
const source = { name: 'hello', entry, verifyJwt: true, staticFiles: [], importMap: null, config: null }
const code = `import { greet } from '../_shared/greet.ts'\nDeno.serve(() => new Response(greet("you")))\n`
const shared = 'supabase/functions/_shared/greet.ts'

let folder: string
let known: MadeVersion
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-version-'))
  for (const place of ['project', 'known'])
    for (const [path, text] of [
      [entry, code],
      [shared, 'export const greet = (name: string) => name\n'],
    ] as const) {
      await mkdir(join(folder, place, path, '..'), { recursive: true })
      await writeFile(join(folder, place, path), text)
    }
  const files = join(folder, 'known')
  const modules = { packages: 'cache', lock: null, lockPath: null, usesPackages: false, config: null } as const
  known = {
    ...{ name: 'hello', hash: 'known', paths: [entry, shared], sizeBytes: 1, ...modules },
    ...{ files, startsIn: files, entry: `file://${files}/${entry}`, importMap: join(files, 'map.json') },
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const make = (starts: boolean): Promise<MadeVersion> => {
  const runtime: Runtime = { folder: '/r', boot: '', stdServer: '', types: '', nodeFs: '', nodeFsPromises: '' }
  const installation = { deno: join(folder, 'none'), cache: join(folder, 'cache'), registries: {}, user: null, runtime }
  const tool = { ...installation, timeoutMs: 1000, remoteModules: false }
  const deps = { project: join(folder, 'project'), folder: join(folder, 'versions'), tool, maxBytes: 1_000_000 }
  return makeVersion(source, deps, known, starts)
}
const save = (path: string, text: string): Promise<void> => writeFile(join(folder, 'project', path), text)

test.each([
  ['the function’s own file', entry, code.replace('"you"', '"all of you"')],
  ['a shared file', shared, `export const greet = (name: string) => name + ' of us'\n`],
])(
  'a version that is started next needs no check where a change of %s imports nothing new',
  async (_what, path, text) => {
    await save(path, text)
    const made = await make(true)
    expect(await readFile(join(made.files, path), 'utf8')).toBe(text)
    expect([...made.paths].sort()).toEqual([shared, entry])
  },
)

test.each([
  ['it imports something new', true, () => save(entry, `import './more.ts'\n${code}`)],
  ['it has another file', true, () => save('supabase/functions/hello/more.ts', 'export {}')],
  ['it is not started next', false, () => save(entry, code.replace('"you"', '"all of you"'))],
])('its modules are looked for where %s', async (_why, starts, change) => {
  await change()
  await expect(make(starts)).rejects.toMatchObject({ code: 'BOOT_ERROR' })
})
