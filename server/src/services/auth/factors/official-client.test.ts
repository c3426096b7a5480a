import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { codeOf } from '../../../../test/cases/auth/second-factor.ts'
import { test } from '../../../../test/harness.ts'

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

test('the official client enrols, challenges, verifies and takes away an authenticator app', async ({
  db,
  onTestFinished,
}) => {
  const { app, apiKeys } = await startAuth(db)
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const options = {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
    realtime: { transport: NoSocket as never },
  }
  const { auth } = createClient(url, apiKeys.anonKey, options)
  const { data: signedUp } = await auth.signUp({ email: 'ann@example.com', password: 'a good password' })

  const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app', issuer: 'App' })
  if (enrolled.data === null) throw enrolled.error
  const { id: factorId, totp } = enrolled.data
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
  expect((await auth.mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ id: factorId, status: 'unverified' }] })

  const wrong = await auth.mfa.challengeAndVerify({ factorId, code: '000000' })
  expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
  const verified = await auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
  expect(verified.error).toBeNull()
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
  })
  expect((await auth.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId, status: 'verified' }])
  expect((await auth.refreshSession()).error).toBeNull()

  const admin = createClient(url, apiKeys.serviceRoleKey, options).auth.admin
  const userId = signedUp.user?.id ?? ''
  expect((await admin.mfa.listFactors({ userId })).data?.factors).toMatchObject([{ id: factorId }])

  expect((await auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
  expect((await auth.refreshSession()).error).toBeNull()
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal1',
  })
})
