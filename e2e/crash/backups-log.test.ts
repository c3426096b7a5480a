import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { env, load, roundMs, rounds, storageOf, type Verified } from '../support/backups.ts'
import { claimOwner } from '../support/console-api.ts'
import { killNow, newDataDir, run, startProduct, until } from '../support/product.ts'
import { createTicks, inDatabase, signUp } from '../support/ticks.ts'

describe('whose log is kept as it is written', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-log-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(Array.from({ length: rounds }, (_, round) => round))(
    'round %i: killed under load, it is restored to the last row that was acknowledged before the end of the log',
    async (round) => {
      const own = join(folder, `round-${round}`)
      await mkdir(own)
      // What keeps the log ends a moment after the server.
      onTestFinished(() => rm(own, { recursive: true, force: true, maxRetries: 5 }))
      const backups = join(own, 'backups')
      const settings = { CLEW_BACKUP_FOLDER: backups, CLEW_BACKUP_WAL_SECONDS: '1', CLEW_BACKUP_VERIFY: 'false' }
      const dataDir = await newDataDir(join(own, 'data'))
      const product = await startProduct({ dataDir, env: { ...env, ...settings } })
      const api = await claimOwner(product)
      interface Log {
        readonly spans: readonly object[]
        readonly untilAt: string | null
      }
      const log = async (): Promise<Log | null> => (await api.get<{ wal: Log | null }>('/backups')).wal
      // The backup that the log leads on from.
      await until(async () => ((await log())?.spans.length ?? 0) > 0, 60_000)
      await inDatabase(product, (client) => client.query(createTicks))
      await storageOf(product).createBucket('kept')
      const token = await signUp(product)
      const writing = load(product, token, randomUUID(), 0)
      const { rows } = writing.acknowledged
      await until(() => rows.length >= 50)
      const before = rows.map(({ n }) => n)
      const answeredAt = Date.now()
      await until(async () => Date.parse((await log())?.untilAt ?? '0') >= answeredAt, 60_000)
      killNow(product, true)
      // Those that were under way fail with it.
      await writing.stop().catch(() => undefined)
      await until(() => product.child.exitCode !== null || product.child.signalCode !== null)

      const verify = ['backup', 'verify', '--json', '--target', backups, '--in', join(own, 'verified')]
      const verified = JSON.parse((await run(verify, tmpdir(), env)).stdout) as Verified
      expect(verified.isGood).toBe(true)
      const found = verified.checks.find(({ name }) => name === 'log')
      expect(found).toMatchObject({ problem: null, detail: expect.stringMatching(/last transaction: \d{4}-/) })

      const to = join(own, 'restored')
      const args = ['backup', 'restore', '--target', backups, '--at', 'latest', '--to', to]
      const restored = await run(args, tmpdir(), env)
      expect(restored).toMatchObject({ code: 0, stderr: '' })
      expect(restored.stdout).toContain('The last transaction in it was committed at')
      const copy = await startProduct({ dataDir: to })
      try {
        const numbers = await inDatabase(copy, async (client) => {
          const found = await client.query<{ n: number }>('select n from public.ticks order by n')
          return found.rows.map((row) => row.n)
        })
        expect(numbers.slice(0, before.length)).toEqual(before)
        expect(numbers).toEqual(numbers.map((_, at) => at + 1))
      } finally {
        await copy.close()
      }

      // A log that cannot be replayed is no good, though the backup itself is.
      const parts = await readdir(join(backups, 'wal-parts'), { recursive: true })
      for (const name of parts.filter((path) => path.endsWith('.gz')))
        await writeFile(join(backups, 'wal-parts', name), 'x')
      const damaged = await run(verify, tmpdir(), env)
      expect(damaged.code).toBe(22)
      const problems = (JSON.parse(damaged.stdout) as Verified).checks.filter(({ problem }) => problem !== null)
      expect(problems.map(({ name }) => name)).toEqual(['log'])
    },
    roundMs,
  )
})
