import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { UserDetail, UserSummary } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const id = '7b0c1a7e-1f2e-4c53-9d5e-0a1b2c3d4e5f'

const ana: UserSummary = {
  ...{ id, email: 'ana@example.test', phone: null, name: 'Ana Sousa', state: 'confirmed', providers: ['email'] },
  ...{ createdAt: at, lastSignInAt: at },
}

const detail: UserDetail = {
  ...{
    id,
    email: 'ana@example.test',
    phone: null,
    role: 'authenticated',
    emailConfirmedAt: at,
    phoneConfirmedAt: null,
  },
  ...{ invitedAt: null, createdAt: at, lastSignInAt: at, bannedUntil: null, isBanned: false, isAnonymous: false },
  ...{ appMetadata: { provider: 'email' }, userMetadata: { full_name: 'Ana Sousa' } },
  identities: [{ id: 'i1', provider: 'email', email: 'ana@example.test', lastSignInAt: at }],
  factors: [{ id: 'f1', name: 'Phone', type: 'totp', isVerified: true, createdAt: at }],
  sessions: [
    { id: 's1', createdAt: at, refreshedAt: null, userAgent: 'Firefox/140', address: '203.0.113.7', level: 'aal2' },
  ],
}

const owned = {
  tables: [
    {
      schema: 'public',
      table: 'orders',
      column: 'customer',
      rows: 3,
      onDelete: 'deleted' as const,
      canBeEmptied: true,
    },
    {
      schema: 'public',
      table: 'reviews',
      column: 'author',
      rows: 10_000,
      onDelete: 'emptied' as const,
      canBeEmptied: true,
    },
  ],
}

const answers: Answers = {
  ...signedIn,
  '/console/api/users': { get: { users: [ana], next: null } },
  '/console/api/users/{id}': { get: detail, delete: null },
  '/console/api/users/{id}/owned': { get: owned },
}

const act = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

test('users are filtered by the address, which any view can be shared by', async () => {
  const { asked, at: place } = openConsole('/users?state=banned&q=ana', answers)
  await screen.findByRole('link', { name: 'ana@example.test' })
  expect(asked).toContain('GET /users?state=banned&text=ana&limit=100')
  await userEvent.click(screen.getByRole('button', { name: 'confirmed' }))
  await expect.poll(place).toContain('state=confirmed')
  await userEvent.click(screen.getByRole('link', { name: 'ana@example.test' }))
  await screen.findByRole('heading', { name: 'ana@example.test' })
})

test('a user shows where they are signed in and what they own; both lead on', async () => {
  openConsole(`/users/${id}`, answers)
  await screen.findByText('Firefox/140')
  expect((await screen.findByRole('link', { name: 'orders' })).getAttribute('href')).toContain('/data/public/orders')
  screen.getByText('10,000 or more rows')
  expect(screen.getByRole('link', { name: 'What this user did' }).getAttribute('href')).toContain(`/people?q=${id}`)
})

test('a user is deleted only when the address is typed, with the counts of what goes along', async () => {
  const { asked, at: place } = openConsole(`/users/${id}`, answers)
  await act('Delete…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the user?' }))
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    'orders: 3 rows deleted along',
    'reviews: 10,000 or more rows whose author is emptied',
  ])
  const remove = dialog.getByRole('button', { name: 'Delete' })
  expect(remove.hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByLabelText('Type ana@example.test to confirm'), 'ana@example.test')
  await userEvent.click(remove)
  await expect.poll(() => asked).toContain(`DELETE /users/${id}`)
  await expect.poll(place).toBe('/users')
})

test('a user is banned; what was refused is said', async () => {
  const banned = openConsole(`/users/${id}`, { ...answers, '/console/api/users/{id}/ban': { post: null } })
  await act('Ban for a day')
  await screen.findByText('Banned for a day')
  expect(banned.asked).toContain(`POST /users/${id}/ban`)
  banned.close()
  openConsole(`/users/${id}`, {
    ...answers,
    '/console/api/users/{id}/reset': { post: refuse(429, 'over_email_send_rate_limit', 'Too many mails.') },
  })
  await act('Send a password reset')
  await screen.findByText('Too many mails.')
})

