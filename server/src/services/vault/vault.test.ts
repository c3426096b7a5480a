import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { vaultRoutes } from './routes.ts'
import { createVault } from './vault.ts'

async function open(db: TestDatabase, role: 'owner' | 'developer' | 'analyst' = 'owner') {
  const { actions, log } = recordedActions(role)
  return { log, call: await consoleApp(vaultRoutes(createVault({ reader: db.reader, owner: db.owner }), actions)) }
}

const withVault = (db: TestDatabase): Promise<void> =>
  db.load('create extension if not exists supabase_vault with schema vault')

test('a secret is stored, listed without its value, changed, read and deleted', async ({ db }) => {
  await withVault(db)
  const { call, log } = await open(db)
  const { id } = (await call('POST', '/vault', { name: 'stripe', description: 'Live', secret: 'sk_live_1' })).body
  const listed = await call('GET', '/vault')
  expect(listed.body).toMatchObject({ installed: true, secrets: [{ id, name: 'stripe', description: 'Live' }] })
  expect(JSON.stringify(listed.body)).not.toContain('sk_live')
  expect((await call('POST', `/vault/${id}/reveal`)).body).toEqual({ secret: 'sk_live_1' })
  expect((await call('PATCH', `/vault/${id}`, { description: 'Test', secret: 'sk_test_2' })).status).toBe(204)
  expect((await call('POST', `/vault/${id}/reveal`)).body).toEqual({ secret: 'sk_test_2' })
  expect((await call('GET', '/vault')).body.secrets).toMatchObject([{ name: 'stripe', description: 'Test' }])
  expect((await call('DELETE', `/vault/${id}`)).status).toBe(204)
  expect((await call('GET', '/vault')).body.secrets).toEqual([])
  for (const path of [`/vault/${id}/reveal`]) expect((await call('POST', path)).body.code).toBe('CLEW_VAULT_NOT_FOUND')
  expect(log).toEqual([
    { name: 'secret.create', target: 'secret stripe' },
    { name: 'secret.reveal', target: 'secret stripe' },
    { name: 'secret.change', target: 'secret stripe' },
    { name: 'secret.reveal', target: 'secret stripe' },
    { name: 'secret.delete', target: 'secret stripe' },
  ])
  expect(JSON.stringify(log)).not.toContain('sk_')
})

test('two secrets have not one name', async ({ db }) => {
  await withVault(db)
  const { call } = await open(db)
  const secret = { name: 'one', description: '', secret: 's' }
  await call('POST', '/vault', secret)
  expect((await call('POST', '/vault', secret)).body.code).toBe('CLEW_VAULT_NAME_TAKEN')
  const { id } = (await call('POST', '/vault', { ...secret, name: 'two' })).body
  expect((await call('PATCH', `/vault/${id}`, { name: 'one' })).body.code).toBe('CLEW_VAULT_NAME_TAKEN')
  const first = (await call('GET', '/vault?limit=1')).body
  expect((await call('GET', `/vault?after=${first.next}`)).body).toMatchObject({
    secrets: [{ name: 'two' }],
    next: null,
  })
})

test('developers change secrets and read none, analysts see nothing', async ({ db }) => {
  await withVault(db)
  const { call, log } = await open(db, 'developer')
  const { id } = (await call('POST', '/vault', { name: 'one', description: '', secret: 's' })).body
  expect((await call('POST', `/vault/${id}/reveal`)).status).toBe(403)
  expect(log.map(({ name }) => name)).toEqual(['secret.create'])
  const analyst = await open(db, 'analyst')
  expect((await analyst.call('GET', '/vault')).status).toBe(403)
  expect((await analyst.call('DELETE', `/vault/${id}`)).status).toBe(403)
})

test('without the extension the answer says so', async ({ db }) => {
  await db.load('drop extension if exists supabase_vault')
  const { call } = await open(db)
  expect((await call('GET', '/vault')).body).toEqual({ installed: false, secrets: [], next: null })
})
