import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { AlertsAnswer } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const good = { subject: '', isFiring: false, beganAt: null, detail: null }
const limits = { bad: 'above', forSeconds: 30 } as const
const alerts: AlertsAnswer = {
  rules: [
    {
      ...{ ...limits, id: 'component', title: 'A component is down', unit: 'down', begins: 1, forSeconds: 60 },
      states: [
        { ...good, subject: 'disk', value: 0 },
        { subject: 'storing events', isFiring: true, beganAt: at, value: 1, detail: 'Nothing is stored.' },
      ],
    },
    {
      ...{ ...limits, id: 'error rate', title: 'Requests fail', unit: 'percent', begins: 5 },
      states: [{ ...good, value: 1.234 }],
    },
    {
      ...{ ...limits, id: 'disk', title: 'The disk fills up', unit: 'days', bad: 'below', begins: 7 },
      states: [{ ...good, value: null }],
    },
    {
      ...{ ...limits, id: 'certificate', title: 'The certificate ends soon', unit: 'days', bad: 'below', begins: 14 },
      states: [],
    },
  ],
  notices: [
    {
      ...{ id: '2', rule: 'error rate', title: 'Requests fail', subject: '', kind: 'resolved', unit: 'percent' },
      ...{ value: 0, detail: null, at, sentAt: null, problem: 'The webhook answered 500.' },
    },
    {
      ...{ id: '1', rule: 'error rate', title: 'Requests fail', subject: '', kind: 'fired', unit: 'percent' },
      ...{ value: 12, detail: null, at, sentAt: at, problem: null },
    },
  ],
  mails: 2,
  hasWebhook: true,
}
const tests: string[] = []
const open = (
  answer: Partial<AlertsAnswer> = {},
  role: 'owner' | 'analyst' = 'owner',
  post: () => Response = () => {
    tests.push('sent')
    return new Response(null, { status: 204 })
  },
) => {
  const answers: Answers = {
    ...signedIn,
    '/console/api/session': { get: { operator: { ...operator, role } } },
    '/console/api/alerts': { get: { ...alerts, ...answer } },
    '/console/api/alerts/test': { post },
  }
  return openConsole('/settings/alerts', answers)
}
const cellsOf = (table: string, name: RegExp) =>
  within(within(screen.getByRole('table', { name: table })).getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('what is bad stands first, and below it all that is watched with its limit', async () => {
  open()
  const now = within(await screen.findByRole('region', { name: 'Now' }))
  expect(now.getByText('A component is down')).toBeTruthy()
  expect(now.getByText('storing events')).toBeTruthy()
  expect(now.getByText(/Nothing is stored/)).toBeTruthy()
  expect(now.getByText('Notices are sent to 2 addresses by mail and a webhook.')).toBeTruthy()
  expect(cellsOf('What is watched', /Components/)).toEqual(['Components', 'alert', '1 of 2 down', 'down for 1 min'])
  expect(cellsOf('What is watched', /Failed requests/)).toEqual([
    'Failed requests',
    'good',
    '1.23 %',
    'from 5 % for 30 s',
  ])
  expect(cellsOf('What is watched', /disk is full/).slice(1)).toEqual([
    'good',
    'without end',
    'at most 7 days for 30 s',
  ])
  expect(cellsOf('What is watched', /Certificate/).slice(1, 3)).toEqual(['not here', '–'])
  expect(cellsOf('Notices of alerts', /ended/).slice(1)).toEqual(['ended', 'Requests fail', '0 %', 'not sent'])
  expect(cellsOf('Notices of alerts', /began/).slice(1, 4)).toEqual(['began', 'Requests fail', '12 %'])
})

test('a test is sent by those who may', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }))
  await screen.findByText('The test was sent.')
  expect(tests).toEqual(['sent'])
})

test('a test that could not be sent says why', async () => {
  open({}, 'owner', refuse(502, 'CLEW_ALERTS_NOT_SENT', 'The test could not be sent.'))
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }))
  await screen.findByText(/could not be sent/)
})

test('an analyst sees them and sends no test', async () => {
  open({}, 'analyst')
  await screen.findByText('A component is down')
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
})

test('without anyone to tell it says how to name them, and with nothing bad it says so', async () => {
  open({ mails: 0, hasWebhook: false, notices: [], rules: alerts.rules.slice(1) })
  await screen.findByText(/sent to no one/)
  expect(screen.getByText('All that is watched is good.')).toBeTruthy()
  expect(screen.getByText(/Nothing in the last 90 days/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
})

test('a refusal is told', async () => {
  openConsole('/settings/alerts', {
    ...signedIn,
    '/console/api/alerts': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role may not see it.') },
  })
  await screen.findByText(/may not see it/)
})
