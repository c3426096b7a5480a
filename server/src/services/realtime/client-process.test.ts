import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { followed, openRealtime, type RealtimeApp } from '../../../test/realtime-app.ts'

const script = fileURLToPath(new URL('../../../test/live-client.js', import.meta.url))
/** The binary of this platform: the command of the package would start it in a further process. */
function findDeno(): string {
  const { platform, arch } = process
  const deno = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
  return join(
    dirname(deno.resolve(`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/package.json`)),
    'deno',
  )
}

const runtimes = {
  Node: [process.execPath, script],
  Deno: [
    findDeno(),
    'run',
    '--no-remote',
    '--node-modules-dir=manual',
    '--allow-net',
    '--allow-read',
    '--allow-env',
    script,
  ],
} as const

interface Client {
  readonly child: ChildProcess
  readonly heard: Record<string, unknown>[]
}

async function startClient(
  db: TestDatabase,
  app: RealtimeApp,
  [program, ...args]: readonly [string, ...string[]],
): Promise<Client> {
  await db.load(`
    create table public.notes (id int primary key);
    grant select on public.notes to anon;
    alter publication supabase_realtime add table public.notes;
    create policy hear on realtime.messages for select to anon using (true);
    create policy speak on realtime.messages for insert to anon with check (true)`)
  const since = Date.now() - 1000
  const child = spawn(program, [...args, app.url.replace('http', 'ws'), app.token('anon'), String(since)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const heard: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => heard.push(JSON.parse(line)))
  return { child, heard }
}

const write = (db: TestDatabase, n: number) =>
  db.load(`select realtime.send('{"n": ${n}}', 'rung', 'bells'); insert into public.notes values (${n})`)
const listening = [{ status: 'SUBSCRIBED' }, { sent: 'ok' }, { extension: 'postgres_changes', status: 'ok' }]
const hears = (heard: readonly object[], expected: readonly object[]) =>
  expect.poll(() => heard, { timeout: 20_000 }).toEqual(expect.arrayContaining([...expected]))

test('a client that slept for longer than a heartbeat joins again, and has missed no message for which it asks', async ({
  db,
}) => {
  const app = await openRealtime(db, { settings: { idleSeconds: 5 } })
  const { child, heard } = await startClient(db, app, runtimes.Node)
  await hears(heard, listening)
  await followed(db)
  await write(db, 1)
  await hears(heard, [{ rung: 1 }, { row: 1 }])
  child.kill('SIGSTOP')
  await expect.poll(() => app.realtime.counts().connections, { timeout: 20_000 }).toBe(0)
  await write(db, 2)
  heard.length = 0
  child.kill('SIGCONT')
  await hears(heard, [...listening, { rung: 1 }, { rung: 2 }])
  await write(db, 3)
  await hears(heard, [{ rung: 3 }, { row: 3 }])
}, 60_000)

test('the official client under Deno joins, is answered, and hears messages and rows', async ({ db }) => {
  const app = await openRealtime(db)
  const { heard } = await startClient(db, app, runtimes.Deno)
  await hears(heard, listening)
  await followed(db)
  await write(db, 1)
  await hears(heard, [{ rung: 1 }, { row: 1 }])
}, 60_000)
