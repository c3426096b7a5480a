import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { request, requestDetail, session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/requests': { get: { requests: [request, { ...request, id: 'r2', status: 404 }], next: null } },
  '/console/api/requests/{id}': {
    get: {
      ...requestDetail,
      session: {
        id: session.id,
        atMs: 40_800,
        windowId: null,
        link: { channel: 'header', exact: true, foreign: false, why: null },
        hasRecording: false,
      },
    },
  },
}

test('lists requests; the services to choose from are those that the instance has', async () => {
  const { at, asked } = openConsole('/requests', answers)
  await screen.findByRole('table', { name: 'Requests' })
  const service = screen.getByRole('combobox', { name: 'Service' })
  expect(
    within(service)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Any service', 'rest', 'auth', 'storage'])
  await userEvent.selectOptions(service, 'storage')
  await expect.poll(at).toBe('/requests?service=storage')
  await expect
    .poll(() => asked.some((one) => one.startsWith('GET /requests?') && one.includes('service=storage')))
    .toBe(true)
})

test('a request opens beside the list and leads to its own page; closing keeps the filter', async () => {
  const { at } = openConsole('/requests?status=2xx', answers)
  await userEvent.click(await screen.findByRole('cell', { name: '201' }))
  const drawer = within(await screen.findByRole('dialog', { name: /^Request/ }))
  await drawer.findByText(/insert/)
  expect(drawer.getByRole('link', { name: /^Request/ }).getAttribute('href')).toBe(`/console/requests/${request.id}`)
  expect(at()).toContain(`open=${request.id}`)
  await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
  await expect.poll(at).toBe('/requests?status=2xx')
})

test('a list that stands still says so in the address', async () => {
  const { at } = openConsole('/requests', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Live', pressed: true }))
  await screen.findByRole('button', { name: 'Live', pressed: false })
  expect(at()).toBe('/requests?live=off')
})

test('a list that is refused says what happened, what to do, and which request it was', async () => {
  openConsole('/requests', {
    ...answers,
    '/console/api/requests': { get: refuse(400, 'CLEW_THREAD_FILTER', 'The filter is none.', 'Clear it.') },
  })
  const problem = await screen.findByRole('alert')
  expect(problem.textContent).toContain('The filter is none.Clear it.')
  expect(problem.textContent).toContain('request r-7')
})
