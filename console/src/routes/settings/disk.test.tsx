import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { DiskState } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const unlimited = { growthBytesPerDay: null, budgetBytes: null, days: null, isHere: true }
const disk: DiskState = {
  ...{ freeBytes: 200e9, totalBytes: 500e9, reserveBytes: 268e6, isShort: false, fullAt: '2026-03-12T00:00:00.000Z' },
  kinds: [
    { ...unlimited, kind: 'recordings', bytes: 40e9, growthBytesPerDay: 1.5e9, budgetBytes: 30e9, days: 30 },
    { ...unlimited, kind: 'events', bytes: 2e9, growthBytesPerDay: -3e6 },
    { ...unlimited, kind: 'database', bytes: 10e9 },
    { ...unlimited, kind: 'backups', bytes: null, isHere: false },
    { ...unlimited, kind: 'restore points', bytes: 1e9, days: 14 },
  ],
  run: {
    ...{ day: '2026-01-02', beganAt: at, endedAt: at, doing: null, error: null },
    freed: [{ kind: 'recordings', what: 'snapshots of 2025-11-24', bytes: 5e9 }],
  },
}
const asked: string[] = []
const answersWith = (answer: Partial<DiskState>, role: 'owner' | 'analyst' = 'owner'): Answers => ({
  ...signedIn,
  '/console/api/session': { get: { operator: { ...operator, role } } },
  '/console/api/disk': { get: { ...disk, ...answer } },
  '/console/api/disk/clean-up': {
    post: () => {
      asked.push('clean up')
      return new Response(null, { status: 202 })
    },
  },
})
const open = (answer: Partial<DiskState> = {}, role: 'owner' | 'analyst' = 'owner') =>
  openConsole('/settings/disk', answersWith(answer, role))

test('it says when the disk is full, and what takes its space', async () => {
  open()
  const standing = within(await screen.findByRole('region', { name: 'How the disk is' }))
  expect(standing.getByText('12 March 2026')).toBeTruthy()
  expect(standing.getByRole('img').getAttribute('aria-label')).toBe(
    'Recordings 40 GB, Events 2 GB, PostgreSQL 10 GB, Restore points 1 GB, Everything else 247 GB, Free 200 GB',
  )
  const table = within(screen.getByRole('table', { name: 'What takes space' }))
  const cells = (name: RegExp) =>
    within(table.getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(cells(/Recordings/)).toEqual(['Recordings', '40 GB', '+1.5 GB', '30 days', '30 GB'])
  expect(cells(/Events/)).toEqual(['Events', '2 GB', '−3 MB', 'for good', 'none'])
  expect(cells(/Backups/)).toEqual(['Backups on another disk', 'unknown', '–', '–', '–'])
  expect(cells(/Restore points/)).toEqual(['Restore points', '1 GB', '–', '14 days', '–'])
})

test('where there are restore points it says what removes them', async () => {
  open()
  const said = /Restore points of upgrades go by themselves.*clew upgrade prune/
  expect((await screen.findByText(/Restore points of upgrades/)).textContent).toMatch(said)
})

test('a clean-up says what it freed, and is begun by those who may', async () => {
  open()
  const cleanUp = within(await screen.findByRole('region', { name: 'Clean-up' }))
  expect(cleanUp.getByText('snapshots of 2025-11-24')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clean up now' }))
  await expect.poll(() => asked).toEqual(['clean up'])
})

test('while one is under way the button waits', async () => {
  open({ run: { ...disk.run, day: '2026-01-02', beganAt: at, endedAt: null, doing: 'calls', freed: [], error: null } })
  await screen.findByText(/under way: deleting calls/)
  expect(screen.getByRole('button', { name: 'Clean up now' }).hasAttribute('disabled')).toBe(true)
})

test('an analyst sees the disk and begins no clean-up', async () => {
  open({}, 'analyst')
  await screen.findByText('12 March 2026')
  expect(screen.queryByRole('button', { name: 'Clean up now' })).toBeNull()
})

test.each([
  ['below the reserve it says what is refused', { isShort: true, freeBytes: 100e6 }, /are refused.*100 MB are free/],
  [
    'without a day of measuring it says so',
    { fullAt: null, kinds: [{ ...unlimited, kind: 'events', bytes: 0 }] },
    /after a day of measuring/,
  ],
  ['without an end it says so', { fullAt: null }, /not full within ten years/],
  ['without a clean-up it says so', { run: null }, /There was none yet/],
  [
    'a failure is told',
    { run: { day: '2026-01-02', beganAt: at, endedAt: null, doing: null, freed: [], error: 'no space' } },
    /tried again: no space/,
  ],
] as const)('%s', async (_what, answer, words) => {
  open(answer as Partial<DiskState>)
  await screen.findByText(words)
})

test('a refusal is told', async () => {
  openConsole('/settings/disk', {
    ...signedIn,
    '/console/api/disk': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role may not see it.') },
  })
  await screen.findByText(/may not see it/)
})
