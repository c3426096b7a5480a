import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { writeManifest } from './copies/manifest.ts'
import { type BackupCommand, createBackups } from './schedule.ts'
import { openFolderTarget } from './target/folder-target.ts'
import { writeVerification } from './verify/record.ts'

const hourMs = 3_600_000
const beginMs = Date.UTC(2026, 10, 25, 12)

/** A schedule whose commands write what the command line's would: a manifest, the result of a check. */
async function openSchedule({ verify = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-schedule-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const target = openFolderTarget(folder)
  const clock = { ms: beginMs }
  const ran: BackupCommand[] = []
  const problems: Partial<Record<BackupCommand, string>> = {}
  const idNow = (): string => new Date(clock.ms).toISOString().replaceAll(/[-:.]/g, '')
  const run = async (command: BackupCommand): Promise<string | null> => {
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
    settings: { everyHours: 24, verify },
    run,
    now: () => new Date(clock.ms),
    log: pino({ level: 'silent' }),
    changed: () => undefined,
    pollMs: 5,
  })
  backups.start()
  onTestFinished(backups.close)
  const isIdle = async () => (await backups.state()).running === null
  return { backups, clock, ran, problems, isIdle }
}

test('a backup is made, opened and followed by a clean-up when the newest is a day old', async () => {
  const { backups, clock, ran } = await openSchedule()
  await expect.poll(() => ran).toEqual(['create', 'verify', 'prune'])
  await expect.poll(() => backups.health()).toMatchObject({ state: 'up', detail: expect.stringContaining('verified') })
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
