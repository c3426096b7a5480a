import { signUp } from './account/signup.ts'
import { token } from './account/token.ts'
import { changeUser, getUser, signOut } from './account/user.ts'
import { type Admin, createAdmin } from './admin/admin.ts'
import { type CheckCaptcha, createCaptchaCheck } from './captcha/captcha.ts'
import { createCodeHash } from './codes/one-time-tokens.ts'
import { recover, sendMagicLink, sendOtp } from './codes/passwordless.ts'
import { reauthenticate } from './codes/reauthenticate.ts'
import { resend } from './codes/resend.ts'
import { createTestCodes } from './codes/test-codes.ts'
import { verifyCode, verifyLink } from './codes/verify.ts'
import type { AuthDeps, Call, Parts, Reply } from './deps.ts'
import { createExternal, type External } from './external/external.ts'
import { createFactors, type Factors } from './factors/factors.ts'
import { createHooks } from './hooks/hooks.ts'
import { createOutbound, type Outbound } from './http/outbound.ts'
import { createRedirects, type Redirects } from './http/redirect.ts'
import { createGuessLimits } from './limits/brute-force-limit.ts'
import { type Allowance, createBudget, parseAllowance } from './limits/quota.ts'
import { createRateLimits, type LimitKind } from './limits/rate-limits.ts'
import { createSendFrequency } from './limits/resend-cooldown.ts'
import { createPace } from './limits/timing-equalizer.ts'
import { createHookDelivery } from './mails/hook.ts'
import { createOutbox } from './mails/outbox.ts'
import { createTextReader } from './mails/read-text.ts'
import { createMailTexts } from './mails/texts.ts'
import { createDelivery } from './mails/write.ts'
import { sendNoSms } from './model/sms.ts'
import { createOAuthServer, type OAuthServer } from './oauth-server/oauth-server.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createPasswordPolicy } from './passwords/policy.ts'
import { createIsPwned } from './passwords/pwned.ts'
import { providerNames } from './providers/names.ts'
import { createExternalProviders } from './providers/providers.ts'
import { providerConfig } from './providers/settings.ts'
import { cleanUp } from './sessions/clean-up.ts'
import { createSharedCalls } from './sessions/single-flight.ts'
import type { AuthSettings } from './settings.ts'
import type { Sso } from './sso/single-sign-on.ts'
import { createSso } from './sso/sso.ts'
import { findCustomProvider } from './store/custom-providers.ts'
import { createDatabase } from './store/database.ts'
import { findIdsMatching, findNames } from './store/users.ts'
import { createRelyingParty } from './webauthn/relying-party.ts'

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
  readonly reauthenticate: (call: Pick<Call, 'work'>) => Promise<Reply>
  readonly verifyCode: (call: Call) => Promise<Reply>
  /** Answers the `Location` of the redirect. */
  readonly verifyLink: (
    call: Pick<Call, 'work' | 'redirectTo'>,
    query: { readonly token: string; readonly type: string },
  ) => Promise<string>
  /** Sign-in with others' accounts. */
  readonly external: External
  /** Users and the audit log, for administrators. */
  readonly admin: Admin
  /** Sign-in for other applications through this one. */
  readonly oauthServer: OAuthServer
  /** Second factors and passkeys. */
  readonly factors: Factors
  /** Sign-in through an organisation's identity provider. */
  readonly sso: Sso
  /** What `/settings` answers. */
  readonly describe: () => Readonly<Record<string, unknown>>
  /** What `/.well-known/jwks.json` answers. */
  readonly jwks: AuthDeps['keys']['jwks']
  readonly redirects: Redirects
  readonly requestTimeoutMs: number
  /** Asks for a solved captcha, where that is switched on. */
  readonly captcha: CheckCaptcha
  /** Counts a call by its address, where that is switched on. */
  readonly limit: (kind: LimitKind, address: string) => void
  /** Deletes what nobody can use any more; to be called now and then. Answers how many rows went. */
  readonly cleanUp: () => Promise<number>
  /** Address and name of users by id, for rooms that show them; unknown ids are left out. */
  readonly users: (ids: readonly string[]) => Promise<ReadonlyMap<string, UserName>>
  /** Ids of users whose address or name holds a text, newest first, for searching. */
  readonly userIdsMatching: (text: string, limit: number) => Promise<readonly string[]>
}

