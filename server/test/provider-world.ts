import { expect } from 'vitest'
import type { AuthSettings } from '../src/services/auth/index.ts'
import { type Answer, startAuth, type TestAuth } from './auth-service.ts'
import type { TestDatabase } from './harness.ts'
import { type Outside, startOutside } from './outside.ts'

/** The service and one provider, Keycloak, whose users are whatever a test says. */
export interface ProviderWorld {
  readonly auth: TestAuth
  readonly outside: Outside
  readonly db: TestDatabase
  /** Leaves for the provider; answers the `state` that will come back. */
  readonly leave: (query?: Readonly<Record<string, string>>) => Promise<string>
  /** Comes back as somebody. */
  readonly comeBack: (state: string, claims: object) => Promise<Answer>
  /** Both; answers where the user was sent in the end. */
  readonly signIn: (claims: object, query?: Readonly<Record<string, string>>) => Promise<URL>
  /** The user of a sign-in by the implicit flow. */
  readonly userOf: (location: URL) => Promise<Answer['body']>
}

export const providerSite = 'https://app.example.com'

/** Starts both; confirmations are asked for, so that it matters what the provider verified. */
export async function startProviderWorld(
  db: TestDatabase,
  settings: Partial<AuthSettings> = {},
): Promise<ProviderWorld> {
  const outside = await startOutside()
  const auth = await startAuth(db, {
    siteUrl: providerSite,
    emailEnableConfirmations: true,
    externalKeycloakEnabled: true,
    externalKeycloakClientId: ['the client'],
    externalKeycloakSecret: 'the secret',
    externalKeycloakUrl: outside.url,
    ...settings,
  })
  outside.answers.set('/protocol/openid-connect/token', {
    access_token: 'their token',
    refresh_token: 'their refresh token',
    token_type: 'Bearer',
  })
  const leave: ProviderWorld['leave'] = async (query = {}) => {
    const answer = await auth.call('GET', `/authorize?${new URLSearchParams({ provider: 'keycloak', ...query })}`)
    expect(answer.status).toBe(302)
    return new URL(String(answer.headers.location)).searchParams.get('state') ?? ''
  }
  const comeBack: ProviderWorld['comeBack'] = (state, claims) => {
    outside.answers.set('/protocol/openid-connect/userinfo', claims)
    return auth.call('GET', `/callback?${new URLSearchParams({ code: 'a code', state })}`)
  }
  return {
    auth,
    outside,
    db,
    leave,
    comeBack,
    async signIn(claims, query) {
      const answer = await comeBack(await leave(query), claims)
      expect(answer.status).toBe(302)
      return new URL(String(answer.headers.location))
    },
    async userOf(location) {
      const fragment = new URLSearchParams(location.hash.slice(1))
      expect(fragment.get('error_description')).toBeNull()
      return (await auth.call('GET', '/user', { token: fragment.get('access_token') ?? '' })).body
    },
  }
}

/** Error, code and description that a redirect carries in its fragment. */
export function failureOf(location: URL): readonly (string | null)[] {
  const fragment = new URLSearchParams(location.hash.slice(1))
  return [fragment.get('error'), fragment.get('error_code'), fragment.get('error_description')]
}
