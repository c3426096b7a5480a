import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import { command, killNow, newDataDir, type Product, run, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

const env = { CLEW_BACKUP_PASSPHRASE: 'a passphrase of a test' }
/** More by hand: `CLEW_TRIALS=20`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 1)
const testMs = 600_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-root-key-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

interface RootKeys {
  readonly rootKeys: readonly {
    readonly id: string
    readonly isCurrent: boolean
    readonly contents: readonly { readonly name: string; readonly count: number; readonly moves: boolean }[]
  }[]
}

const rootKeysOf = async (api: ConsoleApi) => (await api.get<RootKeys>('/secrets/root-keys')).rootKeys

/** Stores secrets of the vault under these names. */
const store = (product: Product, ...names: readonly string[]) =>
  inDatabase(product, async (client) => {
    for (const name of names) await client.query('select vault.create_secret($1, $2)', [`value of ${name}`, name])
  })

/** The secrets as they are read, by their names. */
const readAll = (product: Product) =>
  inDatabase(product, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, decrypted_secret as value from vault.decrypted_secrets order by name',
    )
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  })

const asStored = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `value of ${name}`]))

/** Resolves when nothing is under an earlier root key that moves by itself. */
const moved = (api: ConsoleApi) =>
  until(async () => {
    const keys = await rootKeysOf(api)
    return keys.every(({ isCurrent, contents }) => isCurrent || contents.every(({ moves }) => !moves))
  }, 60_000)

test(
  'killed at any moment of a rotation, together with who asked for it, every secret is read and the owner signs in',
  async () => {
    const dataDir = await newDataDir(join(folder, 'killed'))
    let product = await startProduct({ dataDir })
    onTestFinished(() => product.close())
    await claimOwner(product)
    const names = Array.from({ length: 300 }, (_, n) => `secret ${String(n).padStart(3, '0')}`)
    await store(product, ...names)
    for (let trial = 0; trial < rounds; trial++) {
      const asking = spawn(process.execPath, [command, 'keys', 'rotate', '--root', '--data', dataDir])
      const ended = once(asking, 'exit')
      // The command takes some half a second to its first step.
      await pause(randomInt(300, 1200))
      asking.kill('SIGKILL')
      killNow(product, randomInt(2) === 0)
      await ended
      await until(() => product.child.exitCode !== null || product.child.signalCode !== null)
      product = await startProduct({ dataDir })
      expect(await readAll(product)).toEqual(asStored(...names))
      await moved(await signInOwner(product))
    }
    const rotated = await run(['keys', 'rotate', '--root', '--json', '--data', dataDir])
    expect(rotated).toMatchObject({ code: 0, stderr: '' })
    const { id, takenOver } = JSON.parse(rotated.stdout)
    expect(takenOver).toBe(true)
    const api = await signInOwner(product)
    await moved(api)
    const [current, ...earlier] = await rootKeysOf(api)
    expect(current).toMatchObject({ id, isCurrent: true })
    for (const key of earlier) {
      const retired = await run(['keys', 'retire', key.id, '--end', '--data', dataDir])
      expect(retired).toMatchObject({ code: 0, stderr: '' })
    }
    expect((await rootKeysOf(api)).map((key) => key.id)).toEqual([id])
    expect(await readAll(product)).toEqual(asStored(...names))
    await product.stop()
    product = await startProduct({ dataDir })
    await signInOwner(product)
    expect(await readAll(product)).toEqual(asStored(...names))
  },
  testMs,
)

test(
  'a moment between a rotation and the next backup is restored with the root key of that moment',
  async () => {
    const own = join(folder, 'restored')
    await mkdir(own, { recursive: true })
    const backups = join(own, 'backups')
    const settings = { CLEW_BACKUP_FOLDER: backups, CLEW_BACKUP_WAL_SECONDS: '1', CLEW_BACKUP_VERIFY: 'false' }
    const dataDir = await newDataDir(join(own, 'data'))
    const product = await startProduct({ dataDir, env: { ...env, ...settings } })
    onTestFinished(() => product.close())
    const api = await claimOwner(product)
    interface Log {
      readonly spans: readonly object[]
      readonly untilAt: string | null
    }
    const log = async (): Promise<Log | null> => (await api.get<{ wal: Log | null }>('/backups')).wal
    await until(async () => ((await log())?.spans.length ?? 0) > 0, 60_000)
    await store(product, 'of before')
    await api.post('/secrets/rotation', { name: 'root key' })
    await store(product, 'of after')
    await moved(api)
    // Its hash is under the new key from then on.
    await signInOwner(product)
    const earlier = (await rootKeysOf(api)).find(({ isCurrent }) => !isCurrent)
    const doctor = async () =>
      (await run(['doctor', '--data', product.dataDir], tmpdir(), { ...env, ...settings })).stdout
    expect(await doctor()).toMatch(/✓ root keys: a restore of the newest backup, \w+, brings them/)
    expect(await doctor()).toContain(`nothing is under ${earlier?.id}`)
    const retire = ['keys', 'retire', earlier?.id ?? '', '--end', '--data', product.dataDir]
    expect(await run(retire, tmpdir(), { ...env, ...settings })).toMatchObject({ code: 0, stderr: '' })
    expect(await doctor()).toMatch(/✓ root keys: one; [0-9a-f]{16} is the current one/)
    const answeredAt = Date.now()
    await until(async () => Date.parse((await log())?.untilAt ?? '0') >= answeredAt, 60_000)
    await product.stop()

    const to = join(own, 'copy')
    const restored = await run(['backup', 'restore', '--target', backups, '--at', 'latest', '--to', to], tmpdir(), env)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    const copy = await startProduct({ dataDir: to })
    onTestFinished(() => copy.close())
    expect(await readAll(copy)).toEqual(asStored('of after', 'of before'))
    await signInOwner(copy)

    // This rotation does not know of the backups: its settings are others.
    const rotated = JSON.parse((await run(['keys', 'rotate', '--root', '--json', '--data', to])).stdout)
    const told = await run(['doctor', '--data', to], tmpdir(), { ...env, ...settings })
    expect(told.stdout).toMatch(
      new RegExp(`✗ root keys: a restore of the newest backup, \\w+, would lack ${rotated.id}`),
    )
    expect(told.code).toBe(1)
  },
  testMs,
)

test(
  'while the root key is rotated again and again under two workers, none meets a secret that it cannot read',
  async () => {
    const product = await startProduct({ args: ['--workers', '2'] })
    onTestFinished(() => product.close())
    const api = await claimOwner(product)
    await store(product, 'first')
    let isOver = false
    const reading = (async () => {
      for (let n = 0; !isOver; n++) {
        await store(product, `while ${n}`)
        await readAll(product)
        await api.get('/team')
      }
    })()
    const rotating = (async () => {
      for (let n = 0; n < 3; n++) await api.post('/secrets/rotation', { name: 'root key' })
      isOver = true
    })()
    await Promise.all([reading, rotating])
    await moved(api)
    const keys = await rootKeysOf(api)
    expect(keys).toHaveLength(4)
    const secrets = keys.map(({ contents }) => contents.some(({ name }) => name === 'secrets of the vault'))
    expect(secrets).toEqual([true, false, false, false])
  },
  testMs,
)
