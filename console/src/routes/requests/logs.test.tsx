import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { ServerLogEntry } from '../../lib/api/schemas.ts'

const log: ServerLogEntry = {
  ...{ id: 'l1', at: '2026-01-02T03:04:05.000Z', level: 'error', service: 'shop', scope: '', eventName: '' },
  ...{ text: 'card declined', attributes: { amount: 12 }, spanId: null },
  ...{ traceId: null, sessionId: null, requestId: null },
}
const ofRequest = { ...log, id: 'l2', text: 'order kept', requestId: 'r1', sessionId: 's1' }
const ofSession = { ...log, id: 'l3', text: 'cart of 3', sessionId: 's1', attributes: {} }
const answers: Answers = {
  ...signedIn,
  '/console/api/server-logs': { get: { logs: [log, ofRequest, ofSession], next: null } },
  '/console/api/server-log-services': { get: { services: ['shop', 'worker'] } },
}

test('records stand in a list, and each leads to its request, or else to its session', async () => {
  openConsole('/requests/logs', answers)
  const rowOf = async (text: string) =>
    within((await screen.findByText(text, { exact: false })).closest('li') ?? document.body)
  expect((await rowOf('card declined')).queryByRole('link')).toBeNull()
  expect((await rowOf('order kept')).getByRole('link').getAttribute('href')).toBe('/console/requests/r1')
  expect((await rowOf('cart of 3')).getByRole('link').getAttribute('href')).toBe('/console/sessions/s1')
  await userEvent.click(screen.getByText('card declined', { exact: false }))
  expect(screen.getAllByText('amount')[0]).toBeTruthy()
})

test('level, service and text are in the address, and asked for', async () => {
  const { at, asked } = openConsole('/requests/logs', answers)
  await screen.findByRole('option', { name: 'worker' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'warn')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Service' }), 'worker')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by text or trace id' }), 'disk')
  const chosen = { level: 'warn', service: 'worker', q: 'disk' }
  const parameters = (address: string) => Object.fromEntries(new URLSearchParams(address.split('?')[1]))
  await expect.poll(() => parameters(at())).toEqual(chosen)
  await expect
    .poll(() => asked.filter((one) => one.startsWith('GET /server-logs?')).map(parameters))
    .toContainEqual({ ...chosen, limit: '100' })
})

test('a list without records says how they come, a filter without any shows all', async () => {
  const none: Answers = { ...answers, '/console/api/server-logs': { get: { logs: [], next: null } } }
  const { close } = openConsole('/requests/logs', none)
  expect(await screen.findByText(/OTEL_EXPORTER_OTLP_ENDPOINT/)).toBeTruthy()
  close()
  const { at } = openConsole('/requests/logs?service=gone&live=off', none)
  await userEvent.click(await screen.findByRole('button', { name: 'Show all records' }))
  await expect.poll(at).toBe('/requests/logs?live=off')
})

test('analysts are told for whom logs are; a refusal says what happened', async () => {
  const { asked, close } = openConsole('/requests/logs', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  expect(await screen.findByText('Logs of servers are for owners and developers.')).toBeTruthy()
  expect(asked.filter((one) => one.includes('server-log'))).toEqual([])
  close()
  const refused = refuse(503, 'CLEW_CLICKHOUSE', 'ClickHouse is away.')
  openConsole('/requests/logs', { ...answers, '/console/api/server-logs': { get: refused } })
  expect((await screen.findByRole('alert')).textContent).toContain('ClickHouse is away.')
})
