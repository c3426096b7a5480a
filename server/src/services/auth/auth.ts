import { createTokenBuckets } from '../../ground/limits/token-bucket.ts'
import { createDatabase } from './database.ts'
import type { AuthDeps, Call, Parts, Reply } from './deps.ts'
import { authError } from './errors.ts'
import { createMailFrequency } from './mail-frequency.ts'
import { recover, resend, sendMagicLink, sendOtp } from './passwordless.ts'
import { createPasswords } from './passwords.ts'
import { createRedirects, type Redirects } from './redirect.ts'
import type { AuthSettings } from './settings.ts'
import { signUp } from './signup.ts'
import { findIdsMatching, findNames } from './store/users.ts'
import { token } from './token.ts'
import { changeUser, getUser, signOut } from './user.ts'
import { verifyCode, verifyLink } from './verify.ts'

/** What others may know of a user, for showing. */
export interface UserName {
  readonly email: string | null
  readonly name: string | null
}

/** Sign-in for the application's own users, as `@supabase/auth-js` speaks it. */
export interface Auth {
  readonly signUp: (call: Call) => Promise<Reply>
  readonly token: (call: Call, grantType: string) => Promise<Reply>
  readonly getUser: (call: Pick<Call, 'work'>) => Promise<Reply>
  readonly changeUser: (call: Call) => Promise<Reply>
  readonly signOut: (call: Pick<Call, 'work'>, scope: string) => Promise<Reply>
  readonly sendOtp: (call: Call) => Promise<Reply>
  readonly sendMagicLink: (call: Call) => Promise<Reply>
  readonly recover: (call: Call) => Promise<Reply>
  readonly resend: (call: Call) => Promise<Reply>
  readonly verifyCode: (call: Call) => Promise<Reply>
  /** Answers the `Location` of the redirect. */
  readonly verifyLink: (
    call: Pick<Call, 'work' | 'redirectTo'>,
    query: { readonly token: string; readonly type: string },
  ) => Promise<string>
  /** What `/settings` answers. */
  readonly describe: () => Readonly<Record<string, unknown>>
  /** What `/.well-known/jwks.json` answers. */
  readonly jwks: AuthDeps['keys']['jwks']
  readonly redirects: Redirects
  /** Counts a call by its address, where that is switched on. */
  readonly limit: (kind: LimitKind, address: string) => void
  /** Address and name of users by id, for rooms that show them; unknown ids are left out. */
  readonly users: (ids: readonly string[]) => Promise<ReadonlyMap<string, UserName>>
  /** Ids of users whose address or name holds a text, newest first, for searching. */
  readonly userIdsMatching: (text: string, limit: number) => Promise<readonly string[]>
}

/** Makes the service; it opens nothing and so has nothing to close. */
export function createAuth(deps: AuthDeps): Auth {
  const { settings, keys, now } = deps
  const parts: Parts = {
    mail: deps.mail,
    keys,
    now,
    newId: deps.newId,
    settings,
    database: createDatabase(deps.sql),
    passwords: createPasswords({ concurrency: settings.passwordHashConcurrency, queue: settings.passwordHashQueue }),
    redirects: createRedirects(settings.siteUrl, settings.additionalRedirectUrls),
    frequency: createMailFrequency(settings.emailMaxFrequencySeconds, now),
  }
  return {
    signUp: (call) => signUp(parts, call),
    token: (call, grantType) => token(parts, call, grantType),
    getUser: (call) => getUser(parts, call),
    changeUser: (call) => changeUser(parts, call),
    signOut: (call, scope) => signOut(parts, call, scope),
    sendOtp: (call) => sendOtp(parts, call),
    sendMagicLink: (call) => sendMagicLink(parts, call),
    recover: (call) => recover(parts, call),
    resend: (call) => resend(parts, call),
    verifyCode: (call) => verifyCode(parts, call),
    verifyLink: (call, query) => verifyLink(parts, call, query),
    describe: () => describe(settings),
    jwks: keys.jwks,
    redirects: parts.redirects,
    limit: settings.rateLimitByAddress ? limitBy(settings, now) : () => undefined,
    async users(ids) {
      const rows = ids.length === 0 ? [] : await findNames(parts.database.sql, ids)
      return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
    },
    userIdsMatching: (text, limit) => findIdsMatching(parts.database.sql, text, limit),
  }
}

/** The calls that are counted, each by itself. */
export type LimitKind =
  | 'signup'
  | 'anonymous'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'user'
  | 'token'
  | 'verify'

function limitBy(settings: AuthSettings, now: () => Date): Auth['limit'] {
  const take = createTokenBuckets(now)
  const fiveMinutes = 300
  const hour = 3600
  const rateOf = (kind: LimitKind): number => {
    if (kind === 'token') return settings.rateLimitTokenRefresh / fiveMinutes
    if (kind === 'verify') return settings.rateLimitTokenVerifications / fiveMinutes
    return kind === 'anonymous'
      ? settings.rateLimitAnonymousUsers / hour
      : settings.rateLimitSignInSignUps / fiveMinutes
  }
  return (kind, address) => {
    const waitSeconds = take(`${kind} ${address}`, { burst: 30, refillPerSecond: rateOf(kind) })
    if (waitSeconds !== null)
      throw authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
  }
}

const externalProviders = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'x',
  'zoom',
]

function describe(settings: AuthSettings): Readonly<Record<string, unknown>> {
  return {
    external: {
      anonymous_users: settings.enableAnonymousSignIns,
      ...Object.fromEntries(externalProviders.map((name) => [name, false])),
      email: settings.emailEnableSignup,
      phone: false,
    },
    disable_signup: !settings.enableSignup,
    mailer_autoconfirm: !settings.emailEnableConfirmations,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: false,
  }
}
