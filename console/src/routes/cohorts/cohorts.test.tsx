import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Cohort } from '../../lib/api/schemas.ts'

const updatedAt = '2026-01-01T03:04:05.000Z'
const nested = { type: 'OR', values: [{ key: 'b', value: '1' }] }
const cohort: Cohort = {
  ...{ id: 7, name: 'Pro', members: 0, updatedAt, updatedBy: 'ana@example.com' },
  filters: { type: 'AND', values: [{ key: 'plan', operator: 'exact', value: 'pro' }, nested] },
}
const list: Cohort = { ...cohort, id: 8, name: 'Testers', filters: null, members: 2 }
const sent: unknown[] = []
const keep = async (request: Request): Promise<Response> => {
  sent.push(await request.json())
  return new Response(null, { status: 204 })
}
const answers: Answers = {
  ...signedIn,
  '/console/api/cohorts': {
    get: { cohorts: [cohort, list] },
    post: async (request) => {
      sent.push(await request.json())
      return Response.json({ id: 8 }, { status: 201 })
    },
  },
  '/console/api/cohorts/estimate': { post: { persons: 40, inside: 12, some: ['ada'] } },
  '/console/api/cohorts/{id}': { put: keep, delete: null },
  '/console/api/cohorts/{id}/members': { get: { distinctIds: ['ada', 'bob'], next: null }, post: keep },
  '/console/api/cohorts/{id}/members/remove': { post: keep },
}

test('cohorts are listed with the persons of a list; a new one is a list or filters', async () => {
  const { at } = openConsole('/cohorts', answers)
  const table = within(await screen.findByRole('table', { name: 'Cohorts' }))
  expect(table.getByText('by filters')).toBeTruthy()
  expect(table.getByRole('link', { name: 'Testers' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'New cohort' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Testers')
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Persons come into it' }), 'list')
  await userEvent.click(dialog.getByRole('button', { name: 'Create the cohort' }))
  await expect.poll(at).toBe('/cohorts/8')
  expect(sent.pop()).toEqual({ name: 'Testers', filters: null })
})

test('filters are drafted with who would be in, and saved with the groups that the form does not show', async () => {
  openConsole('/cohorts/7', answers)
  const who = within(await screen.findByRole('region', { name: 'Who is in it' }))
  expect(await who.findByText('of 40 stored persons')).toBeTruthy()
  expect(who.getByText('ada')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add a filter' }))
  const kinds = screen.getAllByRole('combobox', { name: 'What it looks at' })
  expect([...(kinds[1]?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toEqual(['person', 'cohort'])
  await userEvent.selectOptions(kinds[1] as HTMLElement, 'cohort')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Cohort' }), '8')
  expect(who.getByRole('button', { name: 'Count again' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => sent.pop())
    .toEqual({
      ...{ name: 'Pro', replaces: updatedAt },
      filters: {
        type: 'AND',
        values: [
          { key: 'plan', operator: 'exact', value: 'pro' },
          nested,
          { type: 'cohort', key: 'id', value: '8', operator: 'in' },
        ],
      },
    })
})

test('persons are put on a list and taken from it; what a flag asks for is not deleted', async () => {
  openConsole('/cohorts/8', {
    ...answers,
    '/console/api/cohorts/{id}': { put: keep, delete: refuse(409, 'CLEW_FLAGS_IN_USE', 'It is asked for by beta.') },
  })
  const table = within(await screen.findByRole('table', { name: 'Persons on the list' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Distinct ids, one a line' }), 'eve{Enter} {Enter}fay')
  await userEvent.click(screen.getByRole('button', { name: 'Put on the list' }))
  await expect.poll(() => sent.pop()).toEqual({ distinctIds: ['eve', 'fay'] })
  await userEvent.click(table.getByRole('button', { name: 'Take bob from the list' }))
  await expect.poll(() => sent.pop()).toEqual({ distinctIds: ['bob'] })
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete the cohort' }))
  expect((await screen.findByRole('alert')).textContent).toContain('It is asked for by beta.')
})

test('without a cohort the page says what one is; an analyst sees no ids; an unknown one is said', async () => {
  const empty = openConsole('/cohorts', { ...answers, '/console/api/cohorts': { get: { cohorts: [] } } })
  await screen.findByRole('heading', { name: 'No cohorts yet.' })
  empty.close()
  const role = { '/console/api/session': { get: { operator: { ...operator, role: 'analyst' as const } } } }
  const look = openConsole('/cohorts/8', { ...answers, ...role })
  await screen.findByRole('heading', { name: 'Persons are for owners and developers.' })
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  look.close()
  openConsole('/cohorts/99', answers)
  await screen.findByRole('heading', { name: 'There is no such cohort.' })
})
