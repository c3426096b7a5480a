import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { request, requestDetail, signedIn } from '../../../test/answers.ts'
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

test('a request past its retention says so', async () => {
  openConsole('/requests/gone', {
    ...signedIn,
    '/console/api/requests/{id}': { get: refuse(404, 'CLEW_THREAD_NO_REQUEST', 'There is no such request.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such request.')
})
