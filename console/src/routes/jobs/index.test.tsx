import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { job } from '../../../test/answers/database.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answersWith = (jobs: readonly (typeof job)[]): Answers => ({
  ...signedIn,
  '/console/api/jobs': { get: { installed: true, timeZone: 'GMT', jobs: [...jobs], next: null } },
})

test('lists jobs with their schedule in words; one is paused by its switch', async () => {
  const { asked } = openConsole('/jobs', {
    ...answersWith([job, { ...job, jobId: '8', name: null, active: false, nextRunAt: null, lastRun: null }]),
    '/console/api/jobs/{jobId}': {
      patch: async (request) => {
        expect(await request.json()).toEqual({ active: false })
        return new Response(null, { status: 204 })
      },
    },
  })
  const table = within(await screen.findByRole('table', { name: 'Jobs' }))
  expect(table.getAllByText('at 03:30 every day')[0]?.title).toBe('30 3 * * *')
  expect(table.getByTitle('DELETE 4').textContent).toBe('succeeded')
  expect(table.getByText('paused')).toBeTruthy()
  await userEvent.click(table.getByRole('switch', { name: 'tidy is active', checked: true }))
  await expect.poll(() => asked).toContain('PATCH /jobs/7')
})

test('the filter stands in the address, and what does not fit is not drawn', async () => {
  const { at } = openConsole('/jobs', answersWith([job, { ...job, jobId: '8', name: 'report' }]))
  await userEvent.type(await screen.findByRole('searchbox'), 'repo')
  await expect.poll(at).toBe('/jobs?q=repo')
  expect(screen.queryByRole('link', { name: /^tidy/ })).toBeNull()
  await userEvent.type(screen.getByRole('searchbox'), 'x')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all jobs' }))
  await screen.findByRole('link', { name: /^tidy/ })
})

test('a row leads to the job', async () => {
  const { at } = openConsole('/jobs', answersWith([job]))
  await userEvent.click(await screen.findByRole('cell', { name: 'postgres' }))
  await expect.poll(at).toBe('/jobs/7')
})

test('without the extension the page says how to create it, without a job how to schedule the first', async () => {
  const missing = openConsole('/jobs', {
    ...signedIn,
    '/console/api/jobs': { get: { installed: false, timeZone: 'GMT', jobs: [], next: null } },
  })
  await screen.findByRole('heading', { name: 'The extension pg_cron is not created yet.' })
  expect(document.querySelector('pre')?.textContent).toBe('create extension if not exists pg_cron;')
  missing.close()
  openConsole('/jobs', answersWith([]))
  await screen.findByRole('heading', { name: 'No jobs yet.' })
})

test('an analyst sees jobs and changes none; a refused list says why', async () => {
  const first = openConsole('/jobs', {
    ...answersWith([job]),
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  const control = await screen.findByRole('switch', { name: 'tidy is active' })
  expect(control.hasAttribute('disabled')).toBe(true)
  first.close()
  openConsole('/jobs', { ...signedIn, '/console/api/jobs': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'No.') } })
  expect((await screen.findByRole('alert')).textContent).toContain('No.')
})

test('ten thousand jobs draw only the rows in sight', async () => {
  const jobs = Array.from({ length: 10_000 }, (_, index) => ({ ...job, jobId: String(index), name: `job-${index}` }))
  openConsole('/jobs', answersWith(jobs))
  const table = await screen.findByRole('table', { name: 'Jobs' })
  expect(table.getAttribute('aria-rowcount')).toBe('10001')
  expect(within(table).getAllByRole('row').length).toBeLessThan(80)
})
