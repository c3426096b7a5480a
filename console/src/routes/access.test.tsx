import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { access, operator, signedIn } from '../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../test/console.tsx'

const card = (name: string) => screen.findByRole('region', { name })
const proofNeeded = refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Prove that it is you.')
const guarded: Answers = {
  ...signedIn,
  '/console/api/access': {
    get: {
      ...access,
      totpSince: '2026-01-02T03:00:00.000Z',
      recoveryCodesLeft: 9,
      passkeys: [{ id: 'p1', name: 'Work laptop', createdAt: '2026-01-02T03:00:00.000Z', lastUsedAt: null }],
    },
  },
}

test('says that the password alone opens the console, and lists where one is signed in', async () => {
  openConsole('/access', { ...signedIn, '/console/api/access': { get: access } })
  await screen.findByText(/only your password protects this console/)
  const sessions = within(await card('Sessions'))
  expect(sessions.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Chrome on Linuxthis browser'),
    expect.stringContaining('Firefox on macOS'),
  ])
  expect(screen.queryByRole('region', { name: 'Recovery codes' })).toBeNull()
})

test('ends a session elsewhere, never this one', async () => {
  const { asked } = openConsole('/access', {
    ...signedIn,
    '/console/api/access': { get: access },
    '/console/api/access/sessions/{id}': { delete: null },
  })
  const sessions = within(await card('Sessions'))
  expect(sessions.queryByRole('button', { name: 'Sign out Chrome on Linux' })).toBeNull()
  await userEvent.click(sessions.getByRole('button', { name: 'Sign out Firefox on macOS' }))
  await expect.poll(() => asked).toContain('DELETE /access/sessions/s2')
})

