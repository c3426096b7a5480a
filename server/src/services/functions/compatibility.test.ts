import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// What functions find of Deno and of Node, and what they do not, as in the reference (functions §6).
const attempts = `
  const AsyncFunction = (async () => undefined).constructor
  const attempt = async (code) => {
    try {
      return 'did it: ' + String(await new AsyncFunction('modules', code)(modules))
    } catch (error) {
      return error.name + ': ' + error.message
    }
  }
  Deno.serve(async (request) => new Response(await attempt(await request.text())))`

let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions({
    'tries/index.ts': `
      import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs'
      import * as files from 'node:fs'
      import { readFile } from 'node:fs/promises'
      import * as mapped from 'files'
      const modules = { fs, files, mapped, named: { existsSync, readFileSync, writeFileSync, readFile } }
      ${attempts}`,
    'tries/deno.json': JSON.stringify({ imports: { files: 'node:fs/promises' } }),
    'other/index.ts': `const modules = {};${attempts}`,
    // Packages of npm, of which this names one, have Node's modules by \`require\`.
    'requires/index.ts': `
      import { createRequire } from 'node:module'
      // npm:a-package
      const modules = { fs: createRequire(import.meta.url)('node:fs') }
      ${attempts}`,
    'loads/index.ts': `
      Deno.writeTextFileSync('/tmp/loaded.txt', 'while it loads')
      const text = Deno.readTextFileSync('/tmp/loaded.txt') + ' ' + Deno.statSync('/tmp/loaded.txt').size
      Deno.serve(() => new Response(text))`,
    'adds/index.ts': `
      const bytes = await Deno.readFile(new URL('./add.wasm', import.meta.url))
      const { instance } = await WebAssembly.instantiate(bytes)
      Deno.serve(() => new Response(String(instance.exports.add(2, 40))))`,
    'adds-import/index.ts': `
      import { add } from './add.wasm'
      Deno.serve(() => new Response(String(add(2, 40))))`,
  })
  // (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
  const wasm = Buffer.from('AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=', 'base64')
  await app.write({ 'adds/add.wasm': wasm, 'adds-import/add.wasm': wasm })
})
afterAll(() => app.close())

const tryTo = async (code: string, name = 'tries'): Promise<string> =>
  (await app.call(`/${name}`, { method: 'POST', body: code })).text()

test.each([
  ['chdir', `Deno.chdir('/tmp')`],
  ['chmod', `await Deno.chmod('/tmp/a', 0o600)`],
  ['link', `await Deno.link('/tmp/a', '/tmp/b')`],
  ['openSync', `Deno.openSync('/tmp/a')`],
  ['renameSync', `Deno.renameSync('/tmp/a', '/tmp/b')`],
  ['symlink', `await Deno.symlink('/tmp/a', '/tmp/b')`],
  ['truncate', `await Deno.truncate('/tmp/a')`],
  ['umask', `Deno.umask()`],
  ['utime', `await Deno.utime('/tmp/a', 0, 0)`],
  ['watchFs', `Deno.watchFs('/tmp')`],
])('functions §6 Deno.%s is refused in the words of the reference', async (name, code) => {
  expect(await tryTo(code)).toBe(`PermissionDenied: Deno.${name} is blocklisted`)
})

test.each([
  ['statSync', `Deno.statSync('/tmp')`],
  ['writeTextFileSync', `Deno.writeTextFileSync('/tmp/a', 'x')`],
  ['makeTempDirSync', `Deno.makeTempDirSync()`],
  ['readDirSync', `Deno.readDirSync('/tmp')`],
])('functions §6 Deno.%s is refused once the function has loaded', async (name, code) => {
  expect(await tryTo(code)).toBe(`PermissionDenied: Deno.${name} is blocklisted on the current context`)
})

test('functions §6 synchronous file calls work while the function loads', async () => {
  expect(await (await app.call('/loads')).text()).toBe('while it loads 14')
})

