import { expect, test } from 'vitest'
import type { Manifest } from '../copies/manifest.ts'
import { idOf } from '../keep.ts'
import { type KeptStretch, planRecovery, restorableSpans } from './plan-recovery.ts'
import { planNeeded } from './prune-wal.ts'

const hourMs = 3_600_000
const day = (number: number, hours = 0): Date => new Date(Date.UTC(2026, 10, number) + hours * hourMs)

/** A backup that takes an hour, of a server whose log ends at `stopLsn` then. */
const backupOf = (at: Date, stopLsn: string, { systemId = '1', timeline = 1 } = {}): Manifest => ({
  ...{ format: 1, id: idOf(at), startedAt: at.toISOString(), clew: '0.1.0', platform: 'linux', arch: 'x64' },
  instant: new Date(at.getTime() + hourMs).toISOString(),
  endedAt: new Date(at.getTime() + hourMs).toISOString(),
  postgres: { version: '18.1', systemId, timeline, startLsn: stopLsn, stopLsn, tables: [] },
  ...{ clickhouse: null, archives: [], secrets: null, leftOut: [] },
})

const stretchOf = (from: Date, until: Date, fromLsn: string, untilLsn: string, more: Partial<KeptStretch> = {}) => ({
  ...{ id: idOf(from), systemId: '1', timeline: 1, segmentBytes: 16 * 1024 ** 2, fromLsn, untilLsn },
  ...{ untilAt: until.toISOString(), ended: null, since: null, ...more },
})

const first = backupOf(day(1), '0/3000000')
const second = backupOf(day(2), '0/9000000')
const afterGap = backupOf(day(4), '0/F000000')
const manifests = [first, second, afterGap]
const broken = stretchOf(day(1), day(3), '0/2000000', '0/B000000', { ended: 'It was lost.' })
const whole = stretchOf(day(4), day(5), '0/E000000', '0/12000000')
const stretches = [broken, whole]
const plan = (at: Date | 'latest', id: string | null = null) => planRecovery({ manifests, stretches, at, id })

test('a moment is restored from the newest backup before it, and by no more log than leads there', () => {
  const between = plan(day(1, 5))
  expect(between).toMatchObject({ manifest: { id: first.id }, fromLsn: '0/3000000', until: day(1, 5) })
  // The second backup was begun later: everything of before is in the log up to its end.
  expect(between.untilLsn).toBe('0/9000000')
  expect(plan(day(2, 5))).toMatchObject({ manifest: { id: second.id }, untilLsn: '0/B000000', stretch: broken })
  expect(plan(day(4, 5))).toMatchObject({ manifest: { id: afterGap.id }, untilLsn: '0/12000000', stretch: whole })
})

test('the latest moment is the end of the newest log', () => {
  expect(plan('latest')).toMatchObject({ manifest: { id: afterGap.id }, untilLsn: '0/12000000', until: null })
})

test('a backup that is named is the one that it begins with', () => {
  expect(plan(day(2, 5), first.id)).toMatchObject({ manifest: { id: first.id }, untilLsn: '0/B000000' })
})

test.each([
  ['in a gap', day(3, 5), null],
  ['while the first backup was made', day(1, 0.5), null],
  ['after the end of the log', day(6), null],
  ['before the named backup', day(1, 5), second.id],
])('a moment %s is refused, with those that there are', (_what, at, id) => {
  expect(() => plan(at, id)).toThrow(
    expect.objectContaining({
      code: 'CLEW_BACKUP_NO_LOG',
      message: expect.stringContaining(
        `${first.instant} to ${broken.untilAt}, ${afterGap.instant} to ${whole.untilAt}`,
      ),
    }),
  )
})

test.each([
  ['another instance', backupOf(day(4), '0/F000000', { systemId: '2' })],
  ['another timeline', backupOf(day(4), '0/F000000', { timeline: 2 })],
  ['a time before the log', backupOf(day(4), '0/D000000')],
  ['a time after the log', backupOf(day(4), '0/13000000')],
])('a backup of %s leads nowhere', (_what, manifest) => {
  expect(restorableSpans([manifest], [whole])).toEqual([])
})

test('log that a clean-up has removed leads nowhere', () => {
  expect(restorableSpans([first, second], [{ ...broken, since: '0/8000000' }])).toEqual([
    { from: second.instant, until: broken.untilAt },
  ])
})

test('log is needed from the last backup on that is older than its days', () => {
  const until = (newestAt: Date, walDays: number, isLast = true) =>
    planNeeded(broken, [first, second], { isLast, newestAt, walDays })
  expect(until(day(9), 7)).toBe('0/3000000')
  expect(until(day(10), 7)).toBe('0/9000000')
  expect(until(day(3), 7)).toBe('0/3000000')
  // A stretch that has ended goes when none of its moments is of these days.
  expect(until(day(10), 7, false)).toBe('0/9000000')
  expect(until(day(10, 1), 7, false)).toBe('nothing')
})

test('log without a backup is kept while it goes on, and removed once it has ended', () => {
  const facts = { newestAt: day(5), walDays: 7 }
  expect(planNeeded(whole, [], { ...facts, isLast: true })).toBeNull()
  expect(planNeeded(broken, [], { ...facts, isLast: false })).toBe('nothing')
})
