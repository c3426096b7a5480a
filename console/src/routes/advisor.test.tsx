import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../test/console.tsx'
import type { Advice } from '../lib/api/schemas.ts'

const words = { title: 'A table has no primary key', remedy: 'Add one.' }
const keyless: Advice = {
  ...{ ...words, name: 'no_primary_key', object: 'keyless', kind: 'performance', level: 'info', ignored: null },
  fix: 'alter table public.keyless add primary key (id);',
}
const open: Advice = {
  ...{ name: 'rls_disabled_in_public', object: 'open', title: 'A table has no row level security' },
  ...{ remedy: 'Enable it.', kind: 'security', level: 'error', ignored: null, fix: null },
}
const ignored: Advice = {
  ...{ ...keyless, object: 'log' },
  ignored: { reason: 'It is a log.', by: 'olga@example.test', at: '2026-01-02T03:04:05.000Z' },
}

const withAdvice = (...advice: Advice[]): Answers => ({ ...signedIn, '/console/api/advisor': { get: { advice } } })

test('findings stand by what they are, with their SQL; what is ignored stands apart with its reason', async () => {
  const { at } = openConsole('/advisor', withAdvice(open, keyless, ignored))
  const list = within(await screen.findByRole('list', { name: 'A table has no primary key' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('alter table public.keyless'),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'security 1' }))
  await expect.poll(at).toBe('/advisor?kind=security')
  expect(screen.queryByRole('list', { name: 'A table has no primary key' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'security 1' }))
  await userEvent.click(screen.getByRole('button', { name: 'ignored 1' }))
  await expect.poll(at).toBe('/advisor?ignored=true')
  expect(screen.getByRole('list', { name: 'A table has no primary key' }).textContent).toContain(
    'It is a log. – olga@example.test',
  )
})

test('a finding is ignored for a reason only, and shown again', async () => {
  const bodies: unknown[] = []
  const { asked } = openConsole('/advisor', {
    ...withAdvice(keyless, ignored),
    '/console/api/advisor/ignored': {
      put: async (request) => {
        bodies.push(await request.json())
        return new Response(null, { status: 204 })
      },
      delete: () => new Response(null, { status: 204 }),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Ignore keyless' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ignore a finding' }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Ignore' }).disabled).toBe(true)
  await userEvent.type(dialog.getByLabelText('Reason'), 'It is a log.')
  await userEvent.click(dialog.getByRole('button', { name: 'Ignore' }))
  await expect.poll(() => bodies).toEqual([{ name: 'no_primary_key', object: 'keyless', reason: 'It is a log.' }])
  await userEvent.click(screen.getByRole('button', { name: 'ignored 1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show log again' }))
  await expect.poll(() => asked).toContain('DELETE /advisor/ignored?name=no_primary_key&object=log')
})

test('a sound database says so, and one who may not see it is told', async () => {
  const { close } = openConsole('/advisor', withAdvice())
  await screen.findByText('Nothing to fix.')
  close()
  const refused = refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.')
  openConsole('/advisor', { ...signedIn, '/console/api/advisor': { get: refused } })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})
