import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { authAnswers, authSetup } from '../../../test/answers/auth-setup.ts'
import { openConsole, refuse } from '../../../test/console.tsx'

test('a provider that is on and not ready says so, its redirect address and the lines that switch it on', async () => {
  openConsole('/auth/setup', authAnswers)
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
  const addresses = openConsole('/auth/setup?tab=addresses', authAnswers)
  await userEvent.type(await screen.findByLabelText('Address'), 'https://evil.test{Enter}')
  await screen.findByText('Not allowed.')
  expect(screen.getByText('https://shop.test')).toBeTruthy()
  addresses.close()
  const mails = openConsole('/auth/setup?tab=mails&open=recovery', authAnswers)
  await screen.findByText('Reset your password')
  expect(screen.getByTitle('How the mail looks').getAttribute('sandbox')).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Send me a test' }))
  await screen.findByText('Sent to olga@example.test')
  expect(mails.asked).toContain('POST /auth/setup/mails/recovery/test')
})

test('a setting is found by words, and a secret one is never shown', async () => {
  const { at } = openConsole('/auth/setup?tab=settings', authAnswers)
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
    ...authAnswers,
    '/console/api/auth/setup': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})

/**
 * Opens the form of an address that is https://shop.test.
 *
 * @param waiting what waits for a restart once something was saved
 * @param put     answers to what is saved, by how often that was done
 */
async function openSiteUrl(waiting: string, put: (times: number) => Response) {
  const sent: unknown[] = []
  const [site] = authSetup.settings
  if (site === undefined) throw new Error('There is no setting.')
  openConsole('/auth/setup?tab=settings&open=site_url', {
    ...authAnswers,
    '/console/api/auth/setup': {
      get: () =>
        Response.json({ ...authSetup, settings: [{ ...site, waiting: sent.length === 0 ? null : `"${waiting}"` }] }),
    },
    '/console/api/auth/setup/settings/{name}': {
      put: async (request) => {
        sent.push(await request.json())
        return put(sent.length)
      },
    },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'site_url' }))
  const value = drawer.getByLabelText<HTMLInputElement>('Value')
  const save = () => userEvent.click(drawer.getByRole('button', { name: 'Save' }))
  await userEvent.clear(value)
  return { sent, drawer, value, save }
}

const isSaved = () => new Response(null, { status: 204 })

test('a setting is changed in its form, and says that it waits for a restart', async () => {
  const { sent, drawer, value, save } = await openSiteUrl('https://new.test', isSaved)
  await userEvent.type(value, 'https://new.test')
  await save()
  await drawer.findByText('"https://new.test"')
  expect(sent).toEqual([{ value: 'https://new.test', replaces: '"https://shop.test"' }])
  expect(drawer.queryByText(/meanwhile/)).toBeNull()
})

test('a setting that another operator has changed is not replaced unseen', async () => {
  const refused = refuse(409, 'CLEW_AUTH_SETTING_CHANGED', 'bob@x.test changed the setting meanwhile.')
  const { sent, drawer, value, save } = await openSiteUrl('https://bob.test', (times) =>
    times > 1 ? isSaved() : refused(),
  )
  await userEvent.type(value, 'https://ann.test')
  await save()
  expect((await drawer.findByRole('alert')).textContent).toBe('bob@x.test changed the setting meanwhile.')
  expect((await drawer.findByText(/It was changed meanwhile/)).textContent).toBe(
    'It was changed meanwhile, to https://bob.test: saving replaces that.',
  )
  expect(value.value).toBe('https://ann.test')
  await save()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toEqual({ value: 'https://ann.test', replaces: '"https://bob.test"' })
})