/** Makes the service; it opens nothing and so has nothing to close. */
export function createAuth(deps: AuthDeps): Auth {
  const { settings, keys, now } = deps
  const log = deps.log ?? { warn: () => undefined }
  const database = createDatabase(deps.sql, log)
  const hooks = createHooks({ settings, database, now })
  const texts = createMailTexts({ settings, now, read: createTextReader(deps.textFolder ?? '.') })
  const deliver =
    hooks.sendEmail === null
      ? createDelivery(deps.mail, texts, settings)
      : createHookDelivery(hooks.sendEmail, settings)
  const parts: Parts = {
    keys,
    now,
    newId: deps.newId,
    settings,
    database,
    hooks,
    outbox: createOutbox({ database, deliver, settings }),
    passwords: createPasswords({ concurrency: settings.passwordHashConcurrency, queue: settings.passwordHashQueue }),
    passwordPolicy: createPasswordPolicy(
      settings,
      settings.passwordHibpEnabled
        ? createIsPwned({ url: settings.passwordHibpUrl, whenUnknown: settings.passwordHibpFailClosed })
        : null,
    ),
    redirects: createRedirects(settings.siteUrl, settings.additionalRedirectUrls),
    frequency: createSendFrequency(settings.emailMaxFrequencySeconds, 'over_email_send_rate_limit', now),
    smsFrequency: createSendFrequency(settings.smsMaxFrequencySeconds, 'over_sms_send_rate_limit', now),
    budgets: {
      mail: createBudget(allowanceOf(settings, 'rateLimitEmailSent'), 'over_email_send_rate_limit', now),
      sms: createBudget(allowanceOf(settings, 'rateLimitSmsSent'), 'over_sms_send_rate_limit', now),
    },
    testCodes: createTestCodes(settings, now),
    guessLimits: createGuessLimits(settings, now),
    hashCode: createCodeHash(deps.codeKey),
    pace: createPace(),
    sendSms: deps.sendSms ?? sendNoSms,
    checkSmsCode: deps.checkSmsCode ?? null,
    ...(deps.resolve === undefined ? {} : { resolve: deps.resolve }),
    providers: createExternalProviders({
      settings,
      callbackUrl: `${settings.externalUrl}/callback`,
      findCustom: (identifier, work) => findCustomProvider(database.sql, identifier, work),
      resolve: deps.resolve ?? null,
      now,
    }),
    relyingParty: createRelyingParty(settings),
    sharedRefresh: createSharedCalls(),
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
    reauthenticate: (call) => reauthenticate(parts, call),
    verifyCode: (call) => verifyCode(parts, call),
    verifyLink: (call, query) => verifyLink(parts, call, query),
    captcha: createCaptchaCheck(parts),
    admin: createAdmin(parts),
    external: createExternal(parts),
    oauthServer: createOAuthServer(parts),
    factors: createFactors(parts),
    sso: createSso(parts, deps.fetchMetadata ?? publicOutbound(settings)),
    describe: () => describe(settings),
    // At each look: they may be others by then.
    get jwks() {
      return keys.jwks
    },
    redirects: parts.redirects,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
    limit: settings.rateLimitByAddress ? createRateLimits(settings, now) : () => undefined,
    cleanUp: () => cleanUp(database, settings, now()),
    async users(ids) {
      const rows = ids.length === 0 ? [] : await findNames(parts.database.sql, ids)
      return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
    },
    userIdsMatching: (text, limit) => findIdsMatching(parts.database.sql, text, limit),
  }
}

/** Where nothing is said, production allows what the protocol's own server does, and local mode any number. */
function allowanceOf(settings: AuthSettings, name: 'rateLimitEmailSent' | 'rateLimitSmsSent'): Allowance | null {
  const said = settings[name] ?? (settings.rateLimitByAddress ? '30' : null)
  return said === null ? null : (parseAllowance(said) ?? null)
}

/** For addresses that come in by the API: whoever chooses them must not reach what only this machine can. */
const publicOutbound = (settings: AuthSettings): Outbound =>
  createOutbound({
    reach: 'public',
    timeoutMs: settings.samlMetadataTimeoutMs,
    maxBytes: settings.samlMetadataMaxBytes,
  })

function describe(settings: AuthSettings): Readonly<Record<string, unknown>> {
  return {
    external: {
      anonymous_users: settings.enableAnonymousSignIns,
      ...Object.fromEntries(providerNames.map((name) => [name, providerConfig(settings, name).enabled])),
      email: settings.emailEnableSignup,
      phone: settings.smsEnableSignup,
    },
    disable_signup: !settings.enableSignup,
    mailer_autoconfirm: !settings.emailEnableConfirmations,
    phone_autoconfirm: !settings.smsEnableConfirmations,
    sms_provider: settings.smsProvider,
    saml_enabled: settings.samlEnabled,
    saml_private_key_next_configured: settings.samlPrivateKeyNext !== null,
    passkeys_enabled: settings.passkeyEnabled,
  }
}
