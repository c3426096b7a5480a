import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import type { InstanceStatus } from '../../server/src/instance/control.ts'
import { freePort, until } from '../support/product.ts'
import { docker, shell, whySkipped } from './docker.ts'
import { blocksOf } from './page.ts'
import { copySources } from './sources.ts'

const images = [
  ...['node:22-bookworm-slim', 'postgres:18-bookworm', 'clickhouse/clickhouse-server:25.8', 'chrislusf/seaweedfs:3.97'],
]
/** The page's commands name the file; they and this test share a project of their own. */
const env = { COMPOSE_PROJECT_NAME: `clew-trial-${process.pid}` }
/** What a user of the machine has. */
const withSudo = 'command -v sudo > /dev/null || sudo() { "$@"; }\n'
/** Asks the ClickHouse of the file, with the password of the file. */
const askClickHouse = `
  const url = new URL(require('node:fs').readFileSync('/run/secrets/clickhouse_url', 'utf8'))
  const authorization = 'Basic ' + btoa(url.username + ':' + url.password)
  fetch(url.origin, { method: 'POST', headers: { authorization }, body: process.argv[1] })
    .then((answer) => answer.text())
    .then((text) => process.stdout.write(text))`

const why = whySkipped(images)
describe.skipIf(why !== '')(`deploy/compose.yaml${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-compose-'))
  let port: number
  let printed: string
  const compose = (...args: readonly string[]) =>
    shell(
      `docker compose --file deploy/compose.yaml ${args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ')}`,
      folder,
      env,
    )
  const inClew = (...args: readonly string[]) => compose('exec', '--no-TTY', 'clew', ...args)

  beforeAll(async () => {
    copySources(folder)
    port = await freePort()
    const file = join(folder, 'deploy', 'compose.yaml')
    const text = (await readFile(file, 'utf8'))
      .replace('127.0.0.1:54321:', `127.0.0.1:${port}:`)
      .replace('127.0.0.1:54323:', `127.0.0.1:${await freePort()}:`)
    // An engine that may not raise its own limits cannot start a container with more.
    const mayOpenMore = docker('run', '--rm', '--ulimit', 'nofile=262144', 'node:22-bookworm-slim', 'true').code === 0
    await writeFile(file, mayOpenMore ? text : text.replace('nofile: 262144', 'nofile: 8192'))
    const [, block = ''] = await blocksOf('deploy-server.md', 'With Docker')
    const { code, output } = shell(withSudo + block, folder, env)
    expect(code, output).toBe(0)
    printed = output
  }, 1_500_000)
  afterAll(async () => {
    compose('down', '--volumes', '--rmi', 'local')
    await rm(folder, { recursive: true, force: true })
  }, 120_000)

  const status = (): InstanceStatus => JSON.parse(inClew('clew', 'status', '--json').output)
  const storage = () =>
    createClient(`http://127.0.0.1:${port}`, status().secretKey, { realtime: { transport: ws } }).storage.from('kept')
  const storedEvents = (): string =>
    inClew('node', '-e', askClickHouse, "select count() from clew.events where event = 'ordered'").output.trim()

  test('ends with the link that makes the owner, and all parts up', () => {
    expect(printed).toMatch(/^https:\/\/console\.example\.com\/console\/welcome\?token=/m)
    const { engines } = status()
    expect(engines.filter(({ state }) => state !== 'up' && state !== 'off')).toEqual([])
    const detailOf = (name: string): string => engines.find((engine) => engine.name === name)?.detail ?? ''
    expect([detailOf('postgres'), detailOf('clickhouse')]).toEqual([
      expect.stringMatching(/^PostgreSQL 18.*, external$/),
      expect.stringMatching(/ at clickhouse:8123$/),
    ])
  })

  test('keeps files in the bucket, events in ClickHouse and rows in PostgreSQL, and nothing in its own container', async () => {
    const client = createClient(`http://127.0.0.1:${port}`, status().secretKey, { realtime: { transport: ws } })
    expect((await client.storage.createBucket('kept')).error).toBeNull()
    expect((await storage().upload('a file', Buffer.from('its text'))).error).toBeNull()
    const sent = await fetch(`http://127.0.0.1:${port}/ingest/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: status().ingestToken, batch: [{ event: 'ordered', distinct_id: 'ann' }] }),
    })
    expect(sent.status).toBe(200)
    await until(() => storedEvents() === '1', 60_000)
    const container = compose('ps', '--quiet', 'clew').output
    expect(docker('inspect', '--format', '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}}', container).output).toBe(
      'true 10001:10001',
    )
    expect(inClew('find', '/var/lib/clew/storage', '/var/lib/clew/postgres', '-type', 'f').output).not.toMatch(/^\//m)
  }, 120_000)

  test('taken down and up again, it has everything', async () => {
    const { secretKey } = status()
    expect(compose('down').code).toBe(0)
    const up = compose('up', '--detach', '--wait')
    expect(up.code, up.output).toBe(0)
    expect(status().secretKey).toBe(secretKey)
    // A connection that was kept leads to the container that is gone.
    await until(async () => (await storage().download('a file')).error === null)
    const { data } = await storage().download('a file')
    expect(await data?.text()).toBe('its text')
    expect(storedEvents()).toBe('1')
  }, 300_000)
})
