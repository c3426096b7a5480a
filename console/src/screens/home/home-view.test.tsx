import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { snippets } from '../../../test/answers.ts'
import { renderView } from '../../../test/render.tsx'
import { ConnectionLine } from '../../frame/connection-line.tsx'
import { type Connection, ConnectionContext } from '../../lib/api/connection.ts'
import type { Instance, Overview } from '../../lib/api/schemas.ts'
import { ToastProvider } from '../../ui/toast.tsx'
import { changeText } from './delta.tsx'
import { HomeView } from './home-view.tsx'
import { Readiness } from './readiness.tsx'

const instance: Instance = {
  project: 'Corner Café',
  mode: 'local',
  version: '0.1.0',
  apiUrl: 'http://127.0.0.1:54321',
  inboxUrl: null,
  dbUrl: null,
  exampleUrl: null,
  publishableKey: 'sb_publishable_test',
  anonKey: 'anon',
  ingestToken: 'phc_test',
  readiness: { sendsMail: false, hasDomain: false, ownKeys: false, asksConsent: true },
  snippets,
  services: ['rest', 'auth'],
  engines: [{ name: 'PostgreSQL', state: 'up', detail: '18.4', pid: 7 }],
}

const quiet: Overview = {
  peopleNow: 0,
  requestsPerMinute: [
    { minute: '2026-01-02T03:00:00Z', requests: 0, errors: 0, p95Ms: 0 },
    { minute: '2026-01-02T03:01:00Z', requests: 0, errors: 0, p95Ms: 0 },
  ],
  requestsLastHour: 0,
  errorsLastHour: 0,
  changesLastHour: 0,
  sessionsToday: 0,
  latestSessions: [],
  firsts: { requestAt: null, eventAt: null, recordingAt: null },
}

const busy: Overview = {
  ...quiet,
  requestsPerMinute: [
    { minute: '2026-01-02T03:00:00Z', requests: 4, errors: 1, p95Ms: 18 },
    { minute: '2026-01-02T03:01:00Z', requests: 2, errors: 0, p95Ms: 9 },
  ],
  requestsLastHour: 6,
  firsts: { requestAt: '2026-01-02T03:00:00Z', eventAt: null, recordingAt: null },
}

const hours = [3, ...new Array<number>(23).fill(0), 6]

const show = (overview: Overview, chart: 'chart' | 'table' = 'chart') => {
  const onChart = vi.fn()
  renderView(
    <ToastProvider>
      <HomeView
        {...{ overview, instance, chart, onChart }}
        day={{
          hours: hours.map((requests) => ({ requests, errors: 0, changes: 3, sessions: 2, people: 1 })),
          yesterday: { peopleNow: 2, sessionsToday: 0 },
        }}
        attention={null}
        readiness={null}
      />
    </ToastProvider>,
  )
  return onChart
}

test('an unused instance shows the lines that change it, with its own keys', () => {
  show(quiet)
  expect(screen.getByText(/createClient/).textContent).toContain('sb_publishable_test')
  expect(screen.getByText(/posthog\.init/).textContent).toContain("api_host: 'http://127.0.0.1:54321/ingest'")
  expect(screen.getAllByLabelText('waiting')).toHaveLength(3)
  expect(screen.queryByRole('button', { name: /^Chart menu/ })).toBeNull()
})

test('the chart says its sum, and the table behind it every minute', async () => {
  const onChart = show(busy)
  expect(screen.getByRole('img', { name: /6 in all, at most 4 in a minute/ })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Chart menu: Requests a minute' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as table' }))
  expect(onChart).toHaveBeenCalledWith('table')
})

test('the table has the newest minute first', () => {
  show(busy, 'table')
  const rows = within(screen.getByRole('table', { name: 'Requests a minute' })).getAllByRole('row')
  expect(rows[1]?.textContent).toContain('209.0 ms')
  expect(rows[2]?.textContent).toContain('4118 ms')
})

test('what happened is ticked, what is waited for is not', () => {
  show(busy)
  expect(screen.getByText('First request').closest('li')?.querySelector('[aria-label=done]')).toBeTruthy()
  expect(screen.getByText('First event').closest('li')?.querySelector('[aria-label=waiting]')).toBeTruthy()
})

test('while Clew does not answer no engine is shown as up', () => {
  const lost: Connection = { lostSince: () => Date.now(), subscribe: () => () => undefined }
  renderView(
    <ConnectionContext value={lost}>
      <ConnectionLine />
      <HomeView
        {...{ overview: quiet, instance, day: undefined, attention: null, readiness: null }}
        chart="chart"
        onChart={vi.fn()}
      />
    </ConnectionContext>,
  )
  expect(screen.getByText('Connection lost').closest('[role=status]')?.textContent).toMatch(
    /No answer since \d\d:\d\d:\d\d/,
  )
  expect(screen.getByText('PostgreSQL').textContent).toContain('unknown')
  expect(screen.queryByText('up')).toBeNull()
})

test('each number says what it was at this time of yesterday, and how the day went', () => {
  show({ ...busy, peopleNow: 3, sessionsToday: 4 })
  const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(figures.slice(0, 5)).toEqual([
    ...['3+50% since yesterday', '4none yesterday'],
    ...['6+100% since yesterday', '0as yesterday', '0-100% since yesterday'],
  ])
  expect(screen.getByRole('img', { name: /^By the hour, the last 24: 0, .*, 6$/ })).toBeTruthy()
})

test.each([
  [4, 4, 'as yesterday'],
  [4, 0, 'none yesterday'],
  [3, 4, '-25% since yesterday'],
  [5, 4, '+25% since yesterday'],
  [400, 4, '100× yesterday'],
])('%i after %i is %s', (now, before, text) => {
  expect(changeText(now, before)).toBe(text)
})

test('what is open is told apart from what is done', () => {
  const answer = { isExternal: false, everyHours: 24, running: null, failure: null, wal: null }
  const backup = {
    ...{ id: 'b1', problem: null, instant: '2026-01-02T03:00:00.000Z', sizeBytes: 1, newBytes: 1, parts: [] },
    ...{ hasKeys: true, leftOut: [], verification: { at: '2026-01-02T03:01:00.000Z', isGood: true, checks: [] } },
  }
  const steps = () =>
    screen
      .getAllByRole('listitem')
      .map((item) => [
        item.querySelector('svg')?.getAttribute('aria-label'),
        item.textContent?.replace(/verified.*/, 'verified'),
      ])
  renderView(
    <Readiness instance={instance} openSecurity={2} backups={{ ...answer, target: '/backups', backups: [backup] }} />,
  )
  expect(steps()).toEqual([
    ['done', 'Backupsverified'],
    ['open', 'Row security2 to fix'],
    ['open', 'Keysknown to everybody'],
    ['open', 'Domainthis machine only'],
    ['open', 'Mailkept in the inbox'],
    ['done', 'Consentasked for'],
  ])
})
