import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { job } from '../../../test/answers/database.ts'
import { change } from '../../../test/answers/requests.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const run = { ...job.lastRun, runId: '12' } as NonNullable<typeof job.lastRun>
const failed = { ...run, runId: '11', status: 'failed' as const, message: 'ERROR:  division by zero\n' }
const answers: Answers = {
  ...signedIn,
  '/console/api/jobs/{jobId}': { get: { job, timeZone: 'GMT' }, patch: null },
  '/console/api/jobs/{jobId}/runs': { get: { runs: [run, failed], next: null }, post: null },
  '/console/api/jobs/{jobId}/runs/{runId}': {
    get: { run, jobId: '7', command: job.command, owner: 'postgres', database: 'postgres', causeId: 'job:7:12:1' },
  },
  '/console/api/changes': { get: { changes: [change], more: false, sends: [], caused: [] } },
}

test('a run opens beside the list with its SQL and the rows it changed, and its link comes back', async () => {
  const { at, asked } = openConsole('/jobs/7', answers)
  const runs = within(await screen.findByRole('table', { name: 'Runs' }))
  expect(runs.getByText('ERROR: division by zero')).toBeTruthy()
  await userEvent.click(runs.getByRole('cell', { name: 'DELETE 4' }))
  await expect.poll(at).toBe('/jobs/7?run=12')
  const drawer = within(await screen.findByRole('dialog', { name: 'Run 12' }))
  await drawer.findByRole('heading', { name: 'Rows changed 1' })
  expect(asked).toContain('GET /changes?cause=job%3A7%3A12%3A1&limit=200')
  await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
  await expect.poll(at).toBe('/jobs/7')
})

test('a job runs now, and is paused', async () => {
  const { asked } = openConsole('/jobs/7', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Run now' }))
  await screen.findByText('The job runs.')
  expect(asked).toContain('POST /jobs/7/runs')
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  await expect.poll(() => asked).toContain('PATCH /jobs/7')
})

test('what was refused says why; an analyst has no buttons', async () => {
  const first = openConsole('/jobs/7', {
    ...answers,
    '/console/api/jobs/{jobId}/runs': {
      get: { runs: [], next: null },
      post: refuse(409, 'CLEW_CRON_RUNS_ELSEWHERE', 'Another process runs the jobs.', 'Use its console.'),
    },
  })
  await screen.findByRole('heading', { name: 'This job has not run yet.' })
  await userEvent.click(await screen.findByRole('button', { name: 'Run now' }))
  await screen.findByText('Another process runs the jobs. Use its console.')
  first.close()
  openConsole('/jobs/7', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('table', { name: 'Runs' })
  expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull()
})

test('a job that was unscheduled says so', async () => {
  openConsole('/jobs/9', {
    ...answers,
    '/console/api/jobs/{jobId}': { get: refuse(404, 'CLEW_CRON_JOB_NOT_FOUND', 'There is no such job.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such job.')
})
