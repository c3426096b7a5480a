import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { type Advice, createAdvisor } from './advisor.ts'
import { advisorTables } from './index.ts'
import { advisorRoutes } from './routes.ts'

const key = { name: 'no_primary_key', object: 'keyless' }
const words = { title: 'Why.', remedy: 'Fix it.' }
const found: readonly Advice[] = [
  { ...key, ...words, kind: 'performance', level: 'info', fix: 'alter table public.keyless add primary key (id);' },
  { ...words, name: 'rls_disabled_in_public', object: 'keyless', kind: 'security', level: 'error', fix: null },
]

async function open(db: TestDatabase, role: 'developer' | 'analyst' = 'developer') {
  await db.migrate('advisor', advisorTables.postgres)
  const advisor = createAdvisor({
    sql: db.admin,
    findings: async () => found,
    now: () => new Date('2026-01-02T03:04:05Z'),
  })
  const { actions, log } = recordedActions(role)
  return { ask: await consoleApp(advisorRoutes(advisor, actions)), log }
}

test('advice comes with its SQL, the worst first; what is ignored says why, until it is heeded again', async ({
  db,
}) => {
  const { ask, log } = await open(db)
  const look = async () =>
    ((await ask('GET', '/advisor')).body as { advice: { name: string; ignored: unknown }[] }).advice
  const [first, second] = await look()
  expect([first, second]).toMatchObject([
    { name: 'rls_disabled_in_public', level: 'error', fix: null },
    { ...key, level: 'info', ignored: null, fix: found[0]?.fix },
  ])
  expect((await ask('PUT', '/advisor/ignored', { ...key, reason: ' a log ' })).status).toBe(204)
  expect((await look())[1]?.ignored).toEqual({ reason: 'a log', by: '', at: '2026-01-02T03:04:05.000Z' })
  await ask('PUT', '/advisor/ignored', { ...key, reason: 'still a log' })
  expect((await look())[1]?.ignored).toMatchObject({ reason: 'still a log' })
  expect((await ask('DELETE', `/advisor/ignored?${new URLSearchParams(key)}`)).status).toBe(204)
  expect((await look())[1]?.ignored).toBeNull()
  expect(log).toEqual([
    { name: 'advice.ignore', target: 'no_primary_key: keyless (a log)' },
    { name: 'advice.ignore', target: 'no_primary_key: keyless (still a log)' },
    { name: 'advice.heed', target: 'no_primary_key: keyless' },
  ])
})

test('only what is found is ignored, and for a reason', async ({ db }) => {
  const { ask } = await open(db)
  expect(await ask('PUT', '/advisor/ignored', { name: key.name, object: 'other', reason: 'why not' })).toMatchObject({
    status: 404,
    body: { code: 'CLEW_ADVISOR_UNKNOWN' },
  })
  expect((await ask('PUT', '/advisor/ignored', { ...key, reason: '  ' })).status).toBe(400)
})

test('analysts are told nothing of the schema', async ({ db }) => {
  const { ask } = await open(db, 'analyst')
  expect((await ask('GET', '/advisor')).status).toBe(403)
  expect((await ask('PUT', '/advisor/ignored', { ...key, reason: 'x' })).status).toBe(403)
  expect((await ask('DELETE', `/advisor/ignored?${new URLSearchParams(key)}`)).status).toBe(403)
})