test('functions §6 a synchronous read of a file once it has loaded works, with a warning', async () => {
  expect(await tryTo(`await Deno.writeTextFile('/tmp/a', 'here'); return Deno.readTextFileSync('/tmp/a')`)).toBe(
    'did it: here',
  )
  await expect
    .poll(() => app.logs.find(({ text }) => text.startsWith('WARNING: Do not use Deno.readTextFileSync'))?.level)
    .toBe('error')
})

test('functions §6 shared memory is memory of its own', async () => {
  expect(await tryTo('return new SharedArrayBuffer(8) instanceof ArrayBuffer')).toBe('did it: true')
})

test('functions §6 the path of the program is the reference’s', async () => {
  expect(await tryTo('return Deno.execPath()')).toBe('did it: /bin/edge-runtime')
})

test.each([
  ['a named function', `modules.named.writeFileSync('/tmp/n', 'x'); return Deno.readTextFile('/tmp/n')`],
  ['the module', `modules.files.writeFileSync('/tmp/n', 'x'); return modules.files.readFileSync('/tmp/n', 'utf8')`],
  [
    'its default',
    `modules.fs.writeFileSync('/tmp/n', 'x'); return modules.fs.readFileSync(new URL('file:///tmp/n'), 'utf8')`,
  ],
  [
    'its promises',
    `await modules.fs.promises.writeFile('/tmp/n', 'x'); return modules.named.readFile('/tmp/n', 'utf8')`,
  ],
  [
    'a name of the import map',
    `await modules.mapped.writeFile('/tmp/n', 'x'); return modules.mapped.readFile('/tmp/n', 'utf8')`,
  ],
  [
    'a dynamic import',
    `const fs = await import('node:fs'); fs.writeFileSync('/tmp/n', 'x'); return fs.readFileSync('/tmp/n', 'utf8')`,
  ],
  [
    'a callback',
    `await Deno.writeTextFile('/tmp/n', 'x'); return new Promise((done, fail) => modules.files.readFile('/tmp/n', 'utf8', (error, text) => error ? fail(error) : done(text)))`,
  ],
  [
    'a stream',
    `modules.fs.writeFileSync('/tmp/n', 'x'); let text = ''; for await (const part of modules.files.createReadStream('/tmp/n', 'utf8')) text += part; return text`,
  ],
  [
    'two paths',
    `modules.fs.writeFileSync('/tmp/m', 'x'); await modules.fs.promises.copyFile('/tmp/m', '/tmp/n'); return modules.fs.readFileSync('/tmp/n', 'utf8')`,
  ],
  [
    'the folder that Node names',
    `const { tmpdir } = await import('node:os'); modules.fs.writeFileSync(tmpdir() + '/n', 'x'); return Deno.readTextFile('/tmp/n')`,
  ],
])('functions §6 Node’s files see the worker’s own /tmp: %s', async (_what, code) => {
  expect(await tryTo(code)).toBe('did it: x')
  expect(await tryTo(`return Deno.readTextFile('/tmp/n')`, 'other')).toMatch(/^NotFound/)
})

test('functions §6 Node’s files say whether one may be read', async () => {
  const code = `await modules.fs.promises.writeFile('/tmp/n', 'x'); return new Promise((done) => modules.fs.access('/tmp/n', done))`
  expect(await tryTo(code)).toBe('did it: null')
})

test('functions §6 Node’s files of packages see the worker’s own /tmp', async () => {
  const code = `modules.fs.writeFileSync('/tmp/n', 'x'); return Deno.readTextFile('/tmp/n')`
  expect(await tryTo(code, 'requires')).toBe('did it: x')
})

test.each([`modules.fs.readFileSync('/etc/passwd')`, `modules.fs.readFileSync('/tmp/../etc/passwd')`])(
  'functions §6 Node’s files see nothing outside: %s',
  async (code) => {
    expect(await tryTo(`return ${code}`)).not.toMatch(/^did it/)
  },
)

test.each(['adds', 'adds-import'])('functions §4 WebAssembly of a static file runs: %s', async (name) => {
  await expect.poll(async () => (await app.call(`/${name}`)).text()).toBe('42')
})
