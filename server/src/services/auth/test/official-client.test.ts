import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { test } from '../../../../test/harness.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

test('the official client signs up, in and out, refreshes, and reads a code from the inbox', async ({
  db,
  onTestFinished,
}) => {
  const { app, codeFor } = await startAuth(db)
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const newClient = () =>
    createClient(url, localApiKeys().anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
      realtime: { transport: NoSocket as never },
    })
  const client = newClient()
  const email = 'ann@example.com'
  const password = 'a good password'

  const signedUp = await client.auth.signUp({ email, password, options: { data: { full_name: 'Ann' } } })
  expect(signedUp.error).toBeNull()
  expect(signedUp.data.user?.user_metadata.full_name).toBe('Ann')
  expect((await client.auth.signOut()).error).toBeNull()

  const wrong = await client.auth.signInWithPassword({ email, password: 'not this one' })
  expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400, name: 'AuthApiError' })
  const signedIn = await client.auth.signInWithPassword({ email, password })
  expect(signedIn.error).toBeNull()
  expect((await client.auth.getUser()).data.user?.email).toBe(email)

  const before = (await client.auth.getSession()).data.session?.refresh_token
  const refreshed = await client.auth.refreshSession()
  expect(refreshed.error).toBeNull()
  expect(refreshed.data.session?.refresh_token).not.toBe(before)

  // ES256: the client fetches the JWKS and verifies by itself.
  const claims = await client.auth.getClaims()
  expect(claims.error).toBeNull()
  expect(claims.data?.claims).toMatchObject({ email, role: 'authenticated' })
  expect(claims.data?.header.alg).toBe('ES256')

  expect((await client.auth.updateUser({ data: { theme: 'dark' } })).data.user?.user_metadata.theme).toBe('dark')
  const weak = await client.auth.updateUser({ password: 'x' })
  expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] })

  const other = newClient()
  expect((await other.auth.signInWithOtp({ email })).error).toBeNull()
  const verified = await other.auth.verifyOtp({ email, token: await codeFor(email), type: 'email' })
  expect(verified.error).toBeNull()
  expect(verified.data.user?.id).toBe(signedUp.data.user?.id)

  expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull()
  expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await other.auth.refreshSession()).error).not.toBeNull()
})
