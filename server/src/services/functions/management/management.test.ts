import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../../test/functions-app.ts'
import { deployment, entryOf, type FunctionsConsole, openFunctionsConsole } from '../../../../test/functions-console.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { functionsTables } from '../index.ts'

let db: TestDatabase
let app: FunctionsApp
let operator: FunctionsConsole

const answering = (text: string): string => `Deno.serve(() => new Response('${text}'))`
const files = {
  'here/index.ts': answering('of the folder'),
  '_shared/unused.ts': 'export const unused = 1',
}

beforeAll(async () => {
  db = await openTestDatabase()
  await db.migrate('functions', functionsTables.postgres)
  app = await openFunctions(files, { sql: db.admin, settings: { keptVersions: 3, bundleMib: 1, secretCount: 2 } })
  operator = await openFunctionsConsole(app)
})
afterAll(async () => {
  await operator.close()
  await app.close()
  await db.close()
})

const send: FunctionsConsole['send'] = (...call) => operator.send(...call)
const deploy: FunctionsConsole['deploy'] = (...call) => operator.deploy(...call)
const answer = async (path: string): Promise<string> => (await app.call(path)).text()
const numbers = async (name: string): Promise<readonly number[]> =>
  (await send('GET', `/functions/${name}/versions`)).body.versions.map(({ number }: { number: number }) => number)

test('functions §8 a deployed function answers, with the files that came with it, and is listed', async () => {
  const name = 'fresh'
  const sources = {
    [entryOf(name)]: `import { text } from '../_shared/text.ts'; Deno.serve(() => new Response(text))`,
    'supabase/functions/_shared/text.ts': `export const text = 'deployed'`,
  }
  const options = { entrypoint_path: entryOf(name), verify_jwt: false }
  const made = await send('POST', `/functions/${name}/versions`, deployment(sources, options))
  expect(made).toMatchObject({
    status: 201,
    body: { number: 1, madeBy: 'ann@example.com', verifyJwt: false, isActive: true, entry: entryOf(name) },
  })
  expect(await (await app.call(`/${name}`, { as: null })).text()).toBe('deployed')
  expect((await send('GET', '/functions')).body.functions).toMatchObject([
    { name, isInFolder: false, version: { number: 1 } },
    { name: 'here', isInFolder: true },
  ])
  expect((await send('GET', `/functions/${name}/files`)).body.files).toEqual([
    { path: 'supabase/functions/_shared/text.ts', sizeBytes: 30 },
    { path: entryOf(name), sizeBytes: sources[entryOf(name)]?.length },
  ])
  const file = await fetch(`${operator.address}/functions/${name}/file?path=${entryOf(name)}`)
  expect(await file.text()).toBe(sources[entryOf(name)])
  expect(app.log).toContainEqual({ name: 'function.deploy', target: 'function fresh' })
})

test('functions §8 a version that does not start is refused with its place, and the one before stays', async () => {
  expect((await deploy('steady', answering('good'))).status).toBe(201)
  for (const [source, line, text] of [
    [`const fine = 1\nDeno.serve(() => new Response('a' +)`, 2, 'Expression expected'],
    [`\n\nthrow new Error('not today')`, 3, 'not today'],
    [`import './missing.ts'\nDeno.serve(() => new Response(''))`, 1, 'Module not found'],
  ] as const) {
    const { status, body } = await deploy('steady', source)
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: 'CLEW_FUNCTIONS_BROKEN',
      details: { file: entryOf('steady'), line, text: expect.stringContaining(text) },
    })
  }
  expect((await deploy('steady', 'export const nothing = 1')).body.details.text).toContain('No server was registered')
  expect(await answer('/steady')).toBe('good')
  expect(await numbers('steady')).toEqual([1])
})

