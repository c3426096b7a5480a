import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { access, operator, signedIn } from '../../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../../test/console.tsx'
import type { Erasure, ErasurePreview } from '../../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const id = '7b0c1a7e-1f2e-4c53-9d5e-0a1b2c3d4e5f'
const preview: ErasurePreview = {
  ...{ personId: 'p1', userId: id, hasAccount: true, ids: 3 },
  texts: [
    { text: 'Ada Lovelace', isTelling: true },
    { text: 'ada@example.test', isTelling: true },
    { text: 'Countess', isTelling: false },
  ],
  counts: [
    { store: 'events', rows: 1204 },
    { store: 'mails', rows: 0 },
  ],
  tables: [
    {
      schema: 'public',
      table: 'orders',
      column: 'user_id',
      rows: 3,
      onDelete: 'kept from being deleted',
      canBeEmptied: true,
    },
    { schema: 'public', table: 'profiles', column: 'id', rows: 1, onDelete: 'deleted', canBeEmptied: false },
  ],
  backups: { count: 2, until: at },
  holds: [],
}
const running: Erasure = {
  ...{ id: 'e1f2a3b4', createdAt: at, createdBy: 'olga@example.test', refuses: false, state: 'running', stepsDone: 4 },
  ...{ steps: 45, store: 'history of rows', counts: [], stores: [{ store: 'events', removed: 1204, rewritten: 2 }] },
  ...{ tables: [], left: null, backups: null, endedAt: null, error: null },
}
const done: Erasure = {
  ...{ ...running, id: 'd0d0d0d0', state: 'done', stepsDone: 45, store: null, endedAt: at },
  tables: [{ table: 'public.orders', column: 'user_id', action: 'delete', rows: 3 }],
  left: [{ table: 'public.notes', rows: 1 }],
  backups: { count: 2, until: at },
}
const sent: unknown[] = []
const checked: unknown[] = []
let isProven = false
const answers: Answers = {
  ...signedIn,
  '/console/api/access': { get: access },
  '/console/api/access/proof': {
    post: () => {
      isProven = true
      return new Response(null, { status: 204 })
    },
  },
  '/console/api/privacy/preview': { get: preview },
  '/console/api/privacy/erasures/check': {
    post: async (request) => {
      const body = await request.json()
      checked.push(body.tables)
      const isKept = !body.tables.some((rows: { table: string }) => rows.table === 'orders')
      const refusal = {
        message: 'violates foreign key constraint "orders_user_id_fkey"',
        detail: null,
        table: 'orders',
      }
      return Response.json({ refusal: isKept ? refusal : null })
    },
  },
  '/console/api/privacy/erasures': {
    get: { erasures: [running, done] },
    post: async (request) => {
      if (!isProven) return refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Confirm it is you.')()
      sent.push(await request.json())
      return Response.json(running, { status: 202 })
    },
  },
}

