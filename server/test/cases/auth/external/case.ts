import { createHash, randomBytes } from 'node:crypto'
import type { AuthSettings } from '../../../../src/services/auth/index.ts'
import type { ProviderWorld } from '../../../provider-world.ts'

/** One row of the contract about sign-in with providers, as calls and what must come of them. */
export interface ExternalCase {
  readonly row: string
  readonly rule: string
  readonly settings?: Partial<AuthSettings>
  readonly run: (world: ProviderWorld) => Promise<void>
}

export const ann = { sub: 'k-ann', email: 'ann@example.com', email_verified: true, name: 'Ann' } as const
export const password = 'a good password'

/** A verifier and its challenge, as a client makes them. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, query: { code_challenge: challenge, code_challenge_method: 's256' } }
}

/** Exchanges the code of a PKCE flow. */
export const exchange = (world: ProviderWorld, code: string, verifier: string) =>
  world.auth.call('POST', '/token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } })

/** Every user with the names of their providers, in the order they came. */
export const users = async ({ db }: ProviderWorld): Promise<readonly Record<string, unknown>[]> => {
  const text = `select u.email, u.encrypted_password as password, u.email_confirmed_at is not null as confirmed,
      u.raw_user_meta_data as metadata, u.phone,
      (select coalesce(jsonb_agg(i.provider order by i.provider), '[]') from auth.identities i where i.user_id = u.id) as providers
    from auth.users u order by u.created_at`
  return (await db.admin.query<Record<string, unknown>>({ text, values: [] })).rows
}

/** Signs a user up by e-mail and password; confirms the address when `confirm` says so. */
export async function signUp({ auth }: ProviderWorld, email: string, confirm: boolean): Promise<string> {
  const answer = await auth.call('POST', '/signup', { body: { email, password, data: { planted: true } } })
  if (!confirm) return answer.body.id
  const token = await auth.codeFor(email)
  const confirmed = await auth.call('POST', '/verify', { body: { type: 'signup', email, token } })
  return confirmed.body.user.id
}