test('an authenticator app is added by its first code, and recovery codes are shown once', async () => {
  openConsole('/access', {
    ...signedIn,
    '/console/api/access': { get: access },
    '/console/api/access/totp': {
      post: { secret: 'PU7DL4UX', uri: 'otpauth://totp/Clew', qrCode: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    },
    '/console/api/access/totp/confirm': {
      post: async (request) => {
        const { code }: { code: string } = await request.json()
        if (code !== '123456') return refuse(401, 'CLEW_OPERATORS_FACTOR', 'That is not right.')()
        return Response.json({ recoveryCodes: ['aaaa-bbbb-cccc', 'dddd-eeee-ffff'] })
      },
    },
  })
  const app = within(await card('Authenticator app'))
  await userEvent.click(app.getByRole('button', { name: 'Set up' }))
  await app.findByRole('img', { name: 'QR code for your authenticator app' })
  expect(app.getByText('PU7DL4UX')).toBeTruthy()
  const code = app.getByLabelText('Code from the app')
  await userEvent.type(code, '000000{Enter}')
  await app.findByText('That is not right.')
  await userEvent.clear(code)
  await userEvent.type(code, '123456{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  expect(dialog.getByText(/aaaa-bbbb-cccc/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'I saved them' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})

test('a change that needs proof asks for it, and is then made', async () => {
  let isProven = false
  openConsole('/access', {
    ...guarded,
    '/console/api/access/recovery-codes': {
      post: () => (isProven ? Response.json({ recoveryCodes: ['gggg-hhhh-iiii'] }) : proofNeeded()),
    },
    '/console/api/access/proof': {
      post: async (request) => {
        const { code }: { code?: string } = await request.json()
        if (code !== '123456') return refuse(401, 'CLEW_OPERATORS_FACTOR', 'That is not right.')()
        isProven = true
        return new Response(null, { status: 204 })
      },
    },
  })
  const codes = within(await card('Recovery codes'))
  expect(codes.getByText(/^9 left\./)).toBeTruthy()
  await userEvent.click(codes.getByRole('button', { name: 'Generate new codes' }))
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  await userEvent.type(proof.getByLabelText('Code'), '999999{Enter}')
  await proof.findByText('That is not right.')
  await userEvent.clear(proof.getByLabelText('Code'))
  await userEvent.type(proof.getByLabelText('Code'), '123456{Enter}')
  const shown = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  expect(shown.getByText('gggg-hhhh-iiii')).toBeTruthy()
})

test('a refused change says why on its card', async () => {
  openConsole('/access', {
    ...guarded,
    '/console/api/access/totp': {
      delete: refuse(409, 'CLEW_OPERATORS_LAST_FACTOR', 'It is the last one.', 'Add one.'),
    },
  })
  const app = within(await card('Authenticator app'))
  await userEvent.click(app.getByRole('button', { name: 'Remove' }))
  expect((await app.findByRole('alert')).textContent).toBe('It is the last one. Add one.')
})

test('a passkey is renamed and removed', async () => {
  const { asked } = openConsole('/access', {
    ...guarded,
    '/console/api/access/passkeys/{id}': {
      delete: null,
      patch: async (request) => {
        expect(await request.json()).toEqual({ name: 'Old laptop' })
        return new Response(null, { status: 204 })
      },
    },
  })
  const passkeys = within(await card('Passkeys'))
  await userEvent.click(passkeys.getByRole('button', { name: 'Rename Work laptop' }))
  const name = passkeys.getByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.type(name, 'Old laptop{Enter}')
  await userEvent.click(await passkeys.findByRole('button', { name: 'Remove Work laptop' }))
  await expect.poll(() => asked).toContain('DELETE /access/passkeys/p1')
  expect(asked).toContain('PATCH /access/passkeys/p1')
})

const token = {
  ...{
    id: 't1',
    name: 'CI',
    purpose: 'command line' as const,
    createdAt: '2026-01-02T03:00:00.000Z',
    expiresAt: '2999-01-02T03:00:00.000Z',
  },
  ...{ lastUsedAt: '2026-01-02T03:00:00.000Z', lastUsedAddress: '192.0.2.7' },
}
const tokens: Answers = {
  ...signedIn,
  '/console/api/access': { get: access },
  '/console/api/access/tokens': { get: { tokens: [token] } },
}

test('an access token is made with the name that the command line proposes, and shown once', async () => {
  let made: unknown
  openConsole('/access?token=laptop', {
    ...tokens,
    '/console/api/access/tokens': {
      get: { tokens: [token] },
      post: async (request) => {
        made = await request.json()
        return Response.json({ token: 'clew_pat_secret', expiresAt: token.expiresAt }, { status: 201 })
      },
    },
  })
  const region = within(await card('Access tokens'))
  await userEvent.selectOptions(region.getByLabelText('Good for'), '30 days')
  await userEvent.click(region.getByRole('button', { name: 'Make' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your access token' }))
  dialog.getByText('clew_pat_secret')
  expect(made).toEqual({ name: 'laptop', purpose: 'command line', days: 30 })
  await userEvent.click(dialog.getByRole('button', { name: 'I have it' }))
  await expect.poll(() => screen.queryByText('clew_pat_secret')).toBeNull()
})

test('an access token is listed with its last use, and revoked once that is confirmed', async () => {
  const { asked } = openConsole('/access', { ...tokens, '/console/api/access/tokens/{id}': { delete: null } })
  const region = within(await card('Access tokens'))
  await region.findByText('192.0.2.7')
  await userEvent.click(region.getByRole('button', { name: 'Revoke CI' }))
  expect(asked).not.toContain('DELETE /access/tokens/t1')
  await userEvent.click(region.getByRole('button', { name: 'Revoke CI for good' }))
  await expect.poll(() => asked).toContain('DELETE /access/tokens/t1')
})

test('an analyst makes access tokens for agents only, a viewer none', async () => {
  let made: unknown
  const as = (role: typeof operator.role): Answers => ({
    '/console/api/session': { get: { operator: { ...operator, role } } },
  })
  const { close } = openConsole('/access', {
    ...{ ...tokens, ...as('analyst') },
    '/console/api/access/tokens': {
      get: { tokens: [{ ...token, purpose: 'agent' as const }] },
      post: async (request) => {
        made = await request.json()
        return Response.json({ token: 'clew_pat_secret', expiresAt: token.expiresAt }, { status: 201 })
      },
    },
  })
  const region = within(await card('Access tokens'))
  await region.findByText(/for an agent/)
  await userEvent.click(await region.findByRole('button', { name: 'Make a token' }))
  await userEvent.type(region.getByLabelText('Name'), 'helper')
  expect(region.queryByLabelText('For')).toBeNull()
  await userEvent.click(region.getByRole('button', { name: 'Make' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your access token' }))
  dialog.getByText(/\/mcp$/)
  expect(made).toEqual({ name: 'helper', purpose: 'agent', days: 90 })
  close()
  openConsole('/access', { ...tokens, ...as('viewer') })
  const ofViewer = within(await card('Access tokens'))
  await ofViewer.findByText(/operators who may see something/)
  expect(ofViewer.queryByRole('button', { name: 'Make a token' })).toBeNull()
})
