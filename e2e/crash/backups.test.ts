import { spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askStatus } from '../../server/src/instance/control.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { env, load, roundMs, rounds, storageOf } from '../support/backups.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import { mayMount, mount, unmount } from '../support/disk.ts'
import { command, newDataDir, type Product, run, startProduct, until } from '../support/product.ts'
import { createTicks, eventsOf, inDatabase, signUp } from '../support/ticks.ts'

describe('backed up while it takes rows, events and files', () => {
  let folder: string
  let product: Product
  let api: ConsoleApi
  let token: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-backup-'))
    product = await startProduct({ dataDir: await newDataDir(join(folder, 'data')) })
    api = await claimOwner(product)
    await inDatabase(product, (client) => client.query(createTicks))
    await storageOf(product).createBucket('kept')
    token = await signUp(product)
  })
  afterAll(async () => {
    await product?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const backup = (...args: readonly string[]) =>
    run(['backup', ...args, '--data', product.dataDir, '--target', join(folder, 'backups')], tmpdir(), env)

  interface Listed {
    readonly id: string
    readonly problem: string | null
    readonly verification: { readonly isGood: boolean } | null
    readonly manifest: {
      readonly startedAt: string
      readonly endedAt: string
      readonly archives: readonly { readonly name: string; readonly sizeBytes: number }[]
    } | null
  }
  const listed = async (): Promise<readonly Listed[]> => JSON.parse((await backup('list', '--json')).stdout)

  test.each(Array.from({ length: rounds }, (_, round) => round))(
    'round %i: what was answered before is in the restored copy, rows without a hole, and the sign-in as well',
    async (round) => {
      const sessionId = randomUUID()
      const writing = load(product, token, sessionId, round * 100_000)
      const { rows, events } = writing.acknowledged
      await until(() => rows.length >= 30 && events.length >= 30 && writing.files.length >= 10)
      const before = { rows: rows.map(({ n }) => n), events: [...events], files: [...writing.files] }
      expect(await backup('create')).toMatchObject({ code: 0, stderr: '' })
      await writing.stop()
      const verified = await backup('verify', '--json')
      expect(verified).toMatchObject({ code: 0, stderr: '' })
      const { isGood, checks } = JSON.parse(verified.stdout) as { isGood: boolean; checks: { name: string }[] }
      expect(isGood).toBe(true)
      expect(checks.map(({ name }) => name)).toEqual([
        'keys',
        'bytes',
        'PostgreSQL',
        'ClickHouse',
        'files',
        'recordings',
      ])

      const to = join(folder, `restored-${round}`)
      expect(await backup('restore', '--to', to)).toMatchObject({ code: 0, stderr: '' })
      const copy = await startProduct({ dataDir: to })
      // Its version came along: there is nothing to upgrade.
      expect(copy.output()).not.toContain('restore point')
      try {
        const numbers = await inDatabase(copy, async (client) => {
          const text = 'select n from public.ticks where n > $1 order by n'
          const found = await client.query<{ n: number }>(text, [round * 100_000])
          return found.rows.map((row) => row.n)
        })
        expect(numbers.slice(0, before.rows.length)).toEqual(before.rows)
        expect(numbers).toEqual(numbers.map((_, at) => round * 100_000 + at + 1))
        const copied = await signInOwner(copy)
        await until(async () => {
          const seen = await eventsOf(copied, sessionId)
          return before.events.every((uuid) => seen.includes(uuid))
        })
        const seen = await eventsOf(copied, sessionId)
        expect(seen.length).toBe(new Set(seen).size)
        const stored = storageOf(copy).from('kept')
        const names = await inDatabase(copy, async (client) => {
          const text = 'select name from storage.objects where name like $1'
          return (await client.query<{ name: string }>(text, [`${sessionId}/%`])).rows.map((row) => row.name)
        })
        expect(names).toEqual(expect.arrayContaining(before.files))
        for (const name of names) {
          const { data } = await stored.download(name)
          expect(await data?.text()).toBe(name.repeat(2000))
        }
      } finally {
        await copy.close()
      }
      // The original has noticed nothing.
      expect((await eventsOf(api, sessionId)).length).toBeGreaterThanOrEqual(before.events.length)
    },
    roundMs,
  )

  test(
    'one that is killed at any moment is not listed, and the next one is whole',
    async () => {
      const before = await listed()
      for (let trial = 0; trial < rounds; trial += 1) {
        const args = ['backup', 'create', '--data', product.dataDir, '--target', join(folder, 'backups')]
        const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } })
        const ended = once(child, 'exit')
        // Not a wait for something: the moment of death.
        await new Promise((resolve) => setTimeout(resolve, randomInt(800, 3000)))
        child.kill('SIGKILL')
        await ended
      }
      expect(await backup('create')).toMatchObject({ code: 0 })
      const after = await listed()
      expect(after.every(({ problem }) => problem === null)).toBe(true)
      expect(after.length).toBeGreaterThan(before.length)
      expect(await backup('verify')).toMatchObject({ code: 0 })
      expect((await listed())[0]?.verification?.isGood).toBe(true)
    },
    roundMs,
  )

  test('one that may read so many bytes a second takes its time', async () => {
    const mibPerSecond = 20
    const args = ['backup', 'create', '--data', product.dataDir, '--target', join(folder, 'backups')]
    const limited = await run(args, tmpdir(), { ...env, CLEW_BACKUP_MIB_PER_SECOND: String(mibPerSecond) })
    expect(limited).toMatchObject({ code: 0, stderr: '' })
    const [newest] = await listed()
    const { startedAt, endedAt, archives } = newest?.manifest ?? expect.fail('It cannot be read.')
    // All of PostgreSQL is read each time; the first piece waits for none, and neither does what follows the last.
    const bytes = archives.find(({ name }) => name === 'postgres')?.sizeBytes ?? 0
    const waitedMs = ((bytes / 1024 ** 2 - 8) / mibPerSecond) * 1000
    expect(waitedMs).toBeGreaterThan(500)
    expect(Date.parse(endedAt) - Date.parse(startedAt)).toBeGreaterThan(waitedMs)
  })

  test('above its budget a clean-up leaves the newest and the last that is known to be good', async () => {
    const good = (await listed()).find(({ verification }) => verification?.isGood === true)
    for (const _ of [1, 2]) expect(await backup('create')).toMatchObject({ code: 0, stderr: '' })
    const [newest] = await listed()
    const prune = ['backup', 'prune', '--data', product.dataDir, '--target', join(folder, 'backups')]
    const pruned = await run(prune, tmpdir(), { ...env, CLEW_DISK_BACKUPS_MIB: '1' })
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringMatching(/backups_mib of \[disk\] allows 1\.0 MiB/) })
    expect((await listed()).map(({ id }) => id)).toEqual([newest?.id, good?.id])
    expect(await backup('verify')).toMatchObject({ code: 0, stderr: '' })
  })

  test.runIf(mayMount)('one whose target is full says so and is not listed; with room the next is whole', async () => {
    const small = join(folder, 'small')
    await mkdir(small)
    mount(small, 'size=8m')
    try {
      const at = ['--data', product.dataDir, '--target', small]
      const full = await run(['backup', 'create', ...at], tmpdir(), env)
      expect(full).toMatchObject({ code: 22, stderr: expect.stringContaining('ENOSPC') })
      expect(JSON.parse((await run(['backup', 'list', '--json', ...at])).stdout)).toEqual([])
      spawnSync('mount', ['-o', 'remount,size=400m', small])
      expect(await run(['backup', 'create', ...at], tmpdir(), env)).toMatchObject({ code: 0 })
      expect(await run(['backup', 'verify', ...at], tmpdir(), env)).toMatchObject({ code: 0 })
    } finally {
      unmount(small)
    }
  })

  test('a restore refuses a folder that is not empty, and a wrong passphrase, and writes nothing', async () => {
    const to = join(folder, 'refused')
    const refused = await run(['backup', 'restore', '--target', join(folder, 'backups'), '--to', to], tmpdir(), {
      CLEW_BACKUP_PASSPHRASE: 'another passphrase',
    })
    expect(refused).toMatchObject({ code: 22, stderr: expect.stringContaining('CLEW_BACKUP_PASSPHRASE') })
    expect(await backup('restore', '--to', product.dataDir)).toMatchObject({
      stderr: expect.stringContaining('CLEW_BACKUP_NOT_EMPTY'),
    })
  })

  test(
    'with a folder in its settings the instance makes and opens one by itself, and says so',
    async () => {
      const own = await startProduct({ env: { ...env, CLEW_BACKUP_FOLDER: join(folder, 'own') } })
      try {
        const console = await claimOwner(own)
        const backups = async () =>
          (
            await console.get<{ backups: readonly { hasKeys: boolean; verification: { isGood: boolean } | null }[] }>(
              '/backups',
            )
          ).backups
        // Its processes give way to all others: on a busy machine they take minutes.
        await until(async () => (await backups())[0]?.verification?.isGood === true, 150_000)
        expect(await backups()).toMatchObject([{ hasKeys: true }])
        // What keeps the log goes on: a process that the instance has begun, as it begins the others.
        if (existsSync('/proc/self/autogroup'))
          await until(() => sessionsOfChildren(own, 'backup wal').join() === 'nice 10', 60_000)
        const health = async () => (await askStatus(directoryOf(own.dataDir).control)).engines
        await until(async () => (await health()).some(({ name, state }) => name === 'backups' && state === 'up'))
        expect((await run(['metrics', '--data', own.dataDir])).stdout).toMatch(/^clew_backup_verified_age_seconds \d/m)
      } finally {
        await own.close()
      }
    },
    roundMs,
  )

  test(
    'another passphrase seals the next backup without a restart; one of before keeps its own',
    async () => {
      const [file, target] = [join(folder, 'passphrase'), join(folder, 'resealed')]
      const [old, next] = ['a passphrase of before', 'another passphrase, later']
      await writeFile(file, old)
      const own = await startProduct({
        env: {
          ...{ CLEW_BACKUP_PASSPHRASE_FILE: file, CLEW_BACKUP_FOLDER: target },
          ...{ CLEW_BACKUP_VERIFY: 'false', CLEW_BACKUP_WAL: 'false' },
        },
      })
      try {
        const console = await claimOwner(own)
        const state = () => console.get<{ running: string | null; backups: readonly { id: string }[] }>('/backups')
        // A clean-up leaves the last of a day.
        const nextAfter = async (last: string): Promise<string> => {
          const isMade = async () => {
            const { running, backups } = await state()
            return running === null && backups.length === 1 && backups[0]?.id !== last
          }
          await until(isMade, 150_000)
          return (await state()).backups[0]?.id ?? ''
        }
        const restore = async (id: string, passphrase: string) => {
          const args = ['backup', 'restore', id, '--target', target, '--to', join(folder, `resealed-${id}`)]
          return (await run(args, tmpdir(), { CLEW_BACKUP_PASSPHRASE: passphrase })).code
        }
        const before = await nextAfter('')
        expect([await restore(before, next), await restore(before, old)]).toEqual([22, 0])
        await writeFile(file, next)
        await console.post('/backups/run')
        const after = await nextAfter(before)
        expect([await restore(after, old), await restore(after, next)]).toEqual([22, 0])
      } finally {
        await own.close()
      }
    },
    roundMs,
  )

  test('one whose bytes were changed on the disk is not good, and says so', async () => {
    const pieces = join(folder, 'backups', 'pieces')
    const files = (await readdir(pieces, { recursive: true })).filter((name) => name.includes('/'))
    const sizes = await Promise.all(files.map(async (name) => ({ name, size: (await stat(join(pieces, name))).size })))
    // The largest are PostgreSQL's, which the newest backup has as well.
    for (const { name } of sizes.filter(({ size }) => size >= 1024 ** 2)) await writeFile(join(pieces, name), 'x')
    const found = await backup('verify')
    expect(found).toMatchObject({ code: 22, stdout: expect.stringContaining('were changed') })
    expect((await listed())[0]?.verification?.isGood).toBe(false)
    const refused = await backup('restore', '--to', join(folder, 'damaged'))
    expect(refused).toMatchObject({ code: 22, stderr: expect.stringContaining('CLEW_BACKUP_DAMAGED') })
    expect(await readdir(folder)).not.toContain('damaged')
  })
})

/** The priorities of the sessions of those processes of the product that run a command. */
function sessionsOfChildren({ child: { pid } }: Product, command: string): readonly string[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const fact = (of: string, name: string): string => {
    try {
      return readFileSync(`/proc/${of}/${name}`, 'utf8')
    } catch {
      return 'It has ended.'
    }
  }
  const called = pids.filter((each) => fact(each, 'cmdline').replaceAll('\0', ' ').includes(` ${command} `))
  // As `/autogroup-7 nice 0`.
  return called.map((each) => fact(each, 'autogroup').trim().replace(/^\S+ /, ''))
}
