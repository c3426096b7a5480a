import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { event, eventOf, person } from '../../../test/answers/people.ts'
import { session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const own = { ...event, id: '1767323044000.e2', event: 'ordered', label: null, person: null, sessionId: null }
const answers: Answers = {
  ...signedIn,
  '/console/api/events': { get: { events: [event, own], next: null } },
  '/console/api/event-names': { get: { names: [{ name: 'ordered', count: 1200 }] } },
  '/console/api/events/{id}': { get: eventOf },
  '/console/api/event-properties': {
    get: {
      looked: 1500,
      properties: [
        { name: '$browser', events: 1500, column: null },
        { name: 'total', events: 3, column: { since: '2026-01-01T03:04:05.000Z', isFilled: true, bytes: 2_500_000 } },
        { name: 'plan', events: 450, column: { since: '2026-01-01T03:04:05.000Z', isFilled: false, bytes: null } },
      ],
    },
  },
}

test('lists events in words, with their person, and opens one beside the list', async () => {
  const { at } = openConsole('/events', answers)
  const table = within(await screen.findByRole('table', { name: 'Events' }))
  expect(table.getByRole('link', { name: 'Maria Silva' }).getAttribute('href')).toBe(`/console/people/${person.id}`)
  expect(table.getByText('ordered')).toBeTruthy()
  await userEvent.click(table.getByText('Click'))
  const drawer = within(await screen.findByRole('dialog', { name: /Click/ }))
  expect(at()).toBe(`/events?open=${event.id}`)
  expect(drawer.getByRole('link', { name: 'The session at that moment' }).getAttribute('href')).toBe(
    `/console/sessions/${session.id}?at=${encodeURIComponent(event.at)}`,
  )
  expect(within(drawer.getByRole('region', { name: 'Elements' })).getByText('<button>')).toBeTruthy()
  await userEvent.type(drawer.getByRole('searchbox', { name: 'Filter the properties' }), 'tot')
  const properties = within(drawer.getByRole('region', { name: 'Properties' }))
  expect(properties.getByText('12')).toBeTruthy()
  expect(properties.queryByText('$browser')).toBeNull()
})

test('name, filters and range stand in the address, and are asked for', async () => {
  const { at, asked } = openConsole('/events?person=p1', answers)
  await screen.findByRole('option', { name: 'ordered (1,200)' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Event' }), 'ordered')
  const property = screen.getByRole('combobox', { name: 'Property' })
  await userEvent.type(property, 'total')
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), 'latte, 1.5{Enter}')
  await userEvent.type(property, 'a.b')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Operator' }), 'is not set')
  expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await screen.findByRole('button', { name: 'a.b is not set' })
  await userEvent.click(screen.getByRole('button', { name: '30d' }))
  await userEvent.click(screen.getByRole('button', { name: /of one person/ }))
  const filters = ['total.exact.latte, 1.5', 'a%2Eb.is_not_set']
  const filterOf = (address: string) => new URL(address, 'http://clew').searchParams
  await expect.poll(() => filterOf(at()).get('filter')).toBe(JSON.stringify(filters))
  expect(Object.fromEntries(filterOf(at()))).toMatchObject({ event: 'ordered', range: '30d' })
  const isAsked = (address: string) =>
    /^GET .events[?]/.test(address) &&
    filterOf(address.slice(4)).getAll('filter').join() === filters.join() &&
    ['event=ordered', 'range=30d'].every((part) => address.includes(part))
  await expect.poll(() => asked.some(isAsked)).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'total is latte, 1.5' }))
  await expect.poll(() => filterOf(at()).get('filter')).toBe(JSON.stringify(filters.slice(1)))
})

test('a filter asks for a property, and for a value where its operator takes one', async () => {
  const { at } = openConsole('/events', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }))
  await userEvent.type(screen.getByRole('combobox', { name: 'Property' }), ' {Enter}')
  await userEvent.type(screen.getByRole('combobox', { name: 'Property' }), 'plan{Enter}')
  expect(at()).toBe('/events')
})

