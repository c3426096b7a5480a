import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../../test/console.tsx'
import type { Mask, MaskJob, Withdrawal } from '../../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const mask: Mask = { id: 'm1', kind: 'column', label: 'public.users.email', createdAt: at, createdBy: 'ada@x.test' }
const running: MaskJob = {
  ...{ id: '2', label: 'phone', createdBy: 'ada@x.test', state: 'running', part: 0.25, store: 'events' },
  ...{ masked: [], createdAt: at, endedAt: null, error: null },
}
const done: MaskJob = {
  ...{ id: '1', label: 'public.users.email', createdBy: 'ada@x.test', state: 'done', part: 1, store: null },
  masked: [
    { store: 'row changes', rows: 1234 },
    { store: 'requests', rows: 0 },
  ],
  ...{ createdAt: at, endedAt: at, error: null },
}
const withdrawal: Withdrawal = {
  ...{ id: '1', ids: 2, state: 'done', stepsDone: 8, steps: 8 },
  ...{ createdAt: at, endedAt: at, error: null },
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/privacy': { get: { consentRequired: true, masks: [mask], jobs: [running, done] } },
  '/console/api/privacy/withdrawals': { get: { withdrawals: [withdrawal] } },
  '/console/api/privacy/maskable': {
    get: { columns: [{ schema: 'public', table: 'odd.name', column: 'email' }], properties: ['email'] },
  },
  '/console/api/privacy/masks': {
    post: async (request) => {
      sent.push(await request.json())
      return Response.json(mask, { status: 201 })
    },
  },
  '/console/api/privacy/masks/{id}': { delete: null },
}
const empty: Answers = {
  ...answers,
  '/console/api/privacy': { get: { consentRequired: false, masks: [], jobs: [] } },
  '/console/api/privacy/withdrawals': { get: { withdrawals: [] } },
}

test('masks, the progress and the record of their jobs, consent and withdrawals are on one page', async () => {
  openConsole('/settings/privacy', answers)
  const masks = within(await screen.findByRole('list', { name: 'Masks' }))
  expect(masks.getByText('public.users.email')).toBeTruthy()
  const jobs = within(screen.getByRole('list', { name: 'Jobs' }))
  expect(jobs.getByRole('progressbar', { name: 'Progress of phone' }).getAttribute('value')).toBe('0.25')
  expect(jobs.getByText('25 %')).toBeTruthy()
  expect(jobs.getByText(/at work on events/)).toBeTruthy()
  expect(jobs.getByText(/row changes 1,234$/)).toBeTruthy()
  expect(screen.getByText(/nothing is stored of a visitor who has not agreed/)).toBeTruthy()
  await screen.findByText(/2 ids/)
})

test('a column is masked by its offered or its typed name, a property by its own', async () => {
  openConsole('/settings/privacy', answers)
  const add = async (kind: string, label: string, name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'New mask' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New mask' }))
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'What is masked' }), kind)
    await userEvent.type(await dialog.findByLabelText(label), name)
    await userEvent.click(dialog.getByRole('button', { name: 'Mask' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  }
  await add('column', 'Column', 'public.odd.name.email')
  await add('column', 'Column', 'public.users.phone')
  await add('property', 'Property', 'home address')
  expect(sent).toEqual([
    { kind: 'column', schema: 'public', table: 'odd.name', column: 'email' },
    { kind: 'column', schema: 'public', table: 'users', column: 'phone' },
    { kind: 'property', property: 'home address' },
  ])
})

test('what the server refuses to mask is said, and nothing is closed', async () => {
  openConsole('/settings/privacy', {
    ...answers,
    '/console/api/privacy/masks': { post: refuse(409, 'CLEW_PRIVACY_KEY_COLUMN', 'The column is part of the key.') },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New mask' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New mask' }))
  await userEvent.type(dialog.getByLabelText('Column'), 'public.users.id')
  await userEvent.click(dialog.getByRole('button', { name: 'Mask' }))
  await dialog.findByText(/The column is part of the key/)
})

test('a mask is removed once it was said that the past stays masked', async () => {
  const { asked } = openConsole('/settings/privacy', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the mask of public.users.email' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove the mask?' }))
  expect(dialog.getByText(/The past\s+stays masked/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  await expect.poll(() => asked).toContain('DELETE /privacy/masks/m1')
})

test('a developer sees what is masked and changes nothing; who may not look is told', async () => {
  const developer = openConsole('/settings/privacy', {
    ...empty,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
  })
  await screen.findByText(/An owner masks a column or a property/)
  expect(screen.queryByRole('button', { name: 'New mask' })).toBeNull()
  await screen.findByText('No visitor has withdrawn their consent.')
  developer.close()
  openConsole('/settings/privacy', {
    ...empty,
    '/console/api/privacy': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})
