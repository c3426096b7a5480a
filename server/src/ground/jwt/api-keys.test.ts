import { expect, test } from 'vitest'
import { createApiKeySecrets, createOpaqueKeyFinder, localApiKeys, productionApiKeys } from './api-keys.ts'
import { createKeySet } from './keys.ts'
import { createTokenVerifier } from './verify.ts'

test('the local keys are the well-known ones, letter by letter', () => {
  expect(localApiKeys()).toMatchObject({
    anonKey:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0',
    serviceRoleKey:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU',
    publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  })
})

test('production keys are random, verifiable, and know their role', () => {
  const now = () => new Date('2026-03-01T00:00:00Z')
  const secrets = createApiKeySecrets(now)
  const keys = productionApiKeys(secrets)
  expect(createApiKeySecrets(now).publishableKey).not.toBe(secrets.publishableKey)
  expect(keys.publishableKey).toMatch(/^sb_publishable_[\w-]{22}_[\w-]{8}$/)
  const keySet = createKeySet({ signingKeys: [], secret: secrets.jwtSecret })
  const verify = createTokenVerifier({ keys: keySet, now, cacheSize: 10, clockSkewSeconds: 0 })
  expect(verify(keys.serviceRoleKey)).toMatchObject({ claims: { iss: 'supabase', role: 'service_role' } })
  const find = createOpaqueKeyFinder(keys)
  expect(find(keys.publishableKey)).toBe('anon')
  expect(find(keys.secretKey)).toBe('service_role')
  expect(find(localApiKeys().secretKey)).toBeUndefined()
})
