import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { access, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { AuthSetup, InstanceSecrets, RootKeys } from '../../lib/api/schemas.ts'

const currentKey = { lastUsedAt: null, replacedAt: null, pinned: null }
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
  apiKeys: [
    { ...currentKey, name: 'publishable', id: 'p1', pinned: 'The setting publishable_key has it: change it there.' },
    { ...currentKey, name: 'secret', id: 's2', lastUsedAt: '2026-01-02T03:04:00.000Z' },
    { ...currentKey, name: 'secret', id: 's1', replacedAt: '2026-01-01T00:00:00.000Z' },
  ],
  publishableKey: 'sb_publishable_test',
}
const secrets: InstanceSecrets = {
  configured: [
    {
      ...{ name: '[mail] smtp_pass', source: 'file', from: 'CLEW_MAIL_SMTP_PASS_FILE' },
      lastTakenAt: '2026-01-02T03:04:00.000Z',
    },
    { name: 'metrics_token', source: 'environment', from: 'CLEW_METRICS_TOKEN', lastTakenAt: null },
  ],
  made: [
    { name: 'ingest token', lastRotatedAt: '2026-01-02T03:04:00.000Z', pinned: null },
    { name: 'database password', lastRotatedAt: null, pinned: 'The setting database_url has it: change it there.' },
    { name: 'root key', lastRotatedAt: null, pinned: null },
  ],
  ingestToken: 'phc_test',
  earlierIngestTokens: [{ id: '0123456789abcdef', replacedAt: '2026-01-02T03:04:00.000Z' }],
}
const rootKeys: RootKeys['rootKeys'] = [
  { id: 'aaaaaaaaaaaaaaaa', isCurrent: true, replacedAt: null, contents: [] },
  {
    ...{ id: 'bbbbbbbbbbbbbbbb', isCurrent: false, replacedAt: '2026-01-01T00:00:00.000Z' },
    contents: [{ name: 'access tokens', count: 1200, moves: false }],
  },
  { id: 'cccccccccccccccc', isCurrent: false, replacedAt: '2025-01-01T00:00:00.000Z', contents: [] },
]
const answers: Answers = {
  ...signedIn,
  '/console/api/secrets': { get: secrets },
  '/console/api/secrets/root-keys': { get: { rootKeys, lost: [] } },
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
  expect(sent).toEqual([{ value: 'https://new.test', replaces: '"https://shop.test"' }])
  expect(drawer.queryByText(/meanwhile/)).toBeNull()
})

test('a setting that another operator has changed is not replaced unseen', async () => {
  const sent: unknown[] = []
  const [site] = setup.settings
  if (site === undefined) throw new Error('There is no setting.')
  openConsole('/auth/setup?tab=settings&open=site_url', {
    ...answers,
    '/console/api/auth/setup': {
      get: () =>
        Response.json({ ...setup, settings: [{ ...site, waiting: sent.length === 0 ? null : '"https://bob.test"' }] }),
    },
    '/console/api/auth/setup/settings/{name}': {
      put: async (request) => {
        sent.push(await request.json())
        if (sent.length > 1) return new Response(null, { status: 204 })
        return refuse(409, 'CLEW_AUTH_SETTING_CHANGED', 'bob@x.test changed the setting meanwhile.')()
      },
    },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'site_url' }))
  const value = drawer.getByLabelText<HTMLInputElement>('Value')
  await userEvent.clear(value)
  await userEvent.type(value, 'https://ann.test')
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
  expect((await drawer.findByRole('alert')).textContent).toBe('bob@x.test changed the setting meanwhile.')
  expect((await drawer.findByText(/It was changed meanwhile/)).textContent).toBe(
    'It was changed meanwhile, to https://bob.test: saving replaces that.',
  )
  expect(value.value).toBe('https://ann.test')
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toEqual({ value: 'https://ann.test', replaces: '"https://bob.test"' })
})