test('an owner sees what is kept, chooses what becomes of rows, and begins with a name and a proof', async () => {
  const { at: place } = openConsole(`/settings/privacy/erase?kind=user&id=${id}`, answers)
  await screen.findByText('1,204')
  expect(screen.queryByText('mails')).toBeNull()
  await screen.findByText('possible')
  const orders = screen.getByRole('combobox', { name: 'What becomes of public.orders.user_id' })
  await userEvent.selectOptions(orders, 'key')
  await screen.findByText(/violates foreign key/)
  const erase = screen.getByRole('button', { name: 'Erase everything' })
  await userEvent.type(screen.getByLabelText('Type ada@example.test to confirm'), 'ada@example.test')
  expect(erase.hasAttribute('disabled')).toBe(true)
  await userEvent.selectOptions(orders, 'set null')
  await screen.findByText('possible')
  await userEvent.click(screen.getByRole('checkbox', { name: /Countess/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ada Lovelace' }))
  await userEvent.click(screen.getByRole('checkbox', { name: /Refuse for the future/ }))
  await userEvent.click(erase)
  await userEvent.type(await screen.findByLabelText('Password'), 'secret{Enter}')
  await expect
    .poll(() => sent)
    .toEqual([
      {
        ...{ kind: 'user', id, texts: ['ada@example.test', 'Countess'], refuse: true },
        tables: [{ schema: 'public', table: 'orders', column: 'user_id', action: 'set null' }],
      },
    ])
  await expect.poll(place).toContain('/settings/privacy/erasures?open=e1f2a3b4')
  expect((await screen.findAllByText('4 of 45 steps')).length).toBeGreaterThan(0)
  expect(screen.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('4')
  screen.getByText(/At work on history of rows/)
})

test('a person’s data are exported from where they are erased', async () => {
  openConsole(`/settings/privacy/erase?kind=user&id=${id}`, answers)
  const link = await screen.findByRole('link', { name: 'Export their data' })
  expect(link.getAttribute('href')).toBe(`/console/api/privacy/export?kind=user&id=${id}`)
})

test('a developer is told who erases people, and nothing is asked', async () => {
  const { asked } = openConsole(`/settings/privacy/erase?kind=user&id=${id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
  })
  await screen.findByText('Owners erase people.')
  expect(asked.some((request) => request.includes('/privacy/preview'))).toBe(false)
})

test('an address that names no person leads to those who can be erased, and nothing is asked', async () => {
  const { asked } = openConsole('/settings/privacy/erase', answers)
  await screen.findByText('Whose data is erased?')
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'People' }).getAttribute('href')).toBe('/console/people')
  expect(main.getByRole('link', { name: 'Users' }).getAttribute('href')).toBe('/console/users')
  expect(asked.some((request) => request.includes('/privacy/preview'))).toBe(false)
})

test('a person who is not known is said to be so', async () => {
  openConsole(`/settings/privacy/erase?kind=user&id=${id}`, {
    ...answers,
    '/console/api/privacy/preview': { get: refuse(404, 'CLEW_PRIVACY_PERSON_NOT_FOUND', 'There is no such person.') },
  })
  await screen.findByText('There is no such person.')
})

test('an erasure that is done tells what went, what is left, and gives its certificate', async () => {
  openConsole('/settings/privacy/erasures?open=d0d0d0d0', answers)
  const drawer = within(await screen.findByRole('dialog', { name: 'Erasure d0d0d0d0' }))
  expect((await drawer.findByRole('link', { name: 'Certificate' })).getAttribute('href')).toBe(
    '/console/api/privacy/erasures/d0d0d0d0/certificate',
  )
  drawer.getByText('public.notes')
  const cells = drawer.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells).toEqual(['public.orders.user_id', '3', '', 'events', '1,204', '2'])
})

test.for([
  ['good', /This instance signed it/],
  ['changed', /changed after it was signed/],
  ['not a certificate', /no certificate of an erasure/],
] as const)('a certificate that is %s is told to be so', async ([outcome, text]) => {
  const files: unknown[] = []
  openConsole('/settings/privacy/erasures', {
    ...answers,
    '/console/api/privacy/certificates/verify': {
      post: async (request) => {
        files.push(await request.json())
        return Response.json({ outcome, id: null, completedAt: null })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Verify a certificate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify a certificate' }))
  // jsdom's files cannot be read.
  const file = Object.assign(new File([''], 'erasure.json'), { text: async () => '{"a":1}' })
  await userEvent.upload(dialog.getByLabelText(/Certificate/), file)
  await dialog.findByText(text)
  expect(files).toEqual([{ certificate: { a: 1 } }])
})

test('before the first erasure the page says how one begins; a failure is said', async () => {
  const empty = openConsole('/settings/privacy/erasures', {
    ...answers,
    '/console/api/privacy/erasures': { get: { erasures: [] } },
  })
  await screen.findByText('No person was erased yet.')
  empty.close()
  openConsole('/settings/privacy/erasures', {
    ...answers,
    '/console/api/privacy/erasures': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})

test('an open hold is told, and nothing is erased meanwhile', async () => {
  openConsole(`/settings/privacy/erase?kind=user&id=${id}`, {
    ...answers,
    '/console/api/privacy/preview': {
      get: { ...preview, hasAccount: false, holds: [{ id, reason: 'Claim 12', until: at }] },
    },
  })
  const held = within(await screen.findByRole('region', { name: 'Held' }))
  expect(held.getByText(/Claim 12/)).toBeTruthy()
  expect(held.getByRole('link', { name: 'All holds' }).getAttribute('href')).toBe('/console/settings/disk')
  await userEvent.type(screen.getByRole('textbox', { name: /to confirm/ }), 'ada@example.test')
  expect(screen.getByRole('button', { name: 'Erase everything' }).hasAttribute('disabled')).toBe(true)
})