test('functions §8 versions are kept up to a number, rolled back to, and no call fails meanwhile', async () => {
  await deploy('turns', answering('1'))
  const statuses = new Set<number>()
  let isOver = false
  const caller = (async () => {
    while (!isOver) statuses.add((await app.call('/turns')).status)
  })()
  for (const text of ['2', '3', '4']) {
    expect((await deploy('turns', answering(text))).status).toBe(201)
    expect(await answer('/turns')).toBe(text)
  }
  expect(await numbers('turns')).toEqual([4, 3, 2])
  expect(await send('POST', '/functions/turns/rollback', { version: 2 })).toMatchObject({
    status: 200,
    body: { number: 2, isActive: true },
  })
  expect(await answer('/turns')).toBe('2')
  isOver = true
  await caller
  expect([...statuses]).toEqual([200])
  expect(await send('POST', '/functions/turns/rollback', { version: 1 })).toMatchObject({
    status: 404,
    body: { code: 'CLEW_FUNCTIONS_NO_VERSION' },
  })
  // The version that answers is kept, however old.
  for (const text of ['5', '6', '7']) await deploy('turns', answering(text))
  await send('POST', '/functions/turns/rollback', { version: 5 })
  await deploy('turns', 'export const broken = ')
  expect(await numbers('turns')).toEqual([7, 6, 5])
})

test('functions §8 the folder’s next change ends a rollback of what it has', async () => {
  expect(await answer('/here')).toBe('of the folder')
  await expect.poll(() => numbers('here')).toEqual([1])
  await app.write({ 'here/index.ts': answering('saved') })
  await expect.poll(() => answer('/here')).toBe('saved')
  await expect.poll(() => numbers('here')).toEqual([2, 1])
  await send('POST', '/functions/here/rollback', { version: 1 })
  expect(await answer('/here')).toBe('of the folder')
  expect((await send('GET', '/functions/here')).body).toMatchObject({ isPinned: true, version: { number: 1 } })
  expect((await send('DELETE', '/functions/here')).body.code).toBe('CLEW_FUNCTIONS_IN_FOLDER')
  await app.write({ 'here/index.ts': answering('saved again') })
  await expect.poll(() => answer('/here')).toBe('saved again')
  await expect.poll(async () => (await send('GET', '/functions/here')).body.isPinned).toBe(false)
})

test('functions §8 what answered before a restart answers after it', async () => {
  await deploy('lasting', answering('old'))
  await deploy('lasting', answering('new'))
  await send('POST', '/functions/lasting/rollback', { version: 1 })
  await send('POST', '/function-secrets', [{ name: 'KEPT', value: 'over a restart' }])
  const next = await openFunctions({}, { sql: db.admin })
  try {
    expect(await (await next.call('/lasting')).text()).toBe('old')
    expect(await next.management?.secrets.list()).toMatchObject([{ name: 'KEPT' }])
    // What the folder made goes with the folder.
    expect((await next.call('/here')).status).toBe(404)
  } finally {
    await next.close()
    await send('DELETE', '/function-secrets', ['KEPT'])
  }
})

test('functions §8 a deleted function is gone, with its versions', async () => {
  await deploy('brief', answering('brief'))
  expect((await send('DELETE', '/functions/brief')).status).toBe(204)
  expect((await app.call('/brief')).status).toBe(404)
  expect((await send('GET', '/functions/brief/versions')).body.code).toBe('CLEW_FUNCTIONS_NOT_FOUND')
})

const fine = { [entryOf('odd')]: answering('x') }
test.for([
  ['no metadata', {}, fine, 'metadata'],
  ['an entry that is not there', { entrypoint_path: 'supabase/functions/odd/main.ts' }, fine, 'main.ts'],
  ['an entry above the folder', { entrypoint_path: '../index.ts' }, fine, '../index.ts'],
  ['a pattern above the folder', { entrypoint_path: entryOf('odd'), static_patterns: ['../**'] }, fine, 'static_patt'],
  ['a file above the folder', { entrypoint_path: entryOf('odd') }, { ...fine, '../../up.ts': '1' }, 'up.ts'],
  ['an absolute file', { entrypoint_path: entryOf('odd') }, { ...fine, '/etc/x': '1' }, '/etc/x'],
  ['a name with NUL', { entrypoint_path: entryOf('odd') }, { ...fine, 'a\0b.ts': '1' }, 'a'],
  ['a name of 300 bytes', { entrypoint_path: entryOf('odd') }, { ...fine, [`${'é'.repeat(150)}`]: '1' }, 'é'],
  ['a path of empty names', { entrypoint_path: entryOf('odd') }, { ...fine, 'a//b.ts': '1' }, 'a//b.ts'],
  ['a path with a backslash', { entrypoint_path: entryOf('odd') }, { ...fine, 'a\\..\\b.ts': '1' }, 'a\\'],
] as const)('functions §8 a deployment with %s is refused', async ([, metadata, sources, text]) => {
  const { status, body } = await send('POST', '/functions/odd/versions', deployment(sources, metadata))
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'CLEW_FUNCTIONS_UPLOAD' })
  expect(body.message).toContain(text)
})