/** Keys of the API that an owner sees; a change needs a proof first. */
function keyWorld(role: 'owner' | 'developer' = 'owner') {
  const sent: unknown[] = []
  let isProven = false
  const proven = (perform: () => Response): Response =>
    isProven ? perform() : refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Confirm it is you.')()
  const world: Answers = {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role } } },
    '/console/api/access': { get: access },
    '/console/api/access/proof': {
      post: () => {
        isProven = true
        return new Response(null, { status: 204 })
      },
    },
    '/console/api/auth/setup/api-keys/rotation': {
      post: async (request) => {
        const body = await request.json()
        return proven(() => {
          sent.push(body)
          return Response.json({ key: 'sb_secret_new' })
        })
      },
    },
    '/console/api/secrets/rotation': {
      post: async (request) => {
        const body = await request.json()
        return proven(() => {
          sent.push(body)
          return new Response(null, { status: 204 })
        })
      },
    },
    '/console/api/secrets/reload': {
      post: () =>
        proven(() =>
          Response.json({
            secrets: [
              { name: '[mail] smtp_pass', outcome: 'taken', problem: null },
              { name: 'database_url', outcome: 'needs a start', problem: 'Another server takes a new start.' },
            ],
            ...{ problems: [], others: ['port'] },
          }),
        ),
    },
    '/console/api/secrets/root-keys/{id}': {
      delete: (request) =>
        proven(() => {
          const { pathname, search } = new URL(request.url)
          sent.push(`${pathname}${search}`)
          return new Response(null, { status: 204 })
        }),
    },
    '/console/api/secrets/ingest-tokens/{id}': {
      delete: (request) =>
        proven(() => {
          sent.push(new URL(request.url).pathname)
          return new Response(null, { status: 204 })
        }),
    },
    '/console/api/auth/setup/api-keys/{id}': {
      delete: (request) =>
        proven(() => {
          sent.push(new URL(request.url).pathname)
          return new Response(null, { status: 204 })
        }),
    },
  }
  return { world, sent }
}

const prove = async () => {
  await userEvent.type(await screen.findByLabelText(/password/i, { selector: 'input' }), 'a good password')
  await userEvent.keyboard('{Enter}')
}

