import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { event, eventOf, person, personOf } from '../../../test/answers/people.ts'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const acme = {
  ...{ key: 'acme/1', name: 'Acme', firstSeenAt: '2026-01-02T03:04:05.000Z', lastSeenAt: '2026-01-03T03:04:05.000Z' },
  ...{ visitors: 12, sessions: 31, events: 1204 },
}
const unnamed = { ...acme, key: 'beta', name: null, visitors: 0, sessions: 0, events: 0 }
const who = { distinctId: 'd1', person: { id: person.id, userId: null, email: person.email, name: person.name } }
const seen = { lastSeenAt: '2026-01-03T03:04:05.000Z', events: 7 }

const answers: Answers = {
  ...signedIn,
  '/console/api/groups': {
    get: {
      types: [
        { index: 0, type: 'company' },
        { index: 1, type: 'team' },
      ],
    },
  },
  '/console/api/groups/{type}': { get: { groups: [acme, unnamed], next: null } },
  '/console/api/groups/{type}/{key}': {
    get: { type: 'company', group: acme, exceptions: 3, properties: [{ name: 'plan', value: 'pro', setAt: null }] },
  },
  '/console/api/groups/{type}/{key}/events': { get: { events: [event], next: null } },
  '/console/api/groups/{type}/{key}/sessions': {
    get: { sessions: [{ id: 's-1', startedAt: '2026-01-03T03:00:00.000Z', ...who, ...seen }], next: null },
  },
  '/console/api/groups/{type}/{key}/people': {
    get: {
      people: [
        { ...who, ...seen },
        { distinctId: 'server-1', person: null, ...seen },
      ],
    },
  },
  '/console/api/groups/{type}/{key}/flags': {
    get: {
      flags: [{ key: 'new-checkout', value: true, reason: 'Matched condition set 1', payload: null, known: true }],
    },
  },
  '/console/api/events/{id}': { get: { ...eventOf, properties: { $groups: { company: 'acme/1', team: 7, odd: {} } } } },
  '/console/api/people/{id}': { get: personOf },
  '/console/api/people/{id}/line': { get: { moments: [], next: null } },
}
const page = '/groups/company/acme%2F1'

test('lists the groups of a type, and leads to each', async () => {
  const { at, asked } = openConsole('/groups', answers)
  const table = within(await screen.findByRole('table', { name: 'Groups' }))
  expect(table.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe(`/console${page}`)
  expect(table.getByRole('link', { name: 'beta' })).toBeTruthy()
  expect(table.getByText('1,204')).toBeTruthy()
  expect(table.getByRole('columnheader', { name: 'Last seen' }).getAttribute('aria-sort')).toBe('descending')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by key or name' }), 'ac')
  await expect.poll(at).toBe('/groups?type=company&q=ac')
  await expect.poll(() => asked.some((one) => one.includes('groups/company') && one.includes('q=ac'))).toBe(true)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'team')
  await expect.poll(at).toBe('/groups?type=team')
})

test('without groups it says how they come; a filter without any offers all', async () => {
  const first = openConsole('/groups', { ...answers, '/console/api/groups': { get: { types: [] } } })
  await screen.findByRole('heading', { name: 'No groups yet.' })
  expect(screen.getByText(/posthog\.group/)).toBeTruthy()
  first.close()
  const none = { ...answers, '/console/api/groups/{type}': { get: { groups: [], next: null } } }
  const { at } = openConsole('/groups?type=team&q=x', none)
  await userEvent.click(await screen.findByRole('button', { name: 'Show all groups' }))
  await expect.poll(at).toBe('/groups?type=team')
  await screen.findByRole('heading', { name: 'No groups of the type team.' })
})

test('a group shows what it is beside its events, sessions, people, errors, properties and flags', async () => {
  const { at, asked } = openConsole(page, answers)
  await screen.findByRole('heading', { name: 'Acme' })
  const facts = within(screen.getByRole('complementary', { name: 'The group' }))
  expect(facts.getByText('acme/1')).toBeTruthy()
  const tab = (name: string) => userEvent.click(screen.getByRole('tab', { name: new RegExp(`^${name}`) }))
  const rows = async (name: string) => within(await screen.findByRole('table', { name }))

  await userEvent.click((await rows('Events')).getByText(/Place order/))
  await expect.poll(at).toContain('open=')
  const drawer = within(await screen.findByRole('dialog'))
  // What the event names leads to it; what is no key does not.
  expect((await drawer.findByRole('link', { name: 'acme/1' })).getAttribute('href')).toBe(`/console${page}`)
  expect(drawer.getByRole('link', { name: '7' }).getAttribute('href')).toBe('/console/groups/team/7')
  expect(drawer.queryByText('odd', { selector: 'dt' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.poll(at).toBe(page)

  await tab('Sessions')
  expect((await rows('Sessions')).getAllByRole('link')[0]?.getAttribute('href')).toBe('/console/sessions/s-1')
  await tab('People')
  const people = await rows('People')
  expect(people.getByRole('link', { name: 'Maria Silva' }).getAttribute('href')).toBe(`/console/people/${person.id}`)
  expect(people.getByText('server-1')).toBeTruthy()
  await tab('Errors')
  await rows('Errors')
  expect(asked.some((one) => one.includes('/events') && one.includes('event=%24exception'))).toBe(true)
  await tab('Properties')
  expect((await rows('Properties')).getByText('plan')).toBeTruthy()
  await tab('Flags')
  await expect.poll(at).toBe(`${page}?tab=flags`)
  expect((await rows('Flags')).getByRole('link', { name: 'new-checkout' })).toBeTruthy()
})

test('a group that is none says so', async () => {
  openConsole('/groups/company/gone', {
    ...answers,
    '/console/api/groups/{type}/{key}': { get: refuse(404, 'CLEW_GROUPS_NOT_FOUND', 'There is no such group.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such group.')
})

test('a person leads to their groups', async () => {
  openConsole(`/people/${person.id}`, answers)
  const link = await screen.findByRole('link', { name: 'acme' })
  expect(link.getAttribute('href')).toBe('/console/groups/company/acme')
})