test.for([
  ['_hidden', 400],
  ['a.b', 400],
  ['1st', 400],
] as const)('functions §8 a function cannot be named %s', async ([name, status]) => {
  expect((await deploy(name, answering('x'))).status).toBe(status)
})

test('functions §8 a deployment above the limit is refused, and one that breaks off leaves nothing', async () => {
  const large = { ...fine, 'supabase/functions/odd/large.bin': 'x'.repeat(1024 * 1024) }
  expect(
    (await send('POST', '/functions/odd/versions', deployment(large, { entrypoint_path: entryOf('odd') }))).status,
  ).toBe(413)
  const body =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="supabase/functions/odd/index.ts"\r\n\r\nabc'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const broken = await fetch(`${operator.address}/functions/odd/versions`, { method: 'POST', body, headers })
  expect(broken.status).toBe(400)
  expect((await send('GET', '/functions/odd')).status).toBe(404)
})

test('functions §8 a deployment that finds a full disk says so, and the version before answers', async () => {
  await deploy('full', answering('before'))
  const full = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
  const deployed = app.management?.deploy('full', () => Promise.reject(full), 'ann@example.com')
  await expect(deployed).rejects.toMatchObject({ code: 'CLEW_FUNCTIONS_DISK_FULL', status: 507 })
  expect(await answer('/full')).toBe('before')
  expect((await send('GET', '/functions/full/versions')).body.versions).toHaveLength(1)
})

test('functions §5 secrets reach the next process, are never answered, and are masked in logs', async () => {
  const source = `Deno.serve(() => { const value = Deno.env.get('TOKEN') ?? 'none'; console.log('it is ' + value); return new Response(value) })`
  await deploy('secretive', source)
  expect(await answer('/secretive')).toBe('none')
  expect((await send('POST', '/function-secrets', [{ name: 'TOKEN', value: 'sesame-open-up' }])).status).toBe(204)
  expect(await answer('/secretive')).toBe('sesame-open-up')
  const listed = await send('GET', '/function-secrets')
  expect(listed.body.secrets).toMatchObject([{ name: 'TOKEN', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  expect(JSON.stringify(listed.body)).not.toContain('sesame')
  const { rows } = await db.admin.query({ text: 'select * from clew_functions.secrets', values: [] })
  expect(JSON.stringify(rows)).not.toContain('sesame')
  await expect.poll(() => app.logs.map(({ text }) => text)).toContain('it is •••')
  expect(JSON.stringify(app.logs)).not.toContain('sesame')
  expect(JSON.stringify(app.log)).not.toContain('sesame')
  expect((await send('DELETE', '/function-secrets', ['TOKEN'])).status).toBe(204)
  expect(await answer('/secretive')).toBe('none')
})

test.for([
  ['SUPABASE_URL', 'x', 'begin with SUPABASE_'],
  ['no-name', 'x', 'no name of a variable'],
  ['9', 'x', 'no name of a variable'],
  ['LONG', 'x'.repeat(48 * 1024 + 1), 'secret_bytes'],
  ['NUL', 'a\0b', 'NUL'],
] as const)('functions §5 the secret %s is refused', async ([name, value, text]) => {
  const { status, body } = await send('POST', '/function-secrets', [{ name, value }])
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'CLEW_FUNCTIONS_SECRET' })
  expect(body.message).toContain(text)
  expect(body.message).not.toContain('xxxx')
})

test('functions §5 there are no more secrets than the setting allows', async () => {
  const three = ['A', 'B', 'C'].map((name) => ({ name, value: 'x' }))
  expect((await send('POST', '/function-secrets', three)).body.message).toContain('secret_count')
  expect((await send('GET', '/function-secrets')).body.secrets).toEqual([])
})
