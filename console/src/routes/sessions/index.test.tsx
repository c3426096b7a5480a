import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session, signedIn } from '../../../test/answers.ts'
import { openConsole } from '../../../test/console.tsx'

const answers = { ...signedIn, '/console/api/sessions': { get: { sessions: [session], next: null } } }

test('lists visits; filters stand in the address and are asked for', async () => {
  const { at, asked } = openConsole('/sessions', answers)
  await screen.findByRole('link', { name: 'Maria Silva' })
  await userEvent.click(screen.getByRole('button', { name: 'with errors', pressed: false }))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by person or path' }), 'ma')
  await expect.poll(at).toBe('/sessions?errors=true&q=ma')
  await expect.poll(() => asked.some((one) => one.includes('errors=true') && one.includes('q=ma'))).toBe(true)
})

test('a list without sessions shows what makes one appear', async () => {
  openConsole('/sessions', { ...answers, '/console/api/sessions': { get: { sessions: [], next: null } } })
  await screen.findByText('No sessions yet.')
  expect(screen.getByText(/posthog.init/)).toBeTruthy()
})

test('a link with a filter asks for it: days of the viewer as instants', async () => {
  const { asked } = openConsole('/sessions?from=2026-01-02&to=2026-01-02&status=404&requestMs=500&country=xx', answers)
  await screen.findByRole('button', { name: /since 2026-01-02/ })
  const { searchParams } = new URL(asked.find((one) => one.startsWith('GET /sessions'))?.slice(4) ?? '', 'http://x')
  const [from, to] = ['2026-01-02T00:00:00', '2026-01-03T00:00:00'].map((day) => new Date(day).toISOString())
  expect(Object.fromEntries(searchParams)).toEqual({ limit: '50', status: '404', requestMs: '500', from, to })
})
