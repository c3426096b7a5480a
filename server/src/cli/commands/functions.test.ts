import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../../../test/command-line.ts'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { operatorsDeps } from '../../../test/operators-deps.ts'
import { consolePlugin, type InstanceFacts } from '../../gateway/index.ts'
import type { ServiceError } from '../../ground/errors/service-error.ts'
import { renderSnippets } from '../../ground/text/snippets.ts'
import { functionsTables } from '../../services/functions/index.ts'
import { createOperators, operatorsPlugin, operatorsTables } from '../../services/operators/index.ts'

let db: TestDatabase
let app: FunctionsApp
let folder: string
let url: string
let token: string
const pages = Fastify()
const person = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-deploy-'))
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
  db = await openTestDatabase()
  await db.migrate('functions', functionsTables.postgres)
  await db.migrate('operators', operatorsTables.postgres)
  app = await openFunctions({}, { sql: db.admin })
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
  })
  const link = (await operators.setupLink()) ?? ''
  const { operator } = await operators.claim({ ...person, token: link }, client)
  token = (await operators.tokens.create(operator, { name: 'laptop', purpose: 'command line', days: 1 })).token
  pages.setErrorHandler((error: ServiceError, _request, reply) => {
    const { code, message, hint, details } = error
    return reply.code(error.status ?? 500).send({ error: { code, message, hint, details } })
  })
  const api = consolePlugin({
    open: operatorsPlugin(operators),
    guard: operators.guard,
    parts: [app.console],
    facts: { ...facts, services: [] },
    health: async () => [],
    changed: () => undefined,
  })
  await pages.register(api, { prefix: '/console/api' })
  await pages.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await pages.close()
  await app.close()
  await db.close()
  await rm(folder, { recursive: true })
  vi.unstubAllEnvs()
})
afterEach(() => vi.stubEnv('CLEW_ACCESS_TOKEN', ''))

const client = { address: '127.0.0.1', userAgent: '', cookieHeader: undefined }
const facts: Omit<InstanceFacts, 'services'> = {
  ...{
    project: 'Café',
    mode: 'production' as const,
    version: '1',
    apiUrl: '',
    inboxUrl: null,
    dbUrl: null,
    exampleUrl: null,
  },
  ...{ publishableKey: '', anonKey: '', ingestToken: '' },
  readiness: { sendsMail: false, hasDomain: false, ownKeys: false, asksConsent: false },
  snippets: renderSnippets({ apiUrl: 'http://a.test', publishableKey: '', ingestToken: '', ingestPath: '' }),
}

/** A project folder with these files of `supabase/functions`. */
async function project(files: Readonly<Record<string, string>>, config = ''): Promise<string> {
  const path = await mkdtemp(join(folder, 'project-'))
  await mkdir(join(path, 'supabase', 'functions'), { recursive: true })
  await writeFile(join(path, 'supabase', 'config.toml'), `project_id = "deployed"\n${config}`)
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, 'supabase', 'functions', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return path
}

const answer = async (path: string): Promise<string> => (await app.call(path)).text()
const answering = (text: string): string => `Deno.serve(() => new Response('${text}'))`

test('a project is linked, its functions are deployed, rolled back, downloaded and deleted', async () => {
  const path = await project(
    {
      'greet/index.ts': `import { text } from '../_shared/text.ts'; import { mark } from '../other/mark.ts'\nDeno.serve(() => new Response(text + mark))`,
      'other/mark.ts': `export const mark = '!'`,
      '_shared/text.ts': `export const text = 'one'`,
      'open/index.ts': answering('open'),
      '.env': 'NOT=sent',
    },
    '[functions.open]\nverify_jwt = false\n',
  )
  const clew = (...args: readonly string[]) => runCommand(...args, '--project', path)
  expect(await clew('login', url, '--token', token)).toMatchObject({
    code: 0,
    stdout: `Signed in to Café (production) at ${url}\n`,
  })
  expect((await stat(join(folder, 'config', 'clew', 'tokens.json'))).mode & 0o777).toBe(0o600)
  expect(await clew('link', url)).toMatchObject({ code: 0 })

  expect(await clew('functions', 'deploy')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('greet version 1'),
  })
  expect(await answer('/greet')).toBe('one!')
  expect((await app.call('/open', { as: null })).status).toBe(200)
  const listed = JSON.parse((await clew('functions', 'list', '--json')).stdout)
  expect(listed).toMatchObject([
    { name: 'greet', verify_jwt: true, version: { number: 1, madeBy: person.email } },
    { name: 'open', verify_jwt: false },
  ])

  await writeFile(join(path, 'supabase/functions/_shared/text.ts'), `export const text = 'two'`)
  expect(await clew('functions', 'deploy', 'greet', '--json')).toMatchObject({ code: 0 })
  expect(await answer('/greet')).toBe('two!')
  const before = await clew('functions', 'rollback', 'greet')
  expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining('version 1 answers') })
  expect(await answer('/greet')).toBe('one!')
  const versions = JSON.parse((await clew('functions', 'versions', 'greet', '--json')).stdout)
  expect(versions.map(({ number, isActive }: { number: number; isActive: boolean }) => [number, isActive])).toEqual([
    [2, false],
    [1, true],
  ])

  const shared = join(path, 'supabase/functions/_shared/text.ts')
  expect((await clew('functions', 'download', 'greet')).code).toBe(11)
  expect((await clew('functions', 'download', 'greet', '--force')).code).toBe(0)
  expect(await readFile(shared, 'utf8')).toContain('one')

  expect((await clew('functions', 'delete', 'greet')).code).not.toBe(0)
  expect((await clew('functions', 'delete', 'greet', '--yes')).code).toBe(0)
  expect((await app.call('/greet')).status).toBe(404)
  expect(await clew('unlink')).toMatchObject({ code: 0 })
  expect(JSON.parse((await clew('functions', 'list', '--json')).stdout)).toMatchObject([
    { name: 'greet', version: null },
    { name: 'open', version: null },
  ])
})

