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
