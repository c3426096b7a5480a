import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { request, requestDetail } from '../../../test/answers/requests.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { openConsole, refuse } from '../../../test/console.tsx'
import type { Exchange } from '../../lib/api/schemas.ts'

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

const refused = {
  message: 'duplicate key value',
  details: 'Key (id)=(812) already exists.',
  hint: 'Update it.',
  isFromAnswer: true,
}
const exchange: Exchange = {
  request: { headers: [{ name: 'prefer', value: 'return=representation' }], body: '{"id":812}', leftOut: null },
  response: { headers: [], body: null, leftOut: 'large' },
}

test('a refused request says why, and what was said stands with it', async () => {
  openConsole(`/requests/${request.id}`, {
    ...signedIn,
    '/console/api/requests/{id}': { get: { ...requestDetail, error: refused, exchange, responseBytes: 40_000 } },
  })
  const error = await screen.findByRole('note', { name: 'Error' })
  expect(error.textContent).toBe('duplicate key valueKey (id)=(812) already exists.Update it.')
  const asked = within(screen.getByRole('article', { name: 'Request' }))
  expect(asked.getByText(/"id": 812/)).toBeTruthy()
  expect(asked.getByText('prefer: return=representation')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Answer' }).textContent).toMatch(/^Answer.*longer than \[thread\]/)
})

test('where nothing of it is kept the setting is named, and an analyst is told nothing of it', async () => {
  const answers = { ...signedIn, '/console/api/requests/{id}': { get: requestDetail } }
  const { close } = openConsole(`/requests/${request.id}`, answers)
  const part = await screen.findByRole('region', { name: 'Headers and bodies' })
  expect(part.textContent).toContain('exchanges = "bodies"')
  close()
  openConsole(`/requests/${request.id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('heading', { name: 'SQL 1' })
  expect(screen.queryByRole('region', { name: 'Headers and bodies' })).toBeNull()
})

test('a request past its retention says so', async () => {
  openConsole('/requests/gone', {
    ...signedIn,
    '/console/api/requests/{id}': { get: refuse(404, 'CLEW_THREAD_NO_REQUEST', 'There is no such request.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such request.')
})
