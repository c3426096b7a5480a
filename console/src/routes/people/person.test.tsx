import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { event, eventOf, person, personOf } from '../../../test/answers/people.ts'
import { change, request, requestDetail } from '../../../test/answers/requests.ts'
import { operator, session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { PersonMoment } from '../../lib/api/schemas.ts'

const nothing = { event: null, session: null, request: null, change: null, error: null, mail: null }
const at = '2026-01-02T03:04:45.000Z'
const line: readonly PersonMoment[] = [
  { ...nothing, kind: 'mail', id: 'm1', at, sessionId: null, mail: { to: 'maria@example.test', subject: 'Welcome' } },
  {
    ...{ ...nothing, kind: 'change', id: '1-0', at, sessionId: session.id, request },
    change: { ...change, table: 'orders', operation: 'insert', key: { id: '812' } },
  },
  { ...nothing, kind: 'request', id: request.id, at, sessionId: session.id, request },
  {
    ...{ ...nothing, kind: 'event', id: event.id, at, sessionId: session.id },
    event: { event: '$autocapture', label: 'Place order', path: '/basket' },
  },
  {
    ...{ ...nothing, kind: 'error', id: 'x', at, sessionId: null },
    error: { issueId: 'i1', title: 'TypeError: no', source: 'browser' },
  },
  { ...nothing, kind: 'session', id: session.id, at, sessionId: session.id, session },
]

const answers: Answers = {
  ...signedIn,
  '/console/api/people/{id}': { get: personOf },
  '/console/api/people/{id}/line': { get: { moments: [...line], next: null } },
  '/console/api/people/{id}/flags': {
    get: {
      distinctId: 'd1',
      flags: [
        { key: 'new-basket', value: 'blue', reason: 'Condition 1 matched', payload: '{"a":1}', known: true },
        { key: 'odd', value: false, reason: 'No condition matched', payload: null, known: false },
      ],
    },
  },
}

test('shows who a person is: their user, devices and groups', async () => {
  openConsole(`/people/${person.id}`, answers)
  await screen.findByRole('heading', { name: 'Maria Silva' })
  const facts = within(screen.getByRole('complementary', { name: 'The person' }))
  expect(facts.getByText('Firefox, Linux, Desktop')).toBeTruthy()
  expect(facts.getByText('Lisbon, Portugal')).toBeTruthy()
  expect(facts.getByText('acme')).toBeTruthy()
  expect(facts.getByText('email, google')).toBeTruthy()
  expect(facts.getByText('in 2 places')).toBeTruthy()
  expect(facts.getByRole('link', { name: 'Sessions of this person' }).getAttribute('href')).toBe(
    '/console/sessions?q=maria%40example.test',
  )
})

test('shows one line of all that happened, each kind leading on', async () => {
  const { at: address } = openConsole(`/people/${person.id}`, {
    ...answers,
    '/console/api/events/{id}': { get: eventOf },
    '/console/api/requests/{id}': { get: requestDetail },
  })
  const table = within(await screen.findByRole('table', { name: 'Line of time' }))
  expect(table.getByRole('link', { name: 'orders #812' })).toBeTruthy()
  expect(table.getByRole('link', { name: 'TypeError: no' }).getAttribute('href')).toBe('/console/errors/i1')
  expect(table.getByRole('link', { name: 'Session' }).getAttribute('href')).toBe(`/console/sessions/${session.id}`)
  expect(table.getByRole('link', { name: /Welcome/ }).getAttribute('href')).toMatch(/inbox\/m1$/)
  expect(table.getAllByRole('link', { name: 'Watch the session at that moment' })[0]?.getAttribute('href')).toBe(
    `/console/sessions/${session.id}?at=${encodeURIComponent(at)}`,
  )
  await userEvent.click(table.getByText('“Place order”', { exact: false }))
  await screen.findByRole('dialog', { name: /Click/ })
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  await userEvent.click(table.getByText(/\/rest\/v1/))
  await screen.findByRole('dialog', { name: /^Request/ })
  expect(address()).toBe(`/people/${person.id}?open=${request.id}`)
})

test('the line is narrowed by kinds, which stand in the address', async () => {
  const { at: address, asked } = openConsole(`/people/${person.id}`, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'rows' }))
  await userEvent.click(screen.getByRole('button', { name: 'errors' }))
  await expect.poll(address).toBe(`/people/${person.id}?kinds=change%2Cerror`)
  await expect.poll(() => asked.some((one) => one.includes('kinds=change%2Cerror'))).toBe(true)
})

test('properties are found by name and value; ids and flags have tabs', async () => {
  const { at } = openConsole(`/people/${person.id}?tab=properties`, answers)
  const table = await screen.findByRole('table', { name: 'Properties' })
  expect(within(table).getByText('{"tier":"pro"}')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by property or value' }), 'PRO')
  expect(screen.queryByText('email', { selector: 'td *' })).toBeNull()
  await userEvent.click(screen.getByRole('tab', { name: /^Ids/ }))
  expect(within(await screen.findByRole('table', { name: 'Distinct ids' })).getByText('019b-browser')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Flags' }))
  const flags = within(await screen.findByRole('table', { name: 'Flags' }))
  expect(flags.getByText('blue')).toBeTruthy()
  expect(flags.getByText('not known')).toBeTruthy()
  expect(flags.getByRole('link', { name: 'new-basket' }).getAttribute('href')).toBe('/console/flags/new-basket')
  expect(at()).toBe(`/people/${person.id}?tab=flags`)
})

test('a person who is gone says so', async () => {
  openConsole(`/people/${person.id}`, {
    ...answers,
    '/console/api/people/{id}': { get: refuse(404, 'CLEW_PEOPLE_NOT_FOUND', 'There is no such person.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such person.')
})

test('an owner is led from a person to their erasure', async () => {
  openConsole(`/people/${person.id}`, answers)
  const link = await screen.findByRole('link', { name: 'Erase or export' })
  expect(link.getAttribute('href')).toContain(`/settings/privacy/erase?kind=person&id=${person.id}`)
})

test('a developer separates ids with a preview, and erases no one', async () => {
  const sent: unknown[] = []
  const { at: address } = openConsole(`/people/${person.id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
    '/console/api/people/{id}/split': {
      post: async (asking) => {
        sent.push(await asking.json())
        return Response.json({ personId: 'p-new' })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Separate ids' }))
  expect(screen.queryByRole('link', { name: 'Erase or export' })).toBeNull()
  await userEvent.click(await screen.findByRole('checkbox', { name: /019b-browser/ }))
  expect(screen.getByText(/events go with this id/).textContent).toContain('4')
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  await expect.poll(() => sent).toEqual([{ distinctIds: ['019b-browser'] }])
  await expect.poll(address).toBe('/people/p-new')
})
