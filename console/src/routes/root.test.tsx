import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { exception, exceptionDetail, issue, issueDetail } from '../../test/answers/errors.ts'
import { signedIn } from '../../test/answers.ts'
import { openConsole, refuse } from '../../test/console.tsx'

test('an operator sees the way to every screen and who is here', async () => {
  openConsole('/', signedIn)
  await screen.findByRole('heading', { name: 'Home', level: 1 })
  for (const name of ['Home', 'Sessions', 'Data', 'Requests', 'Your access'])
    expect(screen.getByRole('link', { name: new RegExp(`^${name}`) })).toBeTruthy()
  expect(screen.getByText('Corner Café')).toBeTruthy()
})

test('without a session every address leads to the sign-in, which leads back', async () => {
  const { at } = openConsole('/requests?status=5xx', {
    ...signedIn,
    '/console/api/session': { get: refuse(401, 'CLEW_OPERATORS_SIGNED_OUT', 'Sign in.') },
  })
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(decodeURIComponent(at())).toContain('to=/requests?status=5xx')
})

test('an address that leads nowhere says so', async () => {
  openConsole('/nowhere', signedIn)
  await screen.findByText('There is nothing at this address.')
  expect(screen.getByRole('link', { name: 'Go home' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Not found', level: 1 })).toBeTruthy()
})

test('a screen that could not be loaded keeps the bar with the menu of a narrow window', async () => {
  openConsole('/jobs/7', {
    ...signedIn,
    '/console/api/jobs/{jobId}': { get: refuse(404, 'CLEW_CRON_JOB_UNKNOWN', 'There is no such job.') },
  })
  await screen.findByText('There is no such job.')
  expect(screen.getByRole('heading', { name: 'Not found', level: 1 })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Menu' })).toBeTruthy()
})

test('an address that no thing can have is told in plain words, with a way on', async () => {
  openConsole('/jobs/none', {
    ...signedIn,
    '/console/api/jobs/{jobId}': {
      get: refuse(400, 'CLEW_GATEWAY_BAD_ADDRESS', 'params/jobId must match pattern "^[0-9]{1,18}$"'),
    },
  })
  const problem = await screen.findByRole('alert')
  expect(problem.textContent).toContain('This address asks for something that cannot be.')
  expect(problem.textContent).not.toContain('pattern')
  expect(within(problem).getByRole('link', { name: 'Go home' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Not found', level: 1 })).toBeTruthy()
})

test.each(['-1', 'true', '{"a":1}', '[1,2]'])(
  'what a screen does not understand of its address never reaches it: open=%s',
  async (open) => {
    const { at, asked } = openConsole(`/errors/${issue.id}?open=${encodeURIComponent(open)}&colour=blue`, {
      ...signedIn,
      '/console/api/errors/{id}': { get: issueDetail },
      '/console/api/errors/{id}/exceptions': { get: { exceptions: [exception], next: null } },
      '/console/api/errors/{id}/exceptions/{exception}': { get: exceptionDetail },
    })
    await screen.findByRole('region', { name: 'Stack' })
    expect(at()).toBe(`/errors/${issue.id}`)
    expect(asked.some((request) => request.startsWith('GET /requests'))).toBe(false)
  },
)

test('a server that does not answer is reported, and asked again on demand', async () => {
  let isThere = false
  openConsole('/', {
    ...signedIn,
    '/console/api/session': {
      get: async () => {
        if (!isThere) return new Response('Bad gateway', { status: 501 })
        return Response.json({ operator: { id: 'o1', name: 'Olga', email: 'olga@example.test', role: 'owner' } })
      },
    },
  })
  const problem = await screen.findByRole('alert')
  expect(problem.textContent).toContain('Clew answered 501.')
  isThere = true
  await userEvent.click(within(problem).getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Home', level: 1 })
})

test('signing out leads to the sign-in', async () => {
  const { asked } = openConsole('/', signedIn)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(asked).toContain('DELETE /session')
})
