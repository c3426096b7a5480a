import { expect, test } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { type MigrationFacts, migrationRoutes } from './routes.ts'

const file = (version: string, text: string) => ({ path: `supabase/migrations/${version}_a.sql`, name: 'a', text })
const facts: readonly MigrationFacts[] = [
  {
    version: '1',
    state: 'missing',
    local: null,
    applied: { name: 'old', statements: ['select 1', 'select 2'] },
    failure: null,
  },
  {
    version: '2',
    state: 'changed',
    local: file('2', 'select 3;'),
    applied: { name: 'a', statements: ['select 4'] },
    failure: null,
  },
  {
    ...{ version: '3', state: 'failed', local: file('3', 'select x;'), applied: null },
    failure: { path: 'a.sql', place: '1:8', statement: 'select x', reason: 'no column x', failedAt: new Date(0) },
  },
]

const open = (role: 'owner' | 'analyst' | 'viewer') =>
  consoleApp(migrationRoutes({ folder: '/srv/app', read: async () => facts }, recordedActions(role).actions))

test('migrations are listed from the newest on; one shows its file and what ran', async () => {
  const call = await open('owner')
  expect((await call('GET', '/migrations')).body).toEqual({
    folder: '/srv/app',
    migrations: [
      { version: '3', name: 'a', state: 'failed', path: 'supabase/migrations/3_a.sql' },
      { version: '2', name: 'a', state: 'changed', path: 'supabase/migrations/2_a.sql' },
      { version: '1', name: 'old', state: 'missing', path: null },
    ],
  })
  expect((await call('GET', '/migrations/1')).body).toMatchObject({
    fileText: null,
    appliedText: 'select 1;\n\nselect 2;',
  })
  expect((await call('GET', '/migrations/2')).body).toMatchObject({
    fileText: 'select 3;',
    appliedText: 'select 4;',
    failure: null,
  })
  expect((await call('GET', '/migrations/3')).body).toMatchObject({
    fileText: 'select x;',
    appliedText: null,
    failure: {
      path: 'a.sql',
      place: '1:8',
      statement: 'select x',
      reason: 'no column x',
      at: '1970-01-01T00:00:00.000Z',
    },
  })
  expect((await call('GET', '/migrations/9')).body.code).toBe('CLEW_MIGRATIONS_NOT_FOUND')
})

test('analysts see the list and no SQL, viewers nothing', async () => {
  const analyst = await open('analyst')
  expect((await analyst('GET', '/migrations')).status).toBe(200)
  expect((await analyst('GET', '/migrations/1')).status).toBe(403)
  expect((await (await open('viewer'))('GET', '/migrations')).status).toBe(403)
})
