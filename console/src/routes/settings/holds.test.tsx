import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { person, personOf } from '../../../test/answers/people.ts'
import { access, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { DiskState, Hold } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const disk: DiskState = {
  ...{ freeBytes: 200e9, totalBytes: 500e9, reserveBytes: 268e6, isShort: false, fullAt: null, kinds: [], run: null },
}
const hold: Hold = {
  ...{ id: 'h1', reason: 'Claim 12', createdBy: 'olga@example.test', createdAt: at, until: null, isOpen: true },
  ...{ endedAt: null, endedBy: null, endReason: null, subject: { kind: 'session', id: 's1' } },
}
const holds: readonly Hold[] = [
  hold,
  { ...hold, id: 'h2', subject: { kind: 'person', id: person.id }, until: at, reason: 'Court order' },
  { ...hold, id: 'h3', subject: { kind: 'span', from: at, to: null }, reason: 'Breach' },
  { ...hold, id: 'h4', isOpen: false, endedAt: at, endedBy: 'omar@example.test', endReason: 'Settled', reason: 'Old' },
]

/** Answers of one test, with what was sent. */
function world(role: 'owner' | 'developer' = 'owner', given: Partial<{ days: number; holds: readonly Hold[] }> = {}) {
  const sent: unknown[] = []
  let isProven = false
  const answers: Answers = {
    ...signedIn,
    '/console/api/session': { get: { operator: { ...operator, role } } },
    '/console/api/access': { get: access },
    '/console/api/access/proof': {
      post: () => {
        isProven = true
        return new Response(null, { status: 204 })
      },
    },
    '/console/api/disk': { get: disk },
    '/console/api/people/{id}': { get: personOf },
    '/console/api/people/{id}/line': { get: { moments: [], next: null } },
    '/console/api/retention': {
      get: { sessionsWithErrorsDays: given.days ?? null, holds: [...(given.holds ?? holds)] },
    },
    '/console/api/retention/holds': {
      post: async (request) => {
        sent.push(await request.json())
        return Response.json(hold, { status: 201 })
      },
    },
    '/console/api/retention/holds/{id}/end': {
      post: async (request) => {
        if (!isProven) return refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Confirm it is you.')()
        sent.push(await request.json())
        return Response.json({ ...hold, isOpen: false })
      },
    },
  }
  return { answers, sent }
}

const kept = async () => within(await screen.findByRole('region', { name: 'Kept longer' }))

test('open holds say what they keep, why and by whom; those that have ended are folded', async () => {
  openConsole('/settings/disk', world('owner', { days: 90 }).answers)
  const part = await kept()
  expect(part.getByText(/kept for 90 days after the error/)).toBeTruthy()
  const open = within(part.getByRole('list', { name: 'Open holds' }))
  expect(open.getAllByRole('listitem')).toHaveLength(3)
  expect(open.getByRole('link', { name: /^Session/ }).getAttribute('href')).toBe('/console/sessions/s1')
  expect(open.getByRole('link', { name: /^Person/ }).getAttribute('href')).toBe(`/console/people/${person.id}`)
  expect(open.getByText('all that comes')).toBeTruthy()
  expect(open.getAllByText(/placed by olga@example.test/)).toHaveLength(3)
  await userEvent.click(part.getByText('One hold has ended'))
  expect(part.getByText(/ended by omar@example.test/)).toBeTruthy()
})

test('without holds it says where they are placed', async () => {
  openConsole('/settings/disk', world('owner', { holds: [] }).answers)
  expect((await kept()).getByText(/There is no open hold/)).toBeTruthy()
})

test('an owner holds a span of time', async () => {
  const { answers, sent } = world()
  openConsole('/settings/disk', answers)
  await userEvent.click((await kept()).getByRole('button', { name: 'Hold a span of time' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold a span of time' }))
  const place = dialog.getByRole('button', { name: 'Place the hold' })
  expect(place.hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByLabelText('From'), '2026-01-01T08:30')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Breach ')
  await userEvent.click(place)
  const from = new Date('2026-01-01T08:30').toISOString()
  await expect.poll(() => sent).toEqual([{ subject: { kind: 'span', from, to: null }, reason: 'Breach', until: null }])
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Hold a span of time' })).toBeNull()
})

test('an owner ends a hold with a reason, after proving who they are', async () => {
  const { answers, sent } = world()
  openConsole('/settings/disk', answers)
  const [end] = (await kept()).getAllByRole('button', { name: 'End' })
  if (end === undefined) throw new Error('No hold can be ended.')
  await userEvent.click(end)
  const dialog = within(await screen.findByRole('dialog', { name: 'End the hold' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Settled')
  await userEvent.click(dialog.getByRole('button', { name: 'End the hold' }))
  await userEvent.type(await screen.findByLabelText(/password/i), 'a good password')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => sent).toEqual([{ reason: 'Settled' }])
})

test('a developer sees holds, and neither places nor ends one', async () => {
  openConsole('/settings/disk', world('developer').answers)
  const part = await kept()
  expect(part.getByRole('list', { name: 'Open holds' })).toBeTruthy()
  expect(part.queryByRole('button')).toBeNull()
})

test('a person is held from their page, and shown as held', async () => {
  const { answers, sent } = world()
  openConsole(`/people/${person.id}`, answers)
  await screen.findByText('legal hold')
  await userEvent.click(screen.getByRole('button', { name: 'Hold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold this person' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Claim 13')
  await userEvent.type(dialog.getByLabelText('Until'), '2030-05-01')
  await userEvent.click(dialog.getByRole('button', { name: 'Place the hold' }))
  const until = new Date('2030-05-01T00:00').toISOString()
  await expect.poll(() => sent).toEqual([{ subject: { kind: 'person', id: person.id }, reason: 'Claim 13', until }])
})

test('a refusal is told in the dialog', async () => {
  const { answers } = world()
  openConsole(`/people/${person.id}`, {
    ...answers,
    '/console/api/retention/holds': {
      post: refuse(409, 'CLEW_RETENTION_TOO_MANY', 'There are as many open holds as …'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Hold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold this person' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Claim 13')
  await userEvent.click(dialog.getByRole('button', { name: 'Place the hold' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('as many open holds')
})
