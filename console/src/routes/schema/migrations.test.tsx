import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const migration = { version: '20260101', name: 'orders', state: 'changed' as const, path: 'supabase/migrations/a.sql' }
const answers: Answers = {
  ...signedIn,
  '/console/api/migrations': {
    get: {
      folder: '/srv/app',
      migrations: [
        { version: '20260102', name: 'notes', state: 'pending', path: 'supabase/migrations/b.sql' },
        migration,
      ],
    },
  },
  '/console/api/migrations/{version}': {
    get: { migration, fileText: 'select 2;', appliedText: 'select 1;', failure: null },
  },
}

test('says what is pending and drifted, and how to go on', async () => {
  openConsole('/schema/migrations', answers)
  const steps = within(await screen.findByRole('region', { name: 'To do' }))
  expect(steps.getByText('clew migration up')).toBeTruthy()
  expect(steps.getByText('clew migration list')).toBeTruthy()
})

test('one opens with its file and what ran, under an address that brings it back', async () => {
  const { at } = openConsole('/schema/migrations', answers)
  await userEvent.click(await screen.findByText('orders'))
  await expect.poll(at).toBe('/schema/migrations?open=%2220260101%22')
  const drawer = within(await screen.findByRole('dialog', { name: 'Migration 20260101' }))
  await drawer.findByRole('heading', { name: 'As it ran' })
})

test('a failed one says where, why, and how to go on', async () => {
  const failed = { version: '20260102', name: 'notes', state: 'failed' as const, path: 'supabase/migrations/b.sql' }
  const failure = { path: failed.path, place: '2:8', statement: 'select x', reason: 'no x', at: '2026-01-02T00:00:00Z' }
  openConsole('/schema/migrations?open=%2220260102%22', {
    ...signedIn,
    '/console/api/migrations': { get: { folder: '/srv/app', migrations: [failed] } },
    '/console/api/migrations/{version}': {
      get: { migration: failed, fileText: 'select 1;', appliedText: null, failure },
    },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'Migration 20260102' }))
  await drawer.findByText('no x')
  expect(drawer.getByText('supabase/migrations/b.sql:2:8')).toBeTruthy()
  expect(await screen.findByText(/1 failed: open it to see where/)).toBeTruthy()
})

test('without migrations the page says how the first is made; a refused list says why', async () => {
  const first = openConsole('/schema/migrations', {
    ...signedIn,
    '/console/api/migrations': { get: { folder: null, migrations: [] } },
  })
  await screen.findByRole('heading', { name: 'No migrations yet.' })
  expect(screen.getByText('clew migration new first_table')).toBeTruthy()
  first.close()
  openConsole('/schema/migrations', {
    ...signedIn,
    '/console/api/migrations': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Not allowed.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.')
})
