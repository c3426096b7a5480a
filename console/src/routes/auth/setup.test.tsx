import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { AuthSetup } from '../../lib/api/schemas.ts'

const setup: AuthSetup = {
  settings: [
    {
      ...{ name: 'site_url', environment: 'CLEW_AUTH_SITE_URL', group: 'Addresses', description: 'The application.' },
      ...{
        value: '"https://shop.test"',
        isSecret: false,
        isSet: true,
        from: 'clew.toml: [auth] site_url',
        line: 'site_url = "https://shop.test"',
        ...{ form: { kind: 'text', choices: [], allowed: 'an address' }, pinned: null, waiting: null },
      },
    },
    {
      ...{ name: 'external_github_secret', environment: 'CLEW_AUTH_EXTERNAL_GITHUB_SECRET', group: 'Providers' },
      ...{
        description: 'The secret.',
        value: null,
        isSecret: true,
        isSet: true,
        from: null,
        line: 'external_github_secret = "…"',
        ...{ form: { kind: 'text', choices: [], allowed: 'a text' }, pinned: 'A secret.', waiting: null },
      },
    },
  ],
  providers: [
    {
      name: 'apple',
      enabled: false,
      redirectUri: 'https://api.test/callback',
      clientId: null,
      hasSecret: false,
      missing: 'missing OAuth client ID',
    },
    {
      name: 'github',
      enabled: true,
      redirectUri: 'https://api.test/callback',
      clientId: 'app-id',
      hasSecret: false,
      missing: 'missing OAuth secret',
    },
  ],
  mails: [{ kind: 'recovery', enabled: true, source: 'built-in', prefix: 'email_template_recovery' }],
  hasMailHook: false,
  keys: [{ kid: 'k1', algorithm: 'ES256', signs: true }],
  apiKeys: [{ name: 'secret', lastUsedAt: '2026-01-02T03:04:00.000Z' }],
  publishableKey: 'sb_publishable_test',
}
const answers: Answers = {
  ...signedIn,
  '/console/api/auth/setup': { get: setup },
  '/console/api/auth/setup/redirect': {
    post: async (request) => {
      const { url } = await request.json()
      const isAllowed = url.startsWith('https://shop.test')
      return Response.json({ isAllowed, leadsTo: isAllowed ? url : 'https://shop.test' })
    },
  },
  '/console/api/auth/setup/mails/{kind}': { get: { subject: 'Reset your password', html: '<p>Hi</p>', text: 'Hi' } },
  '/console/api/auth/setup/mails/{kind}/test': { post: { to: 'olga@example.test' } },
}

test('a provider that is on and not ready says so, its redirect address and the lines that switch it on', async () => {
  openConsole('/auth/setup', answers)
  const table = within(await screen.findByRole('table', { name: 'Providers' }))
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    expect.stringContaining('Provider'),
    expect.stringContaining('githubon, not readyapp-id'),
    expect.stringContaining('appleoff'),
  ])
  await userEvent.click(table.getByText('github'))
  const drawer = within(await screen.findByRole('dialog', { name: 'github' }))
  drawer.getByText('https://api.test/callback')
  drawer.getByText(/secret = "env\(CLEW_AUTH_EXTERNAL_GITHUB_SECRET\)"/)
})

test('a redirect is tried, and a mail is shown and sent to oneself', async () => {
  const addresses = openConsole('/auth/setup?tab=addresses', answers)
  await userEvent.type(await screen.findByLabelText('Address'), 'https://evil.test{Enter}')
  await screen.findByText('Not allowed.')
  expect(screen.getByText('https://shop.test')).toBeTruthy()
  addresses.close()
  const mails = openConsole('/auth/setup?tab=mails&open=recovery', answers)
  await screen.findByText('Reset your password')
  expect(screen.getByTitle('How the mail looks').getAttribute('sandbox')).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Send me a test' }))
  await screen.findByText('Sent to olga@example.test')
  expect(mails.asked).toContain('POST /auth/setup/mails/recovery/test')
})

test('a setting is found by words, and a secret one is never shown', async () => {
  const { at } = openConsole('/auth/setup?tab=settings', answers)
  await userEvent.type(await screen.findByRole('searchbox'), 'github')
  await expect.poll(at).toContain('q=github')
  await userEvent.click(await screen.findByText('external_github_secret'))
  const drawer = within(await screen.findByRole('dialog', { name: 'external_github_secret' }))
  drawer.getByText('set, not shown')
  drawer.getByText(/CLEW_AUTH_EXTERNAL_GITHUB_SECRET=/)
  expect(drawer.queryByText(/\[auth\]/)).toBeNull()
})

test('a role that may not see it is told', async () => {
  openConsole('/auth/setup', {
    ...answers,
    '/console/api/auth/setup': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})

test('a setting is changed in its form, and says that it waits for a restart', async () => {
  const sent: unknown[] = []
  const [site] = setup.settings
  if (site === undefined) throw new Error('There is no setting.')
  openConsole('/auth/setup?tab=settings&open=site_url', {
    ...answers,
    '/console/api/auth/setup': {
      get: () =>
        Response.json({
          ...setup,
          settings: [{ ...site, waiting: sent.length === 0 ? null : '"https://new.test"' }],
        }),
    },
    '/console/api/auth/setup/settings/{name}': {
      put: async (request) => {
        sent.push(await request.json())
        return new Response(null, { status: 204 })
      },
    },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'site_url' }))
  const value = drawer.getByLabelText('Value')
  await userEvent.clear(value)
  await userEvent.type(value, 'https://new.test')
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
  await drawer.findByText('"https://new.test"')
  expect(sent).toEqual([{ value: 'https://new.test' }])
})
