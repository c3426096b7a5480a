import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../../test/functions-app.ts'

// Packages of a registry, and of the project folder (functions §4).
const published = new Map<string, Buffer>()
const registry = createServer((request, response) => {
  const path = decodeURIComponent(request.url ?? '')
  const tarball = published.get(path.replace(/^\/words\/-\/words-|\.tgz$/g, ''))
  if (path.startsWith('/private/')) answerPrivately(path.slice('/private'.length), request, response)
  else if (tarball !== undefined) response.end(tarball)
  else if (path === '/words') response.end(JSON.stringify(describeWords(`http://${request.headers.host}`)))
  else response.writeHead(404).end('{}')
})

/** A registry that asks for a token, and has a package of a scope. */
function answerPrivately(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
  const version = [...published.keys()].at(-1) ?? ''
  if (headers.authorization !== 'Bearer of-the-team') response.writeHead(401).end('{}')
  else if (path.endsWith('.tgz')) response.end(published.get(version))
  else if (path === '/@team/words')
    response.end(JSON.stringify(describeWords(`http://${headers.host}/private`, '@team/words')))
  else response.writeHead(404).end('{}')
}

/** The registry's document of the package `words`. */
const describeWords = (origin: string, name = 'words') => ({
  name,
  'dist-tags': { latest: [...published.keys()].at(-1) },
  versions: Object.fromEntries(
    [...published].map(([version, tarball]) => {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      const dist = { tarball: `${origin}/${name}/-/words-${version}.tgz`, integrity }
      return [version, { name, version, dist }]
    }),
  ),
})

let folder: string
let app: FunctionsApp
async function writePackage(path: string, file: object, source: string): Promise<void> {
  await mkdir(resolve(folder, path), { recursive: true })
  await writeFile(resolve(folder, path, 'package.json'), JSON.stringify({ main: 'index.js', ...file }))
  await writeFile(resolve(folder, path, 'index.js'), source)
}

async function publish(version: string): Promise<void> {
  await writePackage('package', { name: 'words', version }, `module.exports = '${version}'`)
  published.set(version, execFileSync('tar', ['czf', '-', 'package'], { cwd: folder }))
}

beforeAll(async () => {
  folder = await mkdtemp('/tmp/clew-modules-')
  // Under root functions run as another user, who passes through to the cache.
  await chmod(folder, 0o711)
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done))
  vi.stubEnv('NPM_CONFIG_REGISTRY', `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`)
  const says = (specifier: string) => `import text from '${specifier}'; Deno.serve(() => new Response(text))`
  app = await openFunctions(
    {
      'any/index.ts': says('npm:words@1'),
      'newer/index.ts': says('npm:words@1.1.0'),
      'installed/index.ts': says('own'),
      'installed/package.json': JSON.stringify({ dependencies: { own: '^3.0.0' } }),
    },
    { folders: { run: join(folder, 'run'), cache: join(folder, 'cache') } },
  )
})
afterAll(async () => {
  await app.close()
  registry.close()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const said = async (name: string): Promise<string> => (await app.call(`/${name}`)).text()

test('functions §4 a version keeps the packages that it was made with', async () => {
  await publish('1.0.0')
  const first = await app.call('/any')
  expect(await first.text()).toBe('1.0.0')
  await publish('1.1.0')
  expect(await said('newer')).toBe('1.1.0')
  // Another environment: another process of the version.
  await app.write({ '.env': 'OTHER=1' })
  const before = first.headers.get('x-deno-execution-id')
  await expect.poll(async () => (await app.call('/any')).headers.get('x-deno-execution-id')).not.toBe(before)
  expect(await said('any')).toBe('1.0.0')
})

test('functions §4 a package that no registry has comes from the project’s node_modules, with what it needs', async () => {
  expect(await said('installed')).toMatch(/own[\s\S]*npm install own/)
  const own = { name: 'own', version: '3.1.0', dependencies: { inner: '1', other: '1' } }
  const modules = join(app.project, 'node_modules')
  await writePackage(join(modules, 'own'), own, `module.exports = require('inner') + ' ' + require('other')`)
  await writePackage(
    join(modules, 'own/node_modules/inner'),
    { name: 'inner', version: '1.0.0' },
    `module.exports = 'in'`,
  )
  await writePackage(join(modules, 'other'), { name: 'other', version: '1.0.0' }, `module.exports = 'beside'`)
  await app.write({ 'installed/again.txt': 'saved' })
  await expect.poll(() => said('installed')).toBe('in beside')
})

test.each([
  [
    'beside its deno.json',
    (name: string, npmrc: string) => ({ [`${name}/.npmrc`]: npmrc, [`${name}/deno.json`]: '{}' }),
  ],
  ['alone in its folder', (name: string, npmrc: string) => ({ [`${name}/.npmrc`]: npmrc })],
  ['in the folder of all functions', (_name: string, npmrc: string) => ({ '.npmrc': npmrc })],
] as const)('functions §4 a package of a private registry comes by the function’s .npmrc, %s', async (title, files) => {
  await publish('1.2.0')
  const name = title.split(' ', 1)[0] ?? ''
  const { port } = registry.address() as AddressInfo
  const npmrc = `@team:registry=http://127.0.0.1:${port}/private/\n//127.0.0.1:${port}/private/:_authToken=of-the-team\n`
  const source = `import text from 'npm:@team/words@1'; Deno.serve(() => new Response(text))`
  await app.write({ [`${name}/index.ts`]: source, ...files(name, npmrc) })
  await expect.poll(() => said(name)).toBe('1.2.0')
})

test('functions §4 where nothing may be downloaded, functions are served, and what is missing is named', async () => {
  const offline = await openFunctions(
    { 'plain/index.ts': `Deno.serve(() => new Response('here'))`, 'far/index.ts': `import 'https://127.0.0.1/far.ts'` },
    { settings: { remoteModules: false } },
  )
  try {
    expect(await (await offline.call('/plain')).text()).toBe('here')
    expect(await (await offline.call('/far')).text()).toMatch(/not found in cache[\s\S]*far\/index\.ts:1:8/)
  } finally {
    await offline.close()
  }
})
