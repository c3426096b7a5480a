import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { authTables } from '../index.ts'
import { createKeyUses } from './key-uses.ts'

const keys = { publishable: 'sb_publishable_a', secret: 'sb_secret_a', anon: 'anon.jwt', service_role: 'service.jwt' }

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
  uses.note(keys.secret)
  const secret = async () => (await uses.last()).get('secret')?.toISOString()
  await expect.poll(secret).toBe('2026-01-02T03:04:05.000Z')
  now = new Date('2026-01-02T03:05:04Z')
  uses.note(keys.secret)
  now = new Date('2026-01-02T03:05:06Z')
  uses.note(keys.secret)
  await expect.poll(secret).toBe('2026-01-02T03:05:06.000Z')
  expect(writes).toBe(2)
  const next = open({ secret: 'sb_secret_b' })
  expect(await next.last()).toEqual(new Map())
})
