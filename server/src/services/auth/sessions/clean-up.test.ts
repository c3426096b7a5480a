import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { refresh, signUp } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'

const count = async (
  db: { admin: { query: (statement: never) => Promise<{ rows: readonly unknown[] }> } },
  table: string,
) => (await db.admin.query({ text: `select 1 from auth.${table}`, values: [] } as never)).rows.length

test('what ended a while ago goes, and what is still of use stays', async ({ db }) => {
  const auth = await startAuth(db, {
    sessionTimeboxSeconds: 3600,
    auditRetentionDays: 30,
    enableAnonymousSignIns: true,
  })
  const { refresh_token: first, user } = await signUp(auth)
  const second = (await refresh(auth, first)).body.refresh_token
  await refresh(auth, second)
  await db.load(`
    insert into auth.flow_state (id, provider_type, authentication_method, created_at)
    values (gen_random_uuid(), 'email', 'magiclink', now() - interval '2 days');
    insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values (gen_random_uuid(), '${user.id}', 'totp', 'unverified', now(), now() - interval '2 days'),
      (gen_random_uuid(), '${user.id}', 'totp', 'verified', now(), now() - interval '2 days');`)
  await auth.auth.cleanUp()
  expect([await count(db, 'refresh_tokens'), await count(db, 'flow_state'), await count(db, 'mfa_factors')]).toEqual([
    3, 0, 1,
  ])
  await db.load(`update auth.refresh_tokens set updated_at = now() - interval '2 days'`)
  await auth.auth.cleanUp()
  // The living token and its parent.
  expect(await count(db, 'refresh_tokens')).toBe(2)
  expect((await refresh(auth, second)).status).toBe(200)

  auth.pass(3600 + 86_401)
  expect(await auth.auth.cleanUp()).toBeGreaterThan(0)
  expect([await count(db, 'sessions'), await count(db, 'refresh_tokens')]).toEqual([0, 0])
  expect(await count(db, 'audit_log_entries')).toBeGreaterThan(0)
  auth.pass(30 * 86_400)
  await auth.auth.cleanUp()
  expect([await count(db, 'audit_log_entries'), await count(db, 'users')]).toEqual([0, 1])
})

test('anonymous users stay until a project says for how long', async ({ db }) => {
  const auth = await startAuth(db, { enableAnonymousSignIns: true, anonymousUserRetentionDays: 30 })
  await signUp(auth, {})
  await signUp(auth)
  await auth.auth.cleanUp()
  expect(await count(db, 'users')).toBe(2)
  auth.pass(31 * 86_400)
  await auth.auth.cleanUp()
  expect(await count(db, 'users')).toBe(1)
})

test('what was asked for and never answered goes when it would be refused', async ({ db }) => {
  const auth = await startAuth(db, { emailOtpExpirySeconds: 600 })
  const { user } = await signUp(auth)
  await db.load(`
    insert into auth.webauthn_challenges (id, challenge_type, session_data, expires_at)
    select gen_random_uuid(), 'authentication', '{}', now() + make_interval(mins => n) from unnest('{-1,5}'::int[]) n;
    insert into auth.single_use (purpose, id, expires_at)
    select 'web3', n::text, now() + make_interval(mins => n) from unnest('{-1,5}'::int[]) n;
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, updated_at)
    values (gen_random_uuid(), '${user.id}', 'recovery_token', 'old', 'a', timezone('utc', now()) - interval '25 hours'),
      (gen_random_uuid(), '${user.id}', 'confirmation_token', 'new', 'a', timezone('utc', now()) - interval '23 hours')`)
  expect(await auth.auth.cleanUp()).toBe(3)
  for (const table of ['webauthn_challenges', 'single_use', 'one_time_tokens']) expect(await count(db, table)).toBe(1)
  auth.pass(86_400)
  await auth.auth.cleanUp()
  for (const table of ['webauthn_challenges', 'single_use', 'one_time_tokens']) expect(await count(db, table)).toBe(0)
})
