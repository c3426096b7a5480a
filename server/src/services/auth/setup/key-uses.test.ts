import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { type ApiKeys, apiKeyId } from '../../../ground/jwt/api-keys.ts'
import { authTables } from '../index.ts'
import { createKeyUses } from './key-uses.ts'

const keys: ApiKeys = {
  ...{ jwtSecret: '', publishableKey: 'sb_publishable_a', secretKey: 'sb_secret_a', earlierKeys: [] },
  ...{ anonKey: 'anon.jwt', serviceRoleKey: 'service.jwt' },
}

test('a key’s last use is kept to the minute, and that of a key before it is not its own', async ({ db }) => {
  await db.migrate('auth', authTables.postgres)
  let now = new Date('2026-01-02T03:04:05Z')
  let writes = 0
  const open = (given: Partial<typeof keys> = {}) =>
    createKeyUses({
      sql: {
        query: (statement) => {
          if (statement.text.includes('insert')) writes += 1
          return db.auth.query(statement)
        },
      },
      keys: { ...keys, ...given },
      now: () => now,
      log: { warn: (_details, message) => expect.unreachable(message) },
    })
  const uses = open()
  expect(await uses.last()).toEqual(new Map())
  uses.note('no key of ours')
  uses.note(keys.secretKey)
  const secret = async () => (await uses.last()).get(apiKeyId(keys.secretKey))?.toISOString()
  await expect.poll(secret).toBe('2026-01-02T03:04:05.000Z')
  now = new Date('2026-01-02T03:05:04Z')
  uses.note(keys.secretKey)
  now = new Date('2026-01-02T03:05:06Z')
  uses.note(keys.secretKey)
  await expect.poll(secret).toBe('2026-01-02T03:05:06.000Z')
  expect(writes).toBe(2)
  const earlier = { name: 'secret', key: keys.secretKey, replacedAt: now } as const
  const next = open({ secretKey: 'sb_secret_b', earlierKeys: [earlier] })
  expect((await next.last()).has(apiKeyId('sb_secret_b'))).toBe(false)
  now = new Date('2026-01-02T03:07:00Z')
  next.note(keys.secretKey)
  await expect.poll(secret).toBe('2026-01-02T03:07:00.000Z')
  // One that is revoked is none of ours any more.
  const revoked = open({ secretKey: 'sb_secret_b' })
  now = new Date('2026-01-02T03:09:00Z')
  revoked.note(keys.secretKey)
  revoked.note('sb_secret_b')
  await expect.poll(async () => (await revoked.last()).has(apiKeyId('sb_secret_b'))).toBe(true)
  expect(await secret()).toBe('2026-01-02T03:07:00.000Z')
})
