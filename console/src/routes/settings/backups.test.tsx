import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Backup, BackupsAnswer } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const good: Backup = {
  ...{ id: '20260102T030405000Z', problem: null, instant: at, sizeBytes: 47_244_364, newBytes: 1000, hasKeys: true },
  parts: [{ name: 'postgres', files: 1504, sizeBytes: 47_000_000 }],
  leftOut: [],
  verification: { at, isGood: true, checks: [{ name: 'PostgreSQL', detail: '322 rows in 107 tables', problem: null }] },
}
const bad: Backup = {
  ...good,
  id: '20260103T030405000Z',
  hasKeys: false,
  leftOut: ['Keys and settings, as there is no passphrase.'],
  verification: {
    at,
    isGood: false,
    checks: [{ name: 'bytes', detail: '1 byte', problem: 'The bytes were changed.' }],
  },
}
const state: BackupsAnswer = {
  ...{ target: '/mnt/backups', isExternal: false, everyHours: 24, running: null, failure: null },
  wal: {
    spans: [{ from: at, until: '2026-01-03T04:05:06.000Z' }],
    ...{ untilAt: '2026-01-03T04:05:06.000Z', untilLsn: '0/3A00060', gap: null, failure: null },
  },
  backups: [bad, good],
}
const ran: string[] = []
const answersWith = (answer: Partial<BackupsAnswer>, role: 'owner' | 'analyst' = 'owner'): Answers => ({
  ...signedIn,
  '/console/api/session': { get: { operator: { ...operator, role } } },
  '/console/api/backups': { get: { ...state, ...answer } },
  '/console/api/backups/run': {
    post: () => {
      ran.push('run')
      return new Response(null, { status: 202 })
    },
  },
})

test('the last verified backup is told, not the last written one, and each says how it is', async () => {
  openConsole('/settings/backups', answersWith({}))
  const standing = within(await screen.findByRole('region', { name: 'How backups are' }))
  expect(standing.getByText(/Last verified backup/)).toBeTruthy()
  const table = within(screen.getByRole('table', { name: 'Backups' }))
  expect(table.getByText('not good')).toBeTruthy()
  expect(table.getByText('verified')).toBeTruthy()
})

test('how far the log is kept is told, with the command that restores its end', async () => {
  openConsole('/settings/backups', answersWith({}))
  const log = within(await screen.findByRole('region', { name: 'Moments between backups' }))
  expect(log.getByText('0/3A00060')).toBeTruthy()
  expect(log.getByText(/Any moment from/)).toBeTruthy()
  expect(log.getByText(/restore --at latest --target \/mnt\/backups/)).toBeTruthy()
})

const wal = { spans: [], untilAt: null, untilLsn: null, gap: null, failure: null }

test('one opens with what it holds, what opening it showed, and the commands that restore it', async () => {
  const { at: place } = openConsole('/settings/backups', answersWith({}))
  await userEvent.click(await screen.findByText('not good'))
  await expect.poll(place).toContain(bad.id)
  const drawer = within(await screen.findByRole('dialog', { name: `Backup ${bad.id}` }))
  expect(drawer.getByText(/^1,504 files/)).toBeTruthy()
  expect(drawer.getByText('The bytes were changed.')).toBeTruthy()
  expect(drawer.getByText(/Left out: Keys/)).toBeTruthy()
  expect(drawer.getByText(/clew backup restore 20260103T030405000Z --target \/mnt\/backups/)).toBeTruthy()
})

test('one is begun by those who may, and not while one is under way', async () => {
  openConsole('/settings/backups', answersWith({}))
  await userEvent.click(await screen.findByRole('button', { name: 'Back up now' }))
  await expect.poll(() => ran).toEqual(['run'])
})

test('its dialog, which an address opens, says where it goes, and begins it', async () => {
  ran.length = 0
  const { at: place } = openConsole('/settings/backups?create=true', answersWith({}))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a backup' }))
  expect(dialog.getByText('/mnt/backups')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Create the backup' }))
  await expect.poll(() => ran).toEqual(['run'])
  await expect.poll(place).toBe('/settings/backups')
})

test('while one is under way the button waits, and the page says what is done', async () => {
  openConsole('/settings/backups', answersWith({ running: 'verify' }))
  await screen.findByText(/being opened and read/)
  expect(screen.getByRole('button', { name: 'Back up now' }).hasAttribute('disabled')).toBe(true)
})

test('an analyst sees them and begins none', async () => {
  openConsole('/settings/backups', answersWith({}, 'analyst'))
  await screen.findByText(/Last verified backup/)
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull()
})

test.each([
  ['without a folder it says how to name one', { target: null }, /Name a folder on another disk/],
  ['with another PostgreSQL it says who backs it up', { target: null, isExternal: true }, /Its provider/],
  ['without a backup yet it says when the first is made', { backups: [] }, /The first one is made/],
  ['without the log it says what that means', { wal: null }, /nothing can be restored/],
  ['before the first log it says so', { wal }, /None is there yet/],
  [
    'a gap is told with its reason',
    { wal: { ...wal, gap: { after: at, reason: 'The slot was lost.' } } },
    /slot was lost/,
  ],
  ['log that goes no further is told', { wal: { ...wal, failure: { at, message: 'No room' } } }, /No room/],
  ['a failure is told', { failure: { at, message: 'CLEW_BACKUP_TARGET  No space left' } }, /No space left/],
])('%s', async (_what, answer, words) => {
  openConsole('/settings/backups', answersWith(answer))
  await screen.findByText(words)
})

test('a refusal is told', async () => {
  openConsole('/settings/backups', {
    ...signedIn,
    '/console/api/backups': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role may not see it.') },
  })
  await screen.findByText(/may not see it/)
})
