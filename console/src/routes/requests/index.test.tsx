import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { request, requestDetail, requestSeries } from '../../../test/answers/requests.ts'
import { session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/requests': { get: { requests: [request, { ...request, id: 'r2', status: 404 }], next: null } },
  '/console/api/request-series': { get: requestSeries },
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
  expect(drawer.getByRole('link', { name: /^Request / }).getAttribute('href')).toBe(`/console/requests/${request.id}`)
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

test('a time that was chosen is asked for, stands in the address, and its chip takes it off', async () => {
  const { at, asked } = openConsole('/requests?service=rest&chart=table', answers)
  const table = within(await screen.findByRole('table', { name: 'Requests by time' }))
  await userEvent.click(table.getByRole('button'))
  const from = encodeURIComponent('2026-01-02T03:04:00.000Z')
  const to = encodeURIComponent('2026-01-02T03:05:00.000Z')
  await expect.poll(at).toBe(`/requests?service=rest&chart=table&from=${from}&to=${to}`)
  await expect
    .poll(() => asked.some((one) => one.startsWith('GET /requests?') && one.includes(`from=${from}`)))
    .toBe(true)
  await expect.poll(() => asked.some((one) => one.startsWith('GET /request-series?') && one.includes(to))).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: /^since/ }))
  await expect.poll(at).toBe(`/requests?service=rest&to=${to}&chart=table`)
})

test('what an address cannot mean is left out', async () => {
  const { asked } = openConsole('/requests?status=6xx&from=soon&last=year&person=ana&method=GET', answers)
  await screen.findByRole('table', { name: 'Requests' })
  const [, query = ''] = asked.find((one) => one.startsWith('GET /requests?'))?.split('?') ?? []
  expect([...new URLSearchParams(query).keys()].toSorted()).toEqual(['from', 'limit', 'method'])
})
