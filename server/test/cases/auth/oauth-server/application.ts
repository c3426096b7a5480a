import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { AuthSettings } from '../../../../src/services/auth/index.ts'
import type { Answer, TestAuth } from '../../../auth-service.ts'

export const settings: Partial<AuthSettings> = { oauthServerEnabled: true, oauthServerAllowDynamicRegistration: true }

/** The application’s own address. */
export const redirectUri = 'https://shop.example/callback?shop=1'

export const verifier = 'a'.repeat(50)

export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** A client registered by an administrator. */
export async function createClient(auth: TestAuth, more: object = {}): Promise<Answer['body']> {
  const answer = await auth.call('POST', '/admin/oauth/clients', {
    token: auth.apiKeys.secretKey,
    body: { redirect_uris: [redirectUri], client_name: 'Shop', ...more },
  })
  expect(answer.status).toBe(201)
  return answer.body
}

/** Where an application sends its user to; null leaves a parameter out. */
export const authorizePath = (clientId: string, more: Readonly<Record<string, string | null>> = {}): string => {
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** The id of a new authorization request. */
export async function request(auth: TestAuth, clientId: string, more: Readonly<Record<string, string | null>> = {}) {
  const answer = await auth.call('GET', authorizePath(clientId, more))
  expect(answer.status).toBe(302)
  return new URL(String(answer.headers.location)).searchParams.get('authorization_id') ?? ''
}

/** A body as the token endpoint takes it. */
export const form = (fields: Readonly<Record<string, string>>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Exchanges at the token endpoint as a client that was registered with the default method. */
export function exchange(
  auth: TestAuth,
  client: { readonly client_id: string; readonly client_secret: string },
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { body, headers } = form(fields)
  const authorization = basic(client.client_id, client.client_secret)
  return auth.call('POST', '/oauth/token', { body, headers: { ...headers, authorization } })
}