test.each([
  ['property=total&value=12', 'total is 12'],
  ['property=a.b', 'a.b is set'],
])('the link %s of an earlier version still filters', async (link, words) => {
  const { asked } = openConsole(`/events?${link}`, answers)
  await screen.findByRole('button', { name: words })
  await expect.poll(() => asked.some((one) => one.startsWith('GET /events?') && one.includes('filter='))).toBe(true)
})

test('a filter that the server refuses says so, and can be taken off', async () => {
  const refused = refuse(400, 'CLEW_EVENTS_FILTER', 'The filter on a property of events cannot be read.')
  const { at } = openConsole('/events?filter=plan.like.x', { ...answers, '/console/api/events': { get: refused } })
  expect((await screen.findByRole('alert')).textContent).toContain('The filter on a property of events cannot be read.')
  await userEvent.click(screen.getByRole('button', { name: 'plan.like.x' }))
  await expect.poll(at).toBe('/events')
})

test('the names of properties are offered once one is to be named', async () => {
  const { asked } = openConsole('/events?event=ordered', answers)
  const property = await screen.findByRole('combobox', { name: 'Property' })
  expect(asked.some((one) => one.includes('event-properties'))).toBe(false)
  await userEvent.click(property)
  const offered = () => [...(property instanceof HTMLInputElement ? (property.list?.options ?? []) : [])]
  await expect.poll(() => offered().map(({ value }) => value)).toEqual(['$browser', 'total', 'plan'])
  expect(asked).toContain('GET /event-properties?range=7d&event=ordered')
})

test('properties are listed with how many events have them, and with their column', async () => {
  const { at } = openConsole('/events?event=ordered', answers)
  await userEvent.click(await screen.findByRole('link', { name: 'Properties' }))
  await expect.poll(at).toBe('/events/properties?event=ordered')
  const table = within(await screen.findByRole('table', { name: 'Properties' }))
  expect(screen.getByText('of the newest 1,500 events')).toBeTruthy()
  const cells = (name: string) =>
    within(table.getByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(cells('browser')).toEqual(['$browser', '1,500', '100 %', '', ''])
  expect(cells('total')).toEqual(['total', '3', '<1 %', expect.stringMatching(/./), '2.5 MB'])
  expect(cells('plan').at(-1)).toBe('being written')
  expect(table.getByRole('link', { name: 'plan' }).getAttribute('href')).toBe(
    `/console/events?event=ordered&filter=${encodeURIComponent('["plan.is_set"]')}`,
  )
})

test('without events there are no properties, and a refusal says why', async () => {
  const none = openConsole('/events/properties?event=ordered', {
    ...answers,
    '/console/api/event-properties': { get: { looked: 0, properties: [] } },
  })
  await screen.findByRole('heading', { name: 'No ordered in this time.' })
  await userEvent.click(screen.getByRole('button', { name: 'Show those of all events' }))
  await screen.findByRole('heading', { name: 'No events in this time.' })
  none.close()
  openConsole('/events/properties', {
    ...answers,
    '/console/api/event-properties': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})

test('a list that stands still says so in the address', async () => {
  const { at } = openConsole('/events', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Live', pressed: true }))
  await expect.poll(at).toBe('/events?live=off')
})

test('without events it says what will appear; a filter without any offers all', async () => {
  const none: Answers = { ...answers, '/console/api/events': { get: { events: [], next: null } } }
  const first = openConsole('/events', none)
  await screen.findByRole('heading', { name: 'No events in the last 7 days.' })
  first.close()
  const { at } = openConsole('/events?session=s1&range=1h', none)
  await screen.findByRole('heading', { name: 'No events of the last hour match this filter.' })
  await userEvent.click(screen.getByRole('button', { name: 'Show all events' }))
  await expect.poll(at).toBe('/events')
})

test('a list that is refused says what happened, and so does an event that is gone', async () => {
  const first = openConsole('/events', {
    ...answers,
    '/console/api/events': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
  first.close()
  openConsole(`/events?open=${event.id}`, {
    ...answers,
    '/console/api/events/{id}': { get: refuse(404, 'CLEW_EVENTS_NOT_FOUND', 'There is no such event.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such event.')
})
