import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { exception, exceptionDetail, issue, issueDetail } from '../../../test/answers/errors.ts'
import { request, requestDetail } from '../../../test/answers/requests.ts'
import { operator, session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/errors/{id}': { get: issueDetail },
  '/console/api/errors/{id}/exceptions': { get: { exceptions: [exception, { ...exception, id: 'e0' }], next: null } },
  '/console/api/errors/{id}/exceptions/{exception}': { get: exceptionDetail },
  '/console/api/sessions/{id}': { get: refuse(404, 'CLEW_THREAD_NO_SESSION', 'There is no such session.') },
}

test('shows the stack in its source, the innermost own call open, and hides the calls of libraries', async () => {
  openConsole(`/errors/${issue.id}`, answers)
  const stack = within(await screen.findByRole('region', { name: 'Stack' }))
  expect(stack.getByText('return cart.total.sum', { exact: false })).toBeTruthy()
  expect(stack.getByText('src/cart.ts:12:9')).toBeTruthy()
  expect(stack.queryByText('node_modules/react/index.js:12:9')).toBeNull()
  await userEvent.click(stack.getByRole('button', { name: 'All 3 calls' }))
  expect(stack.getByText('node_modules/react/index.js:12:9')).toBeTruthy()
  expect(screen.getByText('cart opened')).toBeTruthy()
  const facts = within(screen.getByRole('complementary', { name: 'The issue' }))
  expect(facts.getByRole('link', { name: 'Maria Silva' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Its session' }).getAttribute('href')).toBe(`/console/sessions/${session.id}`)
})

test('a visitor without a name is called as everywhere', async () => {
  const distinctId = '01a219f4-1baa-7765-a370-a4c63f5d8d56'
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}': {
      get: {
        ...issueDetail,
        people: [{ distinctId, userId: null, email: null, name: null, events: 1, lastAt: exception.at }],
      },
    },
  })
  const facts = within(await screen.findByRole('complementary', { name: 'The issue' }))
  expect(facts.getByRole('link', { name: 'Visitor 3f5d8d56' })).toBeTruthy()
})

test('its thirty days are bars, and a table whose first row is the running day', async () => {
  openConsole(`/errors/${issue.id}`, answers)
  const chart = within(await screen.findByRole('figure', { name: 'Events a day' }))
  expect(chart.getByRole('img', { name: /12 in all, at most 9 in a day/ })).toBeTruthy()
  await userEvent.click(chart.getByRole('button', { name: 'Chart menu: Events a day' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as table' }))
  expect(chart.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Day', 'Events'])
  expect(chart.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    '3',
    '9',
    ...new Array(28).fill('0'),
  ])
})

test('a request that failed has no stack, and nobody who caught it: its request has the SQL', async () => {
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}/exceptions/{exception}': {
      get: {
        ...exceptionDetail,
        exception: { ...exception, source: 'rest', handled: false, requestId: request.id },
        chain: [{ type: '22012', message: 'POST /rest/v1/carts answered 400', handled: false, frames: [] }],
      },
    },
  })
  await screen.findByText('A request has no stack: its SQL and its rows are in the request.')
  expect(screen.queryByText('not caught')).toBeNull()
  expect(screen.getByRole('button', { name: 'Its request' })).toBeTruthy()
})

test('leads to the exception before, and to its request beside the stack', async () => {
  const { at, asked } = openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}/exceptions/{exception}': {
      get: { ...exceptionDetail, exception: { ...exception, requestId: request.id } },
    },
    '/console/api/requests/{id}': { get: requestDetail },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Its request' }))
  await screen.findByRole('dialog', { name: /^Request/ })
  expect(at()).toBe(`/errors/${issue.id}?open=${request.id}`)
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  await userEvent.click(await screen.findByRole('button', { name: 'The exception before' }))
  await expect.poll(at).toBe(`/errors/${issue.id}?exception=e0`)
  expect(asked).toContain(`GET /errors/${issue.id}/exceptions/e0`)
})

test('is resolved, ignored, assigned and merged by who may change things', async () => {
  const sent: unknown[] = []
  const take = async (asking: Request) => {
    sent.push(await asking.json())
    return new Response(null, { status: 204 })
  }
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}': { get: issueDetail, patch: take },
    '/console/api/errors/{id}/merge': { post: take },
    '/console/api/errors': {
      get: {
        issues: [issue, { ...issue, id: 'other', title: 'RangeError: far' }],
        next: null,
        counts: { open: 2, resolved: 0, ignored: 0 },
        releases: [],
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }))
  await expect.poll(() => sent.at(-1)).toEqual({ state: 'resolved' })
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }
  await choose('Resolve until the next release')
  await expect.poll(() => sent.at(-1)).toEqual({ state: 'resolved', inNextRelease: true })
  await choose('Assign to me')
  await expect.poll(() => sent.at(-1)).toEqual({ assigned: 'me' })
  await choose('Merge another into it')
  await userEvent.click(await screen.findByRole('checkbox', { name: /RangeError/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await expect.poll(() => sent.at(-1)).toEqual({ ids: ['other'] })
})

test('who may only look is offered no action', async () => {
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('region', { name: 'Stack' })
  expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull()
})

test('an error that is gone says so', async () => {
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}': { get: refuse(404, 'CLEW_ISSUES_NOT_FOUND', 'There is no such issue.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such issue.')
})
