import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { test } from '../../../../test/harness.ts'

const unreadable: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ['an empty Content-Type', { 'content-type': '' }],
  ['a Content-Type that is none', { 'content-type': 'json' }],
]

test('what cannot be read of a request is its sender’s mistake, in the protocol’s words', async ({ db }) => {
  const { app } = await startAuth(db)
  for (const [what, headers] of unreadable)
    for (const path of ['/signup', '/token?grant_type=password', '/verify', '/admin/users', '/logout']) {
      const answer = await app.inject({ method: 'POST', url: `/auth/v1${path}`, headers, payload: '{}' })
      expect(answer.statusCode, `${what} at ${path}`).toBe(400)
      expect(answer.json(), what).toMatchObject({ code: 400, error_code: 'validation_failed' })
    }
})

test('a call whose connection ends while it is running answers 503', async ({ db }) => {
  const { app } = await startAuth(db)
  const payload = { email: 'maria@example.com', password: 'a long enough secret' }
  const signUp = () => app.inject({ method: 'POST', url: '/auth/v1/signup', payload })
  const waiting = await db.admin.transaction(async (sql) => {
    await sql.query({ text: 'lock table auth.users in access exclusive mode', values: [] })
    const answering = signUp().then((answer) => answer)
    const end = {
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      values: [],
    }
    await expect.poll(async () => (await db.aside.query(end)).rowCount).toBe(1)
    return { answer: await answering }
  })
  expect(waiting.answer.statusCode).toBe(503)
  expect(waiting.answer.json()).toMatchObject({ code: 503, error_code: 'unexpected_failure' })
  expect((await signUp()).statusCode).toBe(200)
})
