import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parse } from 'smol-toml'
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cafeFolder, runProgram, until } from './support/product.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A project that has installed the tarball. */
let folder: string
let project: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-consumer-'))
  project = join(folder, 'project')
  const installed = join(project, 'node_modules', 'clew')
  await mkdir(installed, { recursive: true })
  const packed = await runProgram('npm', ['pack', '--json', '--pack-destination', folder], join(root, 'server'))
  const { filename } = JSON.parse(packed.stdout)[0]
  await runProgram('tar', ['-xf', join(folder, filename), '-C', installed, '--strip-components=1'], folder)
  // What npm would install beside it is the repository's.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  if (existsSync(join(root, 'server', 'node_modules')))
    await symlink(join(root, 'server', 'node_modules'), join(installed, 'node_modules'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a strict program of TypeScript has types of all that is exported, and a misspelt setting does not compile', async () => {
  await writeFile(
    join(project, 'setup.ts'),
    `import { type Clew, type ClewSettings, start } from 'clew'

const settings: ClewSettings = { port: 0, rest: { max_rows: 100 }, net: { allowed_hosts: ['localhost'] } }
let clew: Clew | undefined
export async function setup(): Promise<string> {
  clew = await start({ project: '.', settings })
  const { apiUrl, consoleUrl, inboxUrl, dbUrl, publishableKey, secretKey } = clew
  return [apiUrl, consoleUrl, inboxUrl, dbUrl, publishableKey, secretKey].join(' ')
}
export const teardown = (): Promise<void> | undefined => clew?.close()

// @ts-expect-error: its name is max_rows.
export const misspelt: ClewSettings = { rest: { maxRows: 100 } }
// @ts-expect-error: a number.
export const wrong: ClewSettings = { rest: { max_rows: '100' } }
// @ts-expect-error: what stands inside is not exported.
export * from 'clew/dist/compose.js'
`,
  )
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--types', 'node']
  const compiled = await runProgram(join(root, 'node_modules', '.bin', 'tsc'), [...options, 'setup.ts'], project)
  expect(compiled).toMatchObject({ code: 0, stdout: '' })
})

test.each([
  ['the café’s own', null, true],
  ['tables for parts of names', '[auth.external.github]\nenabled = true\n[rest]\ndb_max_rows = 5', true],
  ['a setting that is none', '[rest]\nmaxrows = 5', false],
  ['a number beyond its bounds', 'port = 70000', false],
  ['a section that is none', '[database]\nport = 5', false],
] as const)('the schema tells editors what clew.toml may say: %s', async (_, text, isRight) => {
  const path = join(project, 'node_modules', 'clew', 'dist', 'package', 'clew.schema.json')
  const schema = JSON.parse(await readFile(path, 'utf8'))
  const toml = text ?? (await readFile(join(cafeFolder, 'clew.toml'), 'utf8'))
  expect(Check(schema, parse(toml))).toBe(isRight)
})

const program = `import { existsSync } from 'node:fs'
import { start } from 'clew'
const clew = await start({
  data: process.argv[2],
  settings: { auth: { additional_redirect_urls: ['http://a.test/{x,y}'], sms_test_otp: { '4152127777': '123456' } } },
})
console.log(JSON.stringify(clew))
for await (const _ of process.stdin) break
await Promise.all([clew.close(), clew.close()])
console.log('closed')
`

test('Clew started by a program ends with it, killed or not, and keeps the data directory that it was given', async () => {
  await writeFile(join(project, 'program.js'), program)
  const data = join(folder, 'data')
  const first = await startProgram(data, { CLEW_REST_ENABLED: 'no boolean', PGRST_DB_SCHEMAS: '' })
  const keys = { apikey: first.clew.publishableKey }
  const signedUp = await fetch(`${first.clew.apiUrl}/auth/v1/signup`, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.test', password: 'coffee please' }),
  })
  expect(signedUp.status).toBe(200)
  first.child.kill('SIGKILL')
  await until(() => isGone(first.clew.apiUrl))
  // It answers no more before its engines have ended, and it with them.
  await until(() => !existsSync(join(data, 'clew.lock')))

  const second = await startProgram(data)
  const users = await fetch(`${second.clew.apiUrl}/auth/v1/admin/users`, {
    headers: { authorization: `Bearer ${second.clew.serviceRoleKey}` },
  })
  expect(await users.json()).toMatchObject({ users: [{ email: 'ana@example.test' }] })
  second.child.stdin.end()
  expect(await second.nextLine()).toBe('closed')
  expect(await isGone(second.clew.apiUrl)).toBe(true)
  expect(await readdir(data)).toContain('postgres')
})

test('a refused start says what clew start says, and leaves no folder', async () => {
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  const code = `import { start } from 'clew'
await start({ settings: { port: 70000 } }).catch(({ message }) => console.log(message))
await start({ settings: { prot: 0 } }).catch(({ message }) => console.log(message))`
  await writeFile(join(project, 'refused.js'), code)
  const { stdout } = await runProgram(process.execPath, ['refused.js'], project, { TMPDIR: scratch })
  expect(stdout).toMatch(/^Clew did not start \(exit code 2\)\.\n+CLEW_START_SETTING[\s\S]*CLEW_PORT is "70000"/)
  expect(stdout).toContain('There is no setting prot.')
  expect(await readdir(scratch)).toEqual([])
})

interface Facts {
  readonly apiUrl: string
  readonly publishableKey: string
  readonly serviceRoleKey: string
}

async function startProgram(data: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['program.js', data], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => String((await lines.next()).value)
  // `program` prints it.
  const clew = JSON.parse(await nextLine()) as Facts
  return { child, clew, nextLine }
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  )