test('a link to sign in as the user is made only when its consequences were read, and for owners alone', async () => {
  const owner = openConsole(`/users/${id}`, {
    ...answers,
    '/console/api/users/{id}/link': { post: { link: 'http://shop.test/verify?token=t' } },
  })
  await act('Sign in as this user…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in as this user' }))
  expect(owner.asked).not.toContain(`POST /users/${id}/link`)
  await userEvent.click(dialog.getByRole('button', { name: 'Make the link' }))
  await dialog.findByText('http://shop.test/verify?token=t')
  owner.close()
  openConsole(`/users/${id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }))
  await screen.findByRole('menuitem', { name: 'Sign out everywhere' })
  expect(screen.queryByRole('menuitem', { name: 'Sign in as this user…' })).toBeNull()
})

test('a second factor is removed', async () => {
  const { asked } = openConsole(`/users/${id}`, {
    ...answers,
    '/console/api/users/{id}/factors/{factorId}': { delete: null },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the factor Phone' }))
  await expect.poll(() => asked).toContain(`DELETE /users/${id}/factors/f1`)
})

test('a user is invited; an address that is taken is refused in the form', async () => {
  const invited = openConsole('/users', {
    ...answers,
    '/console/api/users/invitations': { post: () => Response.json({ id }, { status: 201 }) },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New user' }))
  await userEvent.type(await screen.findByLabelText('Email'), 'ben@example.test{Enter}')
  await expect.poll(invited.at).toBe(`/users/${id}`)
  invited.close()
  openConsole('/users', {
    ...answers,
    '/console/api/users': {
      get: { users: [ana], next: null },
      post: refuse(422, 'email_exists', 'The address is taken.'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New user' }))
  await userEvent.click(await screen.findByRole('tab', { name: 'With a password' }))
  await userEvent.type(await screen.findByLabelText('Email'), 'ana@example.test')
  await userEvent.type(screen.getByLabelText('Password'), 'a long and calm password{Enter}')
  await screen.findByText('The address is taken.')
})

test('empty, filtered empty, failed and refused each say so', async () => {
  const none = { '/console/api/users': { get: { users: [], next: null } } }
  const empty = openConsole('/users', { ...answers, ...none })
  await screen.findByRole('heading', { name: 'No users yet.' })
  empty.close()
  const filtered = openConsole('/users?q=zoe', { ...answers, ...none })
  await screen.findByRole('heading', { name: 'No users match this filter.' })
  filtered.close()
  const failed = openConsole('/users', { ...answers, '/console/api/users': { get: refuse(500, 'X', 'It failed.') } })
  expect((await screen.findByRole('alert')).textContent).toContain('It failed.')
  failed.close()
  const analyst = openConsole('/users', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('heading', { name: 'Users are for owners and developers.' })
  expect(analyst.asked.filter((each) => each.includes('/users'))).toEqual([])
})

test('users are ordered and narrowed by provider and time, which stand in the address', async () => {
  const { asked, at: place } = openConsole('/users?sort=signed%20in&created=7', answers)
  await screen.findByRole('link', { name: 'ana@example.test' })
  expect(asked.find((request) => request.startsWith('GET /users?'))).toMatch(/sort=signed%20in.*createdSince=2/)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Provider' }), 'email')
  await expect.poll(place).toContain('provider=email')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'created')
  await expect.poll(place).not.toContain('sort=')
})

test('several users are banned once their number was typed; those that it failed for stay selected', async () => {
  const ben: UserSummary = { ...ana, id: '7b0c1a7e-1f2e-4c53-9d5e-0a1b2c3d4e60', email: 'ben@example.test' }
  const { asked } = openConsole('/users', {
    ...answers,
    '/console/api/users': { get: { users: [ana, ben], next: null } },
    '/console/api/users/{id}/ban': {
      post: ({ url }) =>
        url.includes(ben.id) ? refuse(409, 'conflict', 'Ben is protected.')() : new Response(null, { status: 204 }),
    },
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(screen.getByRole('button', { name: '2 selected' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ban…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ban users' }))
  const ban = dialog.getByRole('button', { name: 'Ban users' })
  expect(ban.hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByLabelText('Type 2 to confirm'), '2')
  await userEvent.click(ban)
  await dialog.findByText(/It failed for 1: Ben is protected/)
  expect(asked.filter((request) => request.endsWith('/ban'))).toHaveLength(2)
  await userEvent.click(dialog.getByRole('button', { name: 'Keep these selected' }))
  await screen.findByRole('button', { name: '1 selected' })
})
