import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { person } from '../../../test/answers/people.ts'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const visitor = {
  ...person,
  ...{
    id: 'p2',
    name: null,
    email: null,
    userId: null,
    identified: false,
    distinctId: '019b0000-0000-7000-8000-5eed0b50e4e2',
  },
  ...{ country: null, city: null, lastSeenAt: null, events: 0, sessions: 0 },
}
const answers: Answers = {
  ...signedIn,
  '/console/api/people': { get: { people: [person, visitor], next: null } },
}

test('lists people with what they did, and leads to each', async () => {
  openConsole('/people', answers)
  const table = within(await screen.findByRole('table', { name: 'People' }))
  expect(table.getByRole('link', { name: 'Maria Silva' }).getAttribute('href')).toBe(`/console/people/${person.id}`)
  expect(table.getByRole('link', { name: 'Visitor 0b50e4e2' })).toBeTruthy()
  expect(table.getByText('Portugal')).toBeTruthy()
  expect(table.getByText('1,204')).toBeTruthy()
  expect(table.getByText('anonymous')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'People', current: 'page' })).toBeTruthy()
  expect(table.getByRole('columnheader', { name: 'Last seen' }).getAttribute('aria-sort')).toBe('descending')
})

test('people are listed by when they were last seen, or first, and the address says so', async () => {
  const { at, asked } = openConsole('/people?q=mar', answers)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Order' }), 'Newest first')
  await expect.poll(at).toBe('/people?q=mar&sort=first_seen')
  await expect.poll(() => asked.some((one) => one.includes('q=mar') && one.includes('sort=first_seen'))).toBe(true)
  const header = await screen.findByRole('columnheader', { name: 'First seen' })
  expect(header.getAttribute('aria-sort')).toBe('descending')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Last seen first')
  await expect.poll(at).toBe('/people?q=mar')
})

test('search and kind stand in the address, and are asked for', async () => {
  const { at, asked } = openConsole('/people', answers)
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Filter by name, e-mail or id' }), 'mar')
  await userEvent.click(screen.getByRole('button', { name: 'signed-up users' }))
  await expect.poll(at).toBe('/people?q=mar&kind=users')
  await expect.poll(() => asked.some((one) => one.includes('q=mar') && one.includes('kind=users'))).toBe(true)
})

test('without people it says who will appear; a filter without any offers all', async () => {
  const none: Answers = { ...signedIn, '/console/api/people': { get: { people: [], next: null } } }
  const first = openConsole('/people', none)
  await screen.findByRole('heading', { name: 'No people yet.' })
  first.close()
  const { at } = openConsole('/people?q=zoe', none)
  await userEvent.click(await screen.findByRole('button', { name: 'Show all people' }))
  await expect.poll(at).toBe('/people')
})

test('a list that is refused says what happened', async () => {
  openConsole('/people', {
    ...signedIn,
    '/console/api/people': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})