test('a function that does not compile is refused with the compiler’s words, and the version before answers', async () => {
  const path = await project({ 'careful/index.ts': answering('good') })
  vi.stubEnv('CLEW_ACCESS_TOKEN', token)
  const deploy = () => runCommand('functions', 'deploy', 'careful', '--url', url, '--project', path, '--use-api')
  expect((await deploy()).code).toBe(0)
  await writeFile(join(path, 'supabase/functions/careful/index.ts'), `Deno.serve(() => new Response('a' +)`)
  const refused = await deploy()
  expect(refused.code).toBe(16)
  expect(refused.stderr).toMatch(/Expression expected[\s\S]+at supabase\/functions\/careful\/index\.ts:1:\d+/)
  expect(await answer('/careful')).toBe('good')
})

test('--prune deletes what the folder does not have, once it is told to', async () => {
  const path = await project({ 'stays/index.ts': answering('stays'), 'goes/index.ts': answering('goes') })
  vi.stubEnv('CLEW_ACCESS_TOKEN', token)
  const deploy = (...args: readonly string[]) =>
    runCommand('functions', 'deploy', '--url', url, '--project', path, ...args)
  expect((await deploy()).code).toBe(0)
  await rm(join(path, 'supabase/functions/goes'), { recursive: true })
  expect((await deploy()).code).toBe(0)
  expect((await deploy('--prune')).code).toBe(2)
  expect(await answer('/goes')).toBe('goes')
  const { stdout } = await deploy('--prune', '--yes')
  expect(stdout).toMatch(/stays version 3[\s\S]+goes is deleted/)
  expect((await app.call('/goes')).status).toBe(404)
  expect(await answer('/stays')).toBe('stays')
})

test('secrets are set from the line and from a file, listed without values, and deleted', async () => {
  const path = await project({ 'env/index.ts': `Deno.serve(() => Response.json(Deno.env.toObject()))` })
  vi.stubEnv('CLEW_ACCESS_TOKEN', token)
  const clew = (...args: readonly string[]) => runCommand(...args, '--url', url, '--project', path)
  await clew('functions', 'deploy')
  const file = join(path, 'production.env')
  await writeFile(file, 'FROM_FILE="a file"\nSUPABASE_URL=http://elsewhere\n')
  const set = await clew('secrets', 'set', 'STRIPE=sk_live=1', '--env-file', file)
  expect(set).toMatchObject({ code: 0 })
  expect(set.stdout).not.toContain('sk_live')
  expect(JSON.parse(await answer('/env'))).toMatchObject({
    STRIPE: 'sk_live=1',
    FROM_FILE: 'a file',
    SUPABASE_URL: app.url,
  })
  const { stdout } = await clew('secrets', 'list')
  expect(stdout).toMatch(/STRIPE {4,}[0-9a-f]{16}/)
  expect(stdout).not.toContain('sk_live')
  expect((await clew('secrets', 'unset', 'STRIPE', 'FROM_FILE')).code).toBe(0)
  expect(JSON.parse(await answer('/env'))).not.toHaveProperty('STRIPE')
  expect((await clew('secrets', 'set', 'SUPABASE_X=1')).code).toBe(16)
  expect(await clew('secrets', 'set', 'sk_live_alone')).toMatchObject({
    code: 2,
    stderr: expect.not.stringContaining('sk_live'),
  })
})

test.for([
  ['--since', 'yesterday'],
  ['--limit', '0'],
  ['--level', 'loud'],
] as const)('logs are not read with %s %s', async ([option, value]) => {
  const { code, stderr } = await runCommand('functions', 'logs', 'greet', '--url', url, option, value)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(value) })
})

test('without a token, with a wrong one, and for another address nothing is deployed', async () => {
  const path = await project({ 'never/index.ts': answering('never') })
  const deploy = (...args: readonly string[]) => runCommand('functions', 'deploy', '--project', path, ...args)
  expect((await runCommand('logout', url, '--project', path)).code).toBe(0)
  expect((await deploy('--url', url)).code).toBe(17)
  vi.stubEnv('CLEW_ACCESS_TOKEN', 'clew_pat_wrong')
  expect((await deploy('--url', url)).code).toBe(17)
  expect((await deploy('--url', 'http://127.0.0.1:9')).code).toBe(19)
  expect((await deploy('--url', 'nowhere')).code).toBe(2)
  vi.stubEnv('CLEW_ACCESS_TOKEN', token)
  expect((await deploy('nothing', '--url', url)).code).toBe(18)
  expect((await runCommand('login', url, '--token', 'clew_pat_wrong', '--project', path)).code).toBe(17)
  expect((await app.call('/never')).status).toBe(404)
})
