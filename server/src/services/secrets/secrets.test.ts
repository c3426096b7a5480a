import { expect, test } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import type { MadeSecretName } from '../../ground/jwt/rotation.ts'
import { secretsRoutes } from './routes.ts'

const at = new Date('2026-01-02T03:04:05.000Z')
const id = '0123456789abcdef'

async function open(role: OperatorRole = 'owner', pinned: string | null = null) {
  const { actions, log } = recordedActions(role)
  const made: MadeSecretName[] = []
  const earlier = [{ id, replacedAt: at }]
  const call = await consoleApp(
    secretsRoutes({
      configured: () => [{ name: '[mail] smtp_pass', source: 'file', from: 'CLEW_MAIL_SMTP_PASS_FILE' }],
      reload: async (by) => ({
        secrets: [{ name: `[mail] smtp_pass by ${by}`, outcome: 'taken', problem: null }],
        problems: [],
        others: ['port'],
      }),
      rotation: {
        pinnedSecret: () => pinned,
        secret: async (name) => void made.push(name),
        earlierIngestTokens: async () => earlier,
        earlierRoots: async () => [],
        retireRoot: async () => false,
        revoke: async () => earlier.splice(0).length > 0,
      },
      ingestToken: () => 'phc_now',
      lastDone: async (action) => new Map(action === 'secret.reload' ? [['[mail] smtp_pass', at]] : []),
      actions,
    }),
  )
  return { call, log, made }
}

test('each secret is shown with where it comes from and when it was renewed', async () => {
  const { call } = await open('developer')
  expect((await call('GET', '/secrets')).body).toEqual({
    configured: [
      {
        ...{ name: '[mail] smtp_pass', source: 'file', from: 'CLEW_MAIL_SMTP_PASS_FILE' },
        lastTakenAt: at.toISOString(),
      },
    ],
    made: ['ingest token', 'database password', 'root key'].map((name) => ({
      name,
      lastRotatedAt: null,
      pinned: null,
    })),
    ingestToken: 'phc_now',
    earlierIngestTokens: [{ id, replacedAt: at.toISOString() }],
  })
})

test('owners read secrets again, make them anew and revoke, and the audit log says so', async () => {
  const { call, log, made } = await open()
  expect((await call('POST', '/secrets/reload')).body).toMatchObject({
    secrets: [{ outcome: 'taken' }],
    others: ['port'],
  })
  expect((await call('POST', '/secrets/rotation', { name: 'database password' })).status).toBe(204)
  expect(made).toEqual(['database password'])
  expect((await call('DELETE', `/secrets/ingest-tokens/${id}`)).status).toBe(204)
  expect((await call('DELETE', `/secrets/ingest-tokens/${id}`)).body.code).toBe('CLEW_SECRETS_NOT_FOUND')
  expect(log.map(({ name, target }) => `${name} ${target}`)).toEqual([
    'secrets.reload settings',
    'secret.rotate database password',
    `secret.revoke ingest token ${id}`,
    `secret.revoke ingest token ${id}`,
  ])
})

test('what is pinned is not made here', async () => {
  const { call, made } = await open('owner', 'That of local mode is the published one.')
  expect((await call('POST', '/secrets/rotation', { name: 'ingest token' })).body).toEqual({
    code: 'CLEW_SECRETS_PINNED',
    message: 'That of local mode is the published one.',
  })
  expect(made).toEqual([])
})

test.each([
  ['developer', 'GET', '/secrets', 200],
  ['analyst', 'GET', '/secrets', 403],
  ['developer', 'POST', '/secrets/reload', 403],
  ['developer', 'POST', '/secrets/rotation', 403],
  ['developer', 'DELETE', `/secrets/ingest-tokens/${id}`, 403],
] as const)('a %s is answered to %s %s by %s', async (role, method, path, status) => {
  const { call } = await open(role)
  expect((await call(method, path, { name: 'ingest token' })).status).toBe(status)
})
