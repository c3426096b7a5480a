import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { SlowStatement, SlowStatements } from '../../lib/api/schemas.ts'

const slow: SlowStatement = {
  ...{ fingerprint: '123', text: 'select * from orders where id = $1', role: 'authenticated', services: ['rest'] },
  ...{ calls: 1204, errors: 3, totalMs: 90_000, p50Ms: 12, p95Ms: 240.5, maxMs: 4000, rows: 1100 },
  ...{ sessions: 31, people: 1, latestAt: '2026-01-02T03:04:05.000Z' },
}
const found: SlowStatements = {
  ...{ from: '2026-01-01T03:04:05.000Z', to: '2026-01-02T03:04:05.000Z', isCut: false, statements: [slow] },
}
const answers: Answers = { ...signedIn, '/console/api/slow-statements': { get: found } }

test('a statement opens beside the list, says who waited, and leads to its requests', async () => {
  const { at, asked } = openConsole('/requests/slow', answers)
  await userEvent.click(await screen.findByText(slow.text))
  await expect.poll(at).toBe('/requests/slow?open=%22123%22')
  const drawer = within(await screen.findByRole('dialog', { name: 'Statement' }))
  expect(drawer.getByText(/31 sessions/).textContent).toBe('1 person in 31 sessions')
  expect(drawer.getByText('3 failed', { exact: false })).toBeTruthy()
  expect(drawer.getByRole('link', { name: 'The slowest of them' }).getAttribute('href')).toBe(
    '/console/requests?statement=%22123%22&last=24h&statementMs=240',
  )
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'p95')
  await expect.poll(at).toBe('/requests/slow?order=p95')
  await expect.poll(() => asked.some((one) => one.startsWith('GET /slow-statements?order=p95'))).toBe(true)
})

test('a time without statements offers a longer one; a refusal says what happened', async () => {
  const { at, close } = openConsole('/requests/slow?last=1h', {
    ...answers,
    '/console/api/slow-statements': { get: { ...found, statements: [] } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Look at 7 days' }))
  await expect.poll(at).toBe('/requests/slow?last=7d')
  close()
  const refused = refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.')
  openConsole('/requests/slow', { ...signedIn, '/console/api/slow-statements': { get: refused } })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})
