import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { writeManifest } from './copies/manifest.ts'
import { type BackupCommand, createBackups } from './schedule.ts'
import { openFolderTarget } from './target/folder-target.ts'
import { writeVerification } from './verify/record.ts'
import { type Stretch, writeStretch } from './wal/stretch.ts'

const hourMs = 3_600_000
const beginMs = Date.UTC(2026, 10, 25, 12)

/** A schedule whose commands write what the command line's would: a manifest, the result of a check. */
async function openSchedule({ verify = true, wal = false, walProblems = [] as string[], budgetMib = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-schedule-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const target = openFolderTarget(folder)
  const clock = { ms: beginMs }
  const ran: BackupCommand[] = []
  const problems: Partial<Record<BackupCommand, string>> = {}
  let walBegun = 0
  /** Ends with the next thing to complain of, or runs until the signal. */
  const keepWal = async (signal: AbortSignal): Promise<string | null> => {
    walBegun += 1
    const problem = walProblems.shift()
    if (problem === undefined) await once(signal, 'abort')
    return problem ?? null
  }
  const idNow = (): string => new Date(clock.ms).toISOString().replaceAll(/[-:.]/g, '')
  const run = async (command: BackupCommand, signal: AbortSignal): Promise<string | null> => {
    if (command === 'wal') return keepWal(signal)
    ran.push(command)
    const problem = problems[command]
    if (problem !== undefined) return problem
    const [id, at] = [idNow(), new Date(clock.ms).toISOString()]
    const facts = { startedAt: at, endedAt: at, instant: at, clew: '0.1.0', platform: 'linux', arch: 'x64' }
    const nothing = { postgres: null, clickhouse: null, archives: [], secrets: null, leftOut: [] }
    if (command === 'create') await writeManifest(target, { id, ...facts, ...nothing })
    if (command === 'verify') await writeVerification(target, { id, at, isGood: true, checks: [] })
    return null
  }
  const backups = createBackups({
    target,
    settings: { everyHours: 24, verify, wal, walSeconds: 10 },
    budgetBytes: budgetMib === 0 ? null : budgetMib * 1024 ** 2,
    run,
    now: () => new Date(clock.ms),
    log: pino({ level: 'silent' }),
    changed: () => undefined,
    pollMs: 5,
    keepsWal: true,
    walAgainMs: 5,
  })
  const noteLog = (untilMs: number, more: Partial<Stretch> = {}): Promise<void> =>
    writeStretch(target, {
      ...{ id: new Date(beginMs).toISOString().replaceAll(/[-:.]/g, ''), systemId: '1', timeline: 1 },
      ...{ segmentBytes: 16 * 1024 ** 2, fromLsn: '0/2000000', untilLsn: '0/3A00060', ended: null },
      untilAt: new Date(untilMs).toISOString(),
      ...more,
    })
  backups.start()
  onTestFinished(backups.close)
  const isIdle = async () => (await backups.state()).running === null
  return { backups, target, clock, ran, problems, isIdle, noteLog, walBegun: () => walBegun }
}

test('a backup is made, opened and followed by a clean-up when the newest is a day old', async () => {
  const { backups, clock, ran } = await openSchedule()
  await expect.poll(() => ran).toEqual(['create', 'verify', 'prune'])
  const isVerified = expect.stringContaining('The last verified backup is of')
  await expect.poll(() => backups.health()).toMatchObject({ state: 'up', detail: isVerified })
  clock.ms += 23 * hourMs
  expect(backups.verifiedAgeSeconds()).toBe(23 * 3600)
  clock.ms += hourMs
  await expect.poll(() => ran.length).toBe(6)
  expect((await backups.state()).backups).toHaveLength(2)
})

test('what fails is told, keeps nothing else from running, and is tried again an hour later', async () => {
  const { backups, clock, ran, problems } = await openSchedule()
  problems.verify = 'PostgreSQL: other rows'
  await expect.poll(() => backups.health().state).toBe('degraded')
  await expect.poll(() => backups.health().detail).toContain('PostgreSQL: other rows')
  // Nothing is removed while the newest is not known to be good.
  expect(ran).toEqual(['create', 'verify'])
  expect(backups.failures()).toBe(1)
  expect(backups.verifiedAgeSeconds()).toBe(Number.POSITIVE_INFINITY)
  delete problems.verify
  clock.ms += hourMs
  await expect.poll(() => ran).toEqual(['create', 'verify', 'create', 'verify', 'prune'])
  await expect.poll(() => backups.health().state).toBe('up')
})

test('another process’s turn is no failure', async () => {
  const { backups, ran, problems } = await openSchedule()
  problems.create = 'CLEW_BACKUP_BUSY  Another backup, check or clean-up is under way.'
  await expect.poll(() => ran.length).toBeGreaterThan(0)
  expect(backups.health().state).toBe('up')
  expect(backups.failures()).toBe(0)
})

test('one is begun when an operator asks', async () => {
  const { backups, clock, ran, isIdle } = await openSchedule({ verify: false })
  await expect.poll(() => ran).toEqual(['create', 'prune'])
  await expect.poll(isIdle).toBe(true)
  clock.ms += 1000
  backups.runNow()
  await expect.poll(() => ran).toEqual(['create', 'prune', 'create', 'prune'])
})

test('how far the log is kept is told, and that it goes no further', async () => {
  const { backups, clock, isIdle, noteLog } = await openSchedule({ wal: true })
  expect(backups.walAgeSeconds()).toBe(Number.POSITIVE_INFINITY)
  await expect.poll(isIdle).toBe(true)
  await noteLog(clock.ms)
  await expect.poll(() => backups.health().detail).toContain('0/3A00060')
  expect(backups.health().state).toBe('up')
  clock.ms += 60_000
  expect(backups.walAgeSeconds()).toBe(60)
  expect(backups.health().state).toBe('up')
  clock.ms += 600_000
  expect(backups.health()).toMatchObject({ state: 'degraded', detail: expect.stringContaining('goes no further') })
})

test('keeping the log is begun again when it ends, and its failure told until it is kept again', async () => {
  const walProblems = ['CLEW_BACKUP_TARGET  No space left']
  const { backups, clock, noteLog, walBegun } = await openSchedule({ wal: true, walProblems })
  await expect.poll(walBegun).toBe(2)
  expect(backups.health()).toMatchObject({ state: 'degraded', detail: expect.stringContaining('No space left') })
  expect((await backups.state()).wal?.failure?.message).toContain('No space left')
  await noteLog(clock.ms + 1)
  await expect.poll(() => backups.health().state).toBe('up')
  expect((await backups.state()).wal?.failure).toBeNull()
})

test('log that begins anew has a backup of its own at once, and no more than one', async () => {
  const { clock, ran, isIdle, noteLog } = await openSchedule({ verify: false, wal: true })
  await expect.poll(() => ran).toEqual(['create', 'prune'])
  await expect.poll(isIdle).toBe(true)
  clock.ms += 1000
  await noteLog(clock.ms, { id: new Date(clock.ms).toISOString().replaceAll(/[-:.]/g, '') })
  clock.ms += 1000
  await expect.poll(() => ran).toEqual(['create', 'prune', 'create', 'prune'])
  clock.ms += hourMs
  await expect.poll(isIdle).toBe(true)
  expect(ran).toHaveLength(4)
})

test('what is above the budget is measured after a backup and once an hour, and said in its health', async () => {
  const { backups, target, clock, ran } = await openSchedule({ budgetMib: 1 })
  await expect.poll(() => ran).toEqual(['create', 'verify', 'prune'])
  await expect.poll(() => backups.health()).toMatchObject({ state: 'up' })
  expect(await backups.bytes()).toBe(0)
  await target.put('pieces/ab/abc', Buffer.alloc(1024 ** 2 + 1))
  clock.ms += hourMs
  await expect
    .poll(() => backups.health())
    .toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('They take 2 MiB, and backups_mib of [disk] allows 1 MiB'),
    })
  expect(await backups.bytes()).toBe(1024 ** 2 + 1)
})
