import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { secret } from '../../../test/answers/database.ts'
import { access, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/access': { get: access },
  '/console/api/vault': {
    get: { installed: true, secrets: [secret], next: null },
    post: () => Response.json({ id: 's2' }, { status: 201 }),
  },
  '/console/api/vault/{id}': { patch: null, delete: null },
}

test('a value is shown only when it is asked for and the owner’s identity is confirmed', async () => {
  let isProven = false
  openConsole(`/vault?open=${secret.id}`, {
    ...answers,
    '/console/api/vault/{id}/reveal': {
      post: () =>
        isProven
          ? Response.json({ secret: 'sk_live_1' })
          : refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Confirm your identity.')(),
    },
    '/console/api/access/proof': {
      post: () => {
        isProven = true
        return new Response(null, { status: 204 })
      },
    },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'stripe_key' }))
  await userEvent.click(await drawer.findByRole('button', { name: 'Reveal' }))
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  await userEvent.type(proof.getByLabelText('Password'), 'a long and calm password{Enter}')
  await screen.findByText('sk_live_1')
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
  await expect.poll(() => screen.queryByText('sk_live_1')).toBeNull()
})

test('a secret is stored', async () => {
  const { asked } = openConsole('/vault', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'New secret' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New secret' }))
  await userEvent.type(dialog.getByLabelText('Name'), 'mail_key')
  await userEvent.type(dialog.getByLabelText('Value'), 'v')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(() => asked).toContain('POST /vault')
})

test('a secret is deleted only when its name is typed', async () => {
  const { asked, at } = openConsole(`/vault?open=${secret.id}`, answers)
  const drawer = within(await screen.findByRole('dialog', { name: 'stripe_key' }))
  await userEvent.click(await drawer.findByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the secret?' }))
  const remove = dialog.getByRole('button', { name: 'Delete' })
  expect(remove.hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByLabelText('Type stripe_key to confirm'), 'stripe_key')
  await userEvent.click(remove)
  await expect.poll(() => asked).toContain(`DELETE /vault/${secret.id}`)
  await expect.poll(at).toBe('/vault')
})

test('a developer reads no value; what is missing or empty says how it comes', async () => {
  const developer = openConsole(`/vault?open=${secret.id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'stripe_key' }))
  await drawer.findByRole('button', { name: 'Change' })
  expect(drawer.queryByRole('button', { name: 'Reveal' })).toBeNull()
  developer.close()
  const missing = openConsole('/vault', {
    ...answers,
    '/console/api/vault': { get: { installed: false, secrets: [], next: null } },
  })
  await screen.findByRole('heading', { name: 'The extension supabase_vault is not created yet.' })
  missing.close()
  openConsole('/vault', { ...answers, '/console/api/vault': { get: { installed: true, secrets: [], next: null } } })
  await screen.findByRole('heading', { name: 'No secrets yet.' })
})
