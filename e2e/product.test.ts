import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lintExpression, lintMetric, parseMetrics } from './support/metrics.ts'
import { cafeFolder, type Product, run, startProduct, until } from './support/product.ts'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A zombie is dead; its parent has not read so yet.
    return !/\) Z /.test(execFileSync('cat', [`/proc/${pid}/stat`]).toString())
  } catch {
    return false
  }
}

describe('a running product', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({ project: cafeFolder })
  })
  afterAll(() => product.close())

  test('prints where everything is, the keys, and the link that creates the owner', () => {
    const output = product.output()
    for (const text of [
      product.consoleUrl,
      `${product.apiUrl}/`,
      product.inboxUrl,
      product.dbUrl,
      product.publishableKey,
      product.secretKey,
      product.anonKey,
      product.serviceRoleKey,
      product.ingestToken,
    ]) {
      expect(output).toContain(text)
    }
    expect(output).toMatch(/\/console\/welcome\?token=.{20,}/)
    expect(product.setupUrl).toMatch(/\/console\/welcome\?token=.{20,}/)
  })

  test('serves the console, the example, health and metrics, and says what it does not serve', async () => {
    const get = (path: string) => fetch(product.apiUrl + path, { headers: { accept: 'text/html' } })
    expect(await (await get('/')).text()).toContain('Corner Café')
    expect((await get('/orders')).headers.get('content-type')).toContain('text/html')
    const moved = await fetch(`${product.apiUrl}/console/sessions`, { redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `${product.consoleUrl}/sessions`])
    expect(new URL(product.consoleUrl).origin).not.toBe(product.apiUrl)
    const page = await fetch(`${product.consoleUrl}/sessions`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self' 'sha256-[^']+';.* frame-ancestors 'none'/,
    )
    expect((await get('/health/live')).status).toBe(200)
    expect(await (await get('/health/ready')).json()).toEqual({ status: 'ready' })
    expect((await get('/metrics')).status).toBe(401)
    const metrics = await run(['metrics', '--data', product.dataDir])
    expect(metrics.stdout).toContain('clew_request_duration_seconds')
    const missing = await fetch(`${product.apiUrl}/graphql/v1`)
    expect([missing.status, await missing.json()]).toMatchObject([501, { errors: [{ message: expect.any(String) }] }])
  })

  test('metrics are named by Prometheus’ conventions, and the dashboard of Grafana asks for such as there are', async () => {
    await fetch(`${product.apiUrl}/auth/v1/health`)
    const read = async () => parseMetrics((await run(['metrics', '--data', product.dataDir])).stdout)
    // The request's duration is told once its connection has let go of it.
    await until(async () => (await read()).get('clew_request_duration_seconds')?.labels.has('service') === true)
    const metrics = await read()
    const own = [...metrics].filter(([name]) => name.startsWith('clew_'))
    expect(own.length).toBeGreaterThan(20)
    expect(own.flatMap(([name, metric]) => lintMetric(name, metric))).toEqual([])
    const dashboard = JSON.parse(await readFile(new URL('../deploy/grafana/clew.json', import.meta.url), 'utf8')) as {
      readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
    }
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(20)
    const problems = expressions.flatMap((expression) => lintExpression(expression, metrics))
    // No backups are made here.
    expect(problems.filter((problem) => !problem.startsWith('clew_backup_'))).toEqual([])
  })

  test('caches what has a hash in its name for ever, and pages never', async () => {
    const page = await fetch(`${product.apiUrl}/`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const asset = /\/assets\/[^"]+\.js/.exec(await page.text())?.[0] ?? ''
    const script = await fetch(product.apiUrl + asset)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('applied the project’s migrations and seed once', async () => {
    const client = new pg.Client({ connectionString: product.dbUrl })
    await client.connect()
    const history = await client.query('select version, name, statements from supabase_migrations.schema_migrations')
    expect(history.rows).toHaveLength(7)
    expect(history.rows[0]).toMatchObject({ version: '20260105090000', name: 'menu' })
    expect(history.rows[0].statements[0]).toContain('create table public.categories')
    const { rows } = await client.query('select count(*)::int as n from public.products')
    expect(rows).toEqual([{ n: 11 }])
    await client.end()
  })

  test('refuses a second start on the same data directory with the other’s process id', async () => {
    const second = await run(['start', '--data', product.dataDir, '--port', '0'])
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(`process ${product.pid}`)
  })

  test('tells its keys and addresses to its owner only', async () => {
    const place = ['--data', product.dataDir]
    const text = await run(['status', ...place])
    expect(text.code).toBe(0)
    expect(text.stdout).toContain(product.apiUrl)
    const { stdout: facts } = await run(['status', '--json', ...place])
    expect(JSON.parse(facts)).toMatchObject({ apiUrl: product.apiUrl, dbUrl: product.dbUrl, pid: product.pid })
    const link = await run(['owner-link', ...place])
    expect([link.code, link.stdout]).toEqual([0, expect.stringMatching(/\/console\/welcome\?token=.{20,}/)])
    const keys = await run(['keys', '--json', ...place])
    expect(JSON.parse(keys.stdout)).toMatchObject({ publishableKey: product.publishableKey })
    const doctor = await run(['doctor', ...place])
    expect(doctor.stdout).toContain('PostgreSQL')
  })

  test('signs with a new key as soon as the keys are rotated, and ends no session', async () => {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${product.apiUrl}/auth/v1${path}`, {
        ...init,
        headers: { apikey: product.publishableKey, 'content-type': 'application/json', ...init.headers },
      })
    const person = { email: 'rotating@example.com', password: 'three oat biscuits' }
    const signUp = await ask('/signup', { method: 'POST', body: JSON.stringify(person) })
    const before = (await signUp.json()).access_token
    const rotated = JSON.parse((await run(['keys', 'rotate', '--json', '--data', product.dataDir])).stdout)
    expect(rotated).toMatchObject({ retired: 1, takenOver: true })

    const signIn = await ask('/token?grant_type=password', { method: 'POST', body: JSON.stringify(person) })
    const after = (await signIn.json()).access_token
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    expect(kidOf(after)).toBe(rotated.kid)
    const published = (await (await ask('/.well-known/jwks.json')).json()).keys
    expect(published.map(({ kid }: { kid: string }) => kid)).toEqual([rotated.kid, kidOf(before)])
    for (const token of [before, after])
      expect((await ask('/user', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })
})

test('a wrong setting stops the start with its name, the value seen and what is allowed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-settings-'))
  await writeFile(join(folder, 'clew.toml'), 'prot = 1\n[auth]\njwt_expiry = "soon"\n')
  const wrong = await run(['start', '--port', 'seven'], folder, { CLEW_POOL_SIZE: '1' })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toMatch(/--port is "seven"; allowed: a whole number from 0 to 65535/)
  expect(wrong.stderr).toMatch(/CLEW_POOL_SIZE is "1"; allowed: a whole number from 2/)
  expect(wrong.stderr).toContain('prot')
  expect(wrong.stderr).toContain('[auth] jwt_expiry')
  const open = await run(['start', '--host', '0.0.0.0'], folder)
  expect(open.code).toBe(2)
  expect(open.stderr).toContain('--production')
  await rm(folder, { recursive: true })
})

test('Ctrl-C closes everything, and a killed parent leaves no orphan behind', async () => {
  const product = await startProduct()
  const children = product.engines.flatMap(({ pid }) => pid ?? [])
  expect(children).toHaveLength(2)
  for (const pid of children) expect(isAlive(pid)).toBe(true)
  expect(await product.stop()).toBe(0)
  for (const pid of children) expect(isAlive(pid)).toBe(false)
  await expect(readFile(join(product.dataDir, 'clew.lock'))).rejects.toThrow('ENOENT')

  const again = await startProduct({ dataDir: product.dataDir })
  const orphans = again.engines.flatMap(({ pid }) => pid ?? [])
  again.child.kill('SIGKILL')
  await until(() => orphans.every((pid) => !isAlive(pid)))

  const third = await startProduct({ dataDir: product.dataDir })
  const stopped = await run(['stop', '--data', product.dataDir])
  expect(stopped.code).toBe(0)
  await until(() => third.child.exitCode !== null)
  await rm(product.dataDir, { recursive: true, force: true })
})
