import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compiled } from '../../test/compiled.ts'
import { version } from '../version.ts'
import { commands } from './index.ts'

const main = fileURLToPath(compiled('src/cli/main'))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command line to its end. */
const clew = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { cwd: folder }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

test('--version is the release; of `rest`, the protocol', async () => {
  expect(await clew('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect((await clew('rest', '--version')).stdout).toMatch(/^PostgREST \d+/)
})

test('--help lists every command, and a command’s own its options', async () => {
  const { stdout } = await clew('--help')
  for (const name of [
    'start',
    'status',
    'stop',
    'owner-link',
    'config',
    'keys',
    'operators',
    'gen',
    'import',
    'export',
    'migration',
    'db',
    'inspect',
    'test',
    'seed',
    'functions',
    'storage',
    'metrics',
    'doctor',
    'rest',
  ])
    expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
  expect((await clew('start', '--help')).stdout).toContain('--db-port')
})

test('a kind of an export has the options that stand behind it', async () => {
  const refused = await clew('export', 'events', '--db-url', 'postgresql://127.0.0.1:9/none')
  expect(refused.stderr).toContain('--db-url names a database without events and persons.')
})

const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

/** Has a process name on standard error, line by line, the modules that it loads. */
const tellsModules = moduleOf(`import { register } from 'node:module'
register(${JSON.stringify(
  moduleOf(`import { writeSync } from 'node:fs'
    export const load = (url, context, next) => { writeSync(2, 'loads ' + url + String.fromCharCode(10)); return next(url, context) }`),
)})`)

test('no help loads what its command runs with: of packages, commander is enough', async () => {
  const run = `const { commands, runCommandLine } = await import(${JSON.stringify(compiled('src/cli/index').href)})
    for (const name of Object.keys(commands)) await runCommandLine([name, '--help'])`
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', tellsModules, '--input-type=module', '--eval', run],
    { cwd: folder },
  )
  expect(stdout.match(/^Usage: /gm)).toHaveLength(Object.keys(commands).length)
  const packages = [...stderr.matchAll(/^loads .*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name]) => name)
  expect([...new Set(packages)]).toEqual(['commander'])
})

test('what no command is exits with 2, and names it', async () => {
  expect(await clew('strat')).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'strat'") })
})

test('a subcommand takes its parent’s options at either side', async () => {
  for (const args of [
    ['keys', 'rotate', '--data', 'here', '--json'],
    ['keys', '--data', 'here', '--json', 'rotate'],
  ])
    expect(JSON.parse((await clew(...args)).stdout)).toMatchObject({ alg: 'ES256', takenOver: false })
})

test('a command of what does not run says so', async () => {
  for (const args of [['status'], ['snippet'], ['gen', 'types', 'typescript', '--local']])
    expect(await clew(...args, '--data', 'nothing')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('CLEW_NOT_RUNNING'),
    })
  expect(await clew('gen', 'types', 'cobol')).toMatchObject({ code: 2 })
})

test('init writes a folder that can be started, once', async () => {
  const first = await clew('init', 'app')
  expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('clew start --project app') })
  expect(first.stdout).toMatch(/createClient\(\s+'http:\/\/127\.0\.0\.1:54321',\s+'sb_publishable_/)
  expect(await readFile(join(folder, 'app', '.gitignore'), 'utf8')).toBe('.clew/\n')
  const [migration = ''] = await readdir(join(folder, 'app', 'supabase', 'migrations'))
  expect(migration).toMatch(/^\d{14}_first\.sql$/)
  const { stdout } = await clew('config', '--project', 'app', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    problems: [],
    settings: expect.arrayContaining([{ name: 'name', value: 'app', from: 'supabase/config.toml: project_id' }]),
  })
  expect(await clew('init', 'app')).toMatchObject({ code: 11, stderr: expect.stringContaining('CLEW_PROJECT_EXISTS') })
})

test('functions are written once, and listed with what config.toml says of them', async () => {
  await mkdir(join(folder, 'f', 'supabase', 'functions', '_shared'), { recursive: true })
  await writeFile(join(folder, 'f', 'supabase', 'config.toml'), '[functions.hook]\nverify_jwt = false\n')
  const functions = (...args: readonly string[]) => clew('functions', ...args, '--project', 'f')
  expect(await functions('list')).toMatchObject({ code: 0, stdout: expect.stringContaining('no functions yet') })
  for (const name of ['hook', 'hello']) expect(await functions('new', name)).toMatchObject({ code: 0, stderr: '' })
  expect(await functions('new', 'hello')).toMatchObject({
    code: 11,
    stderr: expect.stringContaining('CLEW_FUNCTION_EXISTS'),
  })
  expect(await functions('new', '../hello')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_FUNCTION_NAME'),
  })
  expect(JSON.parse((await functions('list', '--json')).stdout)).toEqual([
    { name: 'hello', entry: 'supabase/functions/hello/index.ts', verify_jwt: true, version: null },
    { name: 'hook', entry: 'supabase/functions/hook/index.ts', verify_jwt: false, version: null },
  ])
})

test('config tells each setting that is not the default, and where it was said', async () => {
  await mkdir(join(folder, 'shop', 'supabase'), { recursive: true })
  await writeFile(
    join(folder, 'shop', 'supabase', 'config.toml'),
    '[auth]\nsite_url = "https://shop.test"\njwt_secret = "a secret of thirty-two characters"\n[api]\nfuture = true\n',
  )
  const { code, stdout } = await clew('config', '--project', 'shop', '--port', '0', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    settings: expect.arrayContaining([
      { name: 'port', value: 0, from: '--port' },
      { name: 'jwt_secret', value: '(secret)', from: 'supabase/config.toml: auth.jwt_secret' },
      { name: '[auth] site_url', value: 'https://shop.test', from: 'supabase/config.toml: auth.site_url' },
    ]),
    unused: [{ key: 'api.future', why: null }],
  })
  expect(stdout).not.toContain('thirty-two')
  expect(await clew('config', '--project', 'shop', '--port', '70000')).toMatchObject({ code: 2 })
})
