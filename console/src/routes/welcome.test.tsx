import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../test/answers.ts'
import { openConsole, refuse } from '../../test/console.tsx'

test('the one-time link makes the owner, leaves the address and goes on to the application', async () => {
  let isOwned = false
  const { at } = openConsole('/welcome?token=once', {
    ...signedIn,
    '/console/api/session': {
      get: () => (isOwned ? Response.json({ operator }) : refuse(401, 'CLEW_OPERATORS_SIGNED_OUT', 'Sign in.')()),
    },
    '/console/api/setup': {
      get: { state: 'unclaimed', project: 'Corner Café' },
      post: async (request) => {
        expect(await request.json()).toMatchObject({ token: 'once', name: 'Olga Owner' })
        isOwned = true
        return Response.json({ operator }, { status: 201 })
      },
    },
  })
  await userEvent.type(await screen.findByLabelText('Name'), 'Olga Owner')
  await userEvent.type(screen.getByLabelText('Email'), operator.email)
  await userEvent.type(screen.getByLabelText('Password'), 'a long and calm password')
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  await screen.findByRole('heading', { name: 'Welcome, Olga Owner' })
  expect(at()).toBe('/welcome')
})

test('the owner finds what to paste, or the sample; the address says which', async () => {
  const { at } = openConsole('/welcome', signedIn)
  expect(await screen.findAllByText(/sb_publishable_test/)).toHaveLength(2)
  await userEvent.click(screen.getByRole('tab', { name: 'Try the sample' }))
  expect((await screen.findByRole('link', { name: /Open the café/ })).getAttribute('href')).toBe(
    'http://127.0.0.1:54321/',
  )
  expect(at()).toBe('/welcome?start=sample')
})
