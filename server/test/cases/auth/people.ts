import { expect } from 'vitest'
import type { Answer, TestAuth } from '../../auth-service.ts'

export const ann = { email: 'ann@example.com', password: 'a good password' } as const
export const bob = { email: 'bob@example.com', password: 'another good one' } as const

/** Signs a person up where no confirmation is asked for, and answers the session. */
export async function signUp(auth: TestAuth, person: object = ann): Promise<Answer['body']> {
  const answer = await auth.call('POST', '/signup', { body: person })
  expect(answer.status).toBe(200)
  return answer.body
}

export const signIn = (auth: TestAuth, person: object = ann): Promise<Answer> =>
  auth.call('POST', '/token?grant_type=password', { body: person })

export const refresh = (auth: TestAuth, token: string): Promise<Answer> =>
  auth.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } })

export const post = (
  auth: TestAuth,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => auth.call('POST', path, { body, headers })

/** Headers of a caller from a network of its own for each number; the app of the tests believes them. */
export const from = (place: number): Readonly<Record<string, string>> => ({ 'x-test-address': `198.51.100.${place}` })

/** The user that a token speaks for. */
export const getUser = (auth: TestAuth, token: string): Promise<Answer> => auth.call('GET', '/user', { token })

/** A call with the project's secret key. */
export const asAdmin = (
  auth: TestAuth,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> =>
  auth.call(method, path, { token: auth.apiKeys.serviceRoleKey, ...(body === undefined ? {} : { body }) })

/** Status and code of a refusal in the initial format. */
export const refusalOf = ({ status, body }: Answer): readonly [number, unknown] => [status, body.error_code]

/** A token's claims, unverified. */
export const claimsOf = (token: string): Answer['body'] =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The fragment of an address, read. */
export const fragmentOf = (location: string): URLSearchParams => new URLSearchParams(new URL(location).hash.slice(1))