test('an owner rotates a key, is told what that breaks, and sees the new one once', async () => {
  const { world, sent } = keyWorld()
  openConsole('/auth/setup?tab=keys', world)
  const part = within(await screen.findByRole('region', { name: 'Secret key' }))
  await userEvent.click(part.getByRole('button', { name: 'Rotate' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Make a new secret key?' }))
  expect(asked.getByText(/accepted until you revoke it/)).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Rotate' }))
  await prove()
  const told = within(await screen.findByRole('dialog', { name: 'The new secret key' }))
  expect(told.getByText('sb_secret_new')).toBeTruthy()
  expect(sent).toEqual([{ name: 'secret' }])
})

test('an owner revokes an earlier key, and is told who is refused and when it was last used', async () => {
  const { world, sent } = keyWorld()
  openConsole('/auth/setup?tab=keys', world)
  const part = within(await screen.findByRole('region', { name: 'Secret key' }))
  expect(part.getByText(/The one before it: not used yet, replaced/)).toBeTruthy()
  await userEvent.click(part.getByRole('button', { name: 'Revoke' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Revoke the earlier secret key?' }))
  expect(asked.getByText(/Servers that still have it are refused.*It was not used yet/)).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Revoke' }))
  await prove()
  await expect.poll(() => sent).toEqual(['/console/api/auth/setup/api-keys/s1'])
})

test('a key that a setting has is not rotated here, and a developer rotates none', async () => {
  const owner = openConsole('/auth/setup?tab=keys', keyWorld().world)
  const part = within(await screen.findByRole('region', { name: 'Publishable key' }))
  expect(part.getByText(/The setting publishable_key has it/)).toBeTruthy()
  expect(part.queryByRole('button', { name: 'Rotate' })).toBeNull()
  owner.close()
  openConsole('/auth/setup?tab=keys', keyWorld('developer').world)
  const secret = within(await screen.findByRole('region', { name: 'Secret key' }))
  expect(secret.getByText(/last used/)).toBeTruthy()
  expect(secret.queryByRole('button', { name: /Rotate|Revoke/ })).toBeNull()
})

test('each secret says where it comes from and when it was renewed; those of settings are read again', async () => {
  openConsole('/auth/setup?tab=keys', keyWorld().world)
  const part = within(await screen.findByRole('region', { name: 'Secrets of settings' }))
  const [mail, metrics] = part.getAllByRole('listitem').map((item) => item.textContent)
  expect(mail).toMatch(/\[mail\] smtp_pass.*file.*CLEW_MAIL_SMTP_PASS_FILE, taken/)
  expect(metrics).toMatch(/metrics_token.*environment.*CLEW_METRICS_TOKEN, not changed while running/)
  await userEvent.click(part.getByRole('button', { name: 'Read again' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Read the secrets of settings again?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Read again' }))
  await prove()
  const told = await part.findByRole('status')
  expect(told.textContent).toMatch(/smtp_pass taken.*database_url needs a start: Another server.*next start on: port/)
})

test('an owner makes an ingest token anew and revokes the one before it; what is pinned has no button', async () => {
  const { world, sent } = keyWorld()
  openConsole('/auth/setup?tab=keys', world)
  const token = within(await screen.findByRole('region', { name: 'Ingest token' }))
  expect(token.getByText('phc_test')).toBeTruthy()
  await userEvent.click(token.getByRole('button', { name: 'Rotate' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Make a new ingest token?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Rotate' }))
  await prove()
  await expect.poll(() => sent).toEqual([{ name: 'ingest token' }])
  await userEvent.click(token.getByRole('button', { name: 'Revoke' }))
  const sure = within(await screen.findByRole('dialog', { name: 'Revoke the earlier ingest token?' }))
  await userEvent.click(sure.getByRole('button', { name: 'Revoke' }))
  await expect.poll(() => sent).toHaveLength(2)
  const password = within(screen.getByRole('region', { name: 'Database password' }))
  expect(password.getByText(/The setting database_url has it/)).toBeTruthy()
  expect(password.queryByRole('button')).toBeNull()
})

test('an owner sees what is under each root key, and retires an earlier one with words on what ends', async () => {
  const { world, sent } = keyWorld()
  openConsole('/auth/setup?tab=keys', world)
  const part = within(await screen.findByRole('region', { name: 'Root key' }))
  await part.findByText('aaaaaaaaaaaaaaaa')
  expect(part.getByText('access tokens: 1,200, until they are used')).toBeTruthy()
  const [first, second] = part.getAllByRole('button', { name: 'Retire' })
  if (first === undefined || second === undefined) throw new Error('Two earlier keys can be retired.')
  await userEvent.click(first)
  const asked = within(await screen.findByRole('dialog', { name: 'Retire the root key bbbbbbbbbbbbbbbb?' }))
  expect(asked.getByText(/has not been used since ends: access tokens: 1,200/)).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Retire' }))
  await prove()
  await expect.poll(() => sent).toEqual(['/console/api/secrets/root-keys/bbbbbbbbbbbbbbbb?ends=true'])
  await userEvent.click(second)
  const again = within(await screen.findByRole('dialog', { name: 'Retire the root key cccccccccccccccc?' }))
  expect(again.getByText(/Nothing needs it any more/)).toBeTruthy()
  await userEvent.click(again.getByRole('button', { name: 'Retire' }))
  await expect.poll(() => sent.at(-1)).toBe('/console/api/secrets/root-keys/cccccccccccccccc?ends=false')
})

test('a root key that a rotation has left, and what no root key opens, are told', async () => {
  const unfinished = [...rootKeys, { id: 'dddddddddddddddd', isCurrent: false, replacedAt: null, contents: [] }]
  const lost = [{ name: 'keys of exports', count: 1100 }]
  const { world } = keyWorld()
  openConsole('/auth/setup?tab=keys', {
    ...world,
    '/console/api/secrets/root-keys': { get: { rootKeys: unfinished, lost } },
  })
  const part = within(await screen.findByRole('region', { name: 'Root key' }))
  const next = (await part.findByText('dddddddddddddddd')).closest('li')
  expect(within(next ?? document.body).getByText('next')).toBeTruthy()
  expect(part.getByText('keys of exports: 1,100')).toBeTruthy()
  expect(part.getAllByRole('button', { name: 'Retire' })).toHaveLength(2)
})

test('a developer sees secrets and renews none', async () => {
  openConsole('/auth/setup?tab=keys', keyWorld('developer').world)
  for (const name of ['Ingest token', 'Root key', 'Secrets of settings']) {
    const part = within(await screen.findByRole('region', { name }))
    expect(part.queryByRole('button', { name: /Rotate|Revoke|Retire|Read/ })).toBeNull()
  }
})
