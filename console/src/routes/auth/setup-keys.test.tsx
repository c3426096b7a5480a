import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { authAnswers, rootKeys } from '../../../test/answers/auth-setup.ts'
import { access, operator } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

/** Keys of the API that an owner sees; a change needs a proof first. */
function keyWorld(role: 'owner' | 'developer' = 'owner') {
  const sent: unknown[] = []
  let isProven = false
  const proven = (perform: () => Response): Response =>
    isProven ? perform() : refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Confirm it is you.')()
  const world: Answers = {
    ...authAnswers,
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
