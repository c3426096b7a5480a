import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { person, personOf, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/people/{id}': { get: personOf },
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
  expect(facts.getByText('acme')).toBeTruthy()
  expect(facts.getByText('email, google')).toBeTruthy()
  expect(facts.getByText('in 2 places')).toBeTruthy()
  expect(facts.getByRole('link', { name: 'Sessions of this person' }).getAttribute('href')).toBe(
    '/console/sessions?q=maria%40example.test',
  )
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
