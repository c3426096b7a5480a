import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import type { InstanceStatus } from '../../server/src/instance/control.ts'
import { owner } from '../support/console-api.ts'
import { freePort, until } from '../support/product.ts'
import { docker, shell, whySkipped } from './docker.ts'
import { blocksOf, textOf } from './page.ts'
import { copySources, root } from './sources.ts'

const name = `clew-trial-${process.pid}`
const consoleHost = 'console.example.com'
/** Where a page's user is, as the proxy on the machine says. */
const userAddress = '203.0.113.9'
const startMs = 240_000

/** The commands of a block, each with its lines. */
const commandsOf = (block: string): readonly string[] => block.replaceAll('\\\n', ' ').trim().split('\n')

const why = whySkipped(['node:22-bookworm-slim'])
// Each test goes on from where the one before it left the volume.
const title = `the image of deploy/Dockerfile${why === '' ? '' : ` (skipped: ${why})`}`
describe.skipIf(why !== '')(title, () => {
  let folder: string
  let port: number
  let consolePort: number
  /** The page's commands: build, run, and what comes after. */
  let commands: readonly string[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-image-'))
    copySources(folder)
    port = await freePort()
    consolePort = await freePort()
    const [block = ''] = await blocksOf('deploy-server.md', 'With Docker')
    commands = commandsOf(block).map((command) =>
      command
        .replace('--tag clew', `--tag ${name}`)
        .replace('--name clew', `--name ${name}`)
        .replace('--volume clew:', `--volume ${name}:`)
        .replace('docker exec clew', `docker exec ${name}`)
        .replace('127.0.0.1:54321:', `127.0.0.1:${port}:`)
        .replace('127.0.0.1:54323:', `127.0.0.1:${consolePort}:`)
        .replace(/ clew$/, ` ${name}`),
    )
    expect(page('docker build')).toMatchObject({ code: 0 })
  }, 1_200_000)
  afterAll(async () => {
    docker('rm', '--force', name)
    docker('volume', 'rm', name)
    docker('image', 'rm', name)
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  const page = (beginning: string, more = '') => {
    const command = commands.find((each) => each.startsWith(beginning))
    if (command === undefined) throw new Error(`The page has no ${beginning}.`)
    return shell(`${command}${more}`, folder)
  }
  const inContainer = (...args: readonly string[]) => docker('exec', name, ...args)
  const isHealthy = () => docker('inspect', '--format', '{{.State.Health.Status}}', name).output === 'healthy'
  const status = (): InstanceStatus => JSON.parse(inContainer('clew', 'status', '--json').output)
  const storage = () =>
    createClient(`http://127.0.0.1:${port}`, status().secretKey, { realtime: { transport: ws } }).storage
  const kept = async (): Promise<string | undefined> => {
    const { data } = await storage().from('kept').download('a file')
    return data?.text()
  }

  test('has no more bytes than the page says', async () => {
    const [, said] = /The image has ([\d.]+) GB/.exec(await textOf('deploy-server.md')) ?? []
    const sizeBytes = Number(docker('image', 'inspect', '--format', '{{.Size}}', name).output)
    expect(sizeBytes).toBeGreaterThan(0)
    expect(sizeBytes / 1e9).toBeLessThanOrEqual(Number(said))
  })

  test('is healthy soon after its first start, without root and without writing outside its volume', async () => {
    expect(page('docker run')).toMatchObject({ code: 0 })
    await until(isHealthy, startMs)
    const [, ...processes] = docker('top', name, '-eo', 'uid,pid,args').output.split('\n')
    expect(processes.map((line) => line.trim().split(/\s+/)[0])).toEqual(processes.map(() => '10001'))
    for (const engine of ['/postgres -D /var/lib/clew/postgres', 'engines/clickhouse/child/main.js'])
      expect(processes.join('\n')).toContain(engine)
    expect(inContainer('touch', '/opt/clew/written').output).toContain('Read-only file system')
    expect(inContainer('find', '/var/lib/clew/keys.json', '-perm', '0600').output).toBe('/var/lib/clew/keys.json')
  }, 300_000)

  test('the link of the page makes the owner, whose address is the one that the proxy on the machine names', async () => {
    const { code, output } = page('docker exec')
    expect(code, output).toBe(0)
    const asProxy = { host: consoleHost, 'x-forwarded-proto': 'https', 'x-forwarded-for': userAddress }
    const token = new URL(output).searchParams.get('token')
    const made = await request(`http://127.0.0.1:${consolePort}/console/api/setup`, {
      method: 'POST',
      headers: { ...asProxy, origin: `https://${consoleHost}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...owner }),
    })
    expect(made.statusCode, await made.body.text()).toBe(201)
    const cookie = String(made.headers['set-cookie']).split(';')[0] ?? ''
    const answer = await request(`http://127.0.0.1:${consolePort}/console/api/access`, {
      headers: { ...asProxy, cookie },
    })
    const { sessions } = (await answer.body.json()) as { sessions: { address: string; isCurrent: boolean }[] }
    expect(sessions.find(({ isCurrent }) => isCurrent)?.address).toBe(userAddress)
  })

  test('`clew doctor --production` names what these settings lack, and no more', () => {
    const { code, output } = inContainer('clew', 'doctor', '--production')
    expect(code).toBe(1)
    const findings = output.split('\n').filter((line) => line.startsWith('✗'))
    expect(
      findings.map((line) => /^✗ (?:settings: .*?(mail|backups)|(\w+): .* is not reached)/.exec(line)?.slice(1)),
    ).toEqual([
      ['mail', undefined],
      ['backups', undefined],
      [undefined, 'public_url'],
      [undefined, 'console_url'],
    ])
  })

  test('a second container on its volume is refused, and changes nothing', async () => {
    const second = docker('run', '--rm', '--volume', `${name}:/var/lib/clew`, name)
    expect(second).toEqual({ code: 3, output: expect.stringContaining('CLEW_START_RUNNING') })
    expect(status().pid).toBeGreaterThan(0)
  })

  test('ends cleanly when it is stopped, and the next container of the volume has everything and runs functions', async () => {
    const { error } = await storage().createBucket('kept')
    expect(error).toBeNull()
    expect((await storage().from('kept').upload('a file', Buffer.from('its text'))).error).toBeNull()
    const { secretKey } = status()
    expect(docker('stop', name).code).toBe(0)
    expect(docker('inspect', '--format', '{{.State.ExitCode}} {{.State.OOMKilled}}', name).output).toBe('0 false')
    expect(docker('logs', name).output).toContain('Stopped.')
    expect(docker('rm', name).code).toBe(0)

    const project = join(root, 'e2e/projects/function-kinds')
    const run = commands.find((each) => each.startsWith('docker run')) ?? ''
    const withProject = run.replace(/ (\S+)$/, ` --volume ${project}:/project:ro $1 start --project /project`)
    expect(shell(withProject, folder)).toMatchObject({ code: 0 })
    await until(isHealthy, startMs)
    expect(status().secretKey).toBe(secretKey)
    expect(await kept()).toBe('its text')
    const answer = await fetch(`http://127.0.0.1:${port}/functions/v1/plain`, {
      headers: { authorization: `Bearer ${status().anonKey}` },
    })
    expect(answer.status, await answer.text()).toBe(200)
  }, 300_000)

  test('killed, it starts again with everything', async () => {
    expect(docker('kill', name).code).toBe(0)
    expect(docker('start', name).code).toBe(0)
    await until(isHealthy, startMs)
    expect(await kept()).toBe('its text')
  }, 300_000)
})
