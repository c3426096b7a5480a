import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderView } from '../../../test/render.tsx'
import { ClaimView } from './claim-view.tsx'

function show(state: 'claimed' | 'unclaimed', token: string | undefined) {
  renderView(
    <QueryClientProvider client={new QueryClient()}>
      <ClaimView setup={{ state, project: 'Corner Café' }} token={token} onClaimed={() => undefined} />
    </QueryClientProvider>,
  )
}

test('the one-time link asks for the owner', () => {
  show('unclaimed', 'once')
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Email' })).toBeTruthy()
  expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
  expect(screen.getByRole('button', { name: 'Create account' })).toBeTruthy()
})

test('a used link says so and leads to the sign-in', () => {
  show('claimed', 'once')
  expect(screen.getByRole('heading', { name: 'This link has already been used' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in')
})

test('without a token the page says where the link is found', () => {
  show('unclaimed', undefined)
  expect(screen.getByRole('heading', { name: 'No owner yet' })).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})
