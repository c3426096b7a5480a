import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { OperatorAction } from '../../lib/api/schemas.ts'

const action: OperatorAction = {
  id: '01a203d8-0000-7000-8000-0000000000b1',
  at: '2026-01-02T03:04:05.000Z',
  operator: operator.email,
  address: '127.0.0.1',
  action: 'bucket.delete',
  target: 'bucket photos',
  outcome: 'failed',
  problem: 'ResourceNotEmpty',
  kind: 'change',
}
const answersWith = (actions: OperatorAction[]): Answers => ({
  ...signedIn,
  '/console/api/actions': { get: { actions, next: null } },
  '/console/api/actions/names': { get: { operators: [operator.email], actions: ['bucket.delete', 'job.run'] } },
})

test('the log is narrowed by operator and action, which stand in the address; an entry opens', async () => {
  const { at, asked } = openConsole('/audit', answersWith([action]))
  const table = within(await screen.findByRole('table', { name: 'Actions' }))
  expect(table.getByText('ResourceNotEmpty')).toBeTruthy()
  await screen.findByRole('option', { name: 'job.run' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'operator' }), operator.email)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'action' }), 'bucket.delete')
  await expect.poll(at).toBe('/audit?operator=olga%40example.test&action=bucket.delete')
  expect(asked).toContain('GET /actions?operator=olga%40example.test&action=bucket.delete&limit=100')
  await userEvent.click(await screen.findByText('bucket photos'))
  expect(within(await screen.findByRole('dialog', { name: 'bucket.delete' })).getByText('127.0.0.1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await expect.poll(at).toBe('/audit?operator=olga%40example.test&action=bucket.delete')
})

test('no entry says what will appear; a filter without one shows the way back', async () => {
  const { at, close } = openConsole('/audit?action=job.run', answersWith([]))
  await userEvent.click(await screen.findByRole('button', { name: 'Show all actions' }))
  await expect.poll(at).toBe('/audit')
  await screen.findByRole('heading', { name: 'Nothing was done yet.' })
  close()
})

test('only owners read it', async () => {
  openConsole('/audit', {
    ...answersWith([]),
    '/console/api/actions': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})

test('looks are told from changes, and what was about a person is by itself', async () => {
  const look: OperatorAction = {
    ...action,
    ...{ id: '01a203d8-0000-7000-8000-0000000000b2', action: 'person.open', target: 'person p1', kind: 'look' },
    ...{ outcome: 'succeeded', problem: null },
  }
  const person = '01a203d8-0000-7000-8000-0000000000aa'
  const { at, asked } = openConsole(`/audit?about=${person}`, answersWith([look]))
  await screen.findByText('person p1')
  expect(asked).toContain(`GET /actions?about=${person}&limit=100`)
  await userEvent.click(screen.getByRole('button', { name: 'Looks' }))
  await expect.poll(at).toBe(`/audit?about=${person}&kind=look`)
  await userEvent.click(screen.getByRole('button', { name: 'about the person 01a203d8' }))
  await expect.poll(at).toBe('/audit?kind=look')
})
