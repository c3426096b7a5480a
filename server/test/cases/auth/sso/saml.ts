import { inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import type { AuthSettings } from '../../../../src/services/auth/index.ts'
import type { Answer, TestAuth } from '../../../auth-service.ts'
import { createIdp, encoded, type Idp, newKey, type ResponseParts } from '../../../saml-idp.ts'

/** The key that responses to us are for, and that our requests are signed with. */
export const ownKey = newKey()

/** A key as the setting takes it. */
export const pkcs1 = (key: ReturnType<typeof newKey>): string =>
  key.export({ type: 'pkcs1', format: 'der' }).toString('base64')

/** SAML switched on, with a key. */
export const samlSettings: Partial<AuthSettings> = {
  samlEnabled: true,
  samlPrivateKey: pkcs1(ownKey),
  additionalRedirectUrls: ['https://app.example/**'],
}

/** The provider of most cases. */
export const idp = createIdp()

/** A call about providers with the secret key. */
export const callProviders = (
  auth: TestAuth,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) =>
  auth.call(method, `/admin/sso/providers${path}`, {
    token: auth.apiKeys.secretKey,
    ...(body === undefined ? {} : { body }),
  })

/** A provider of the domain `corp.example`. */
export async function addProvider(auth: TestAuth, more: object = {}, of: Idp = idp): Promise<Answer['body']> {
  const body = { type: 'saml', metadata_xml: of.metadata(), domains: ['corp.example'], ...more }
  const answer = await callProviders(auth, 'POST', '', body)
  expect(answer.status).toBe(201)
  return answer.body
}

/** What a provider needs to know to answer. */
export interface Begun {
  readonly relayState: string
  readonly requestId: string
}

/** Begins a sign-in; answers what the provider would see. */
export async function begin(auth: TestAuth, more: object = {}): Promise<Begun> {
  const answer = await auth.call('POST', '/sso', {
    body: { domain: 'corp.example', skip_http_redirect: true, redirect_to: 'https://app.example/in', ...more },
  })
  expect(answer.status).toBe(200)
  return readRequest(new URL(answer.body.url))
}

/** What a provider reads out of the address a user comes with. */
export function readRequest({ searchParams }: URL): Begun {
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return {
    relayState: searchParams.get('RelayState') ?? '',
    requestId: /\bID="([^"]+)"/.exec(request)?.[1] ?? '',
  }
}

/** Posts a response as a browser would; answers where it is sent. */
export async function post(auth: TestAuth, xml: string, relayState: string): Promise<URL> {
  const answer = await auth.call('POST', '/sso/saml/acs', {
    body: new URLSearchParams({ SAMLResponse: encoded(xml), RelayState: relayState }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(303)
  return new URL(String(answer.headers.location))
}

/** The whole way in the implicit flow. */
export async function signIn(auth: TestAuth, parts: Partial<ResponseParts> = {}, of: Idp = idp): Promise<URL> {
  const { relayState, requestId } = await begin(auth)
  return post(auth, of.respond({ requestId, ...parts }), relayState)
}

export const sessionOf = (location: URL): { readonly token: string; readonly refresh: string } => {
  const fields = new URLSearchParams(location.hash.slice(1))
  return { token: fields.get('access_token') ?? '', refresh: fields.get('refresh_token') ?? '' }
}

/** That no user was signed in, and why. */
export function expectRefusal(location: URL, code: string): void {
  expect(location.origin).toBe('http://127.0.0.1:3000')
  expect(location.searchParams.get('error_code')).toBe(code)
  expect(location.hash).toBe('')
}

export const other = createIdp('https://other.example/', newKey())

export const minutes = (count: number): Date => new Date(Date.now() + count * 60_000)
