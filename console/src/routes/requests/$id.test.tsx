import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { request, requestDetail } from '../../../test/answers/requests.ts'
import { signedIn } from '../../../test/answers.ts'
import { openConsole, refuse } from '../../../test/console.tsx'

test('a request has a page of its own, with its statements and its person', async () => {
  openConsole(`/requests/${request.id}`, {
    ...signedIn,
    '/console/api/requests/{id}': { get: requestDetail },
  })
  await screen.findByRole('heading', { name: 'POST /rest/v1/orders', level: 1 })
  const way = screen.getByRole('navigation', { name: 'Breadcrumb' })
  expect(within(way).getByRole('link', { name: 'Requests' })).toBeTruthy()
  expect(screen.getAllByText('Maria Silva').length).toBeGreaterThan(0)
})

test('a request whose record is still on its way is asked for until it is there', async () => {
  const id = `${Date.now()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
  const answers = [
    refuse(404, 'CLEW_THREAD_NO_REQUEST', 'There is no such request.'),
    () => Response.json(requestDetail),
  ]
  openConsole(`/requests/${id}`, {
    ...signedIn,
    '/console/api/requests/{id}': { get: () => (answers.shift() as () => Response)() },
  })
  await screen.findByRole('heading', { name: 'POST /rest/v1/orders', level: 1 })
  expect(answers).toEqual([])
})

test('a request past its retention says so', async () => {
  openConsole('/requests/gone', {
    ...signedIn,
    '/console/api/requests/{id}': { get: refuse(404, 'CLEW_THREAD_NO_REQUEST', 'There is no such request.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such request.')
})
