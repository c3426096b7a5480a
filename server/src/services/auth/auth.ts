import { createOutbound, type Outbound } from '../../engines/outbound/index.ts'
import { noOthers } from '../../ground/model/topic.ts'
import { type Account, createAccount } from './account/account.ts'
import { type Admin, createAdmin } from './admin/admin.ts'
import { type CheckCaptcha, createCaptchaCheck } from './captcha/captcha.ts'
import { type CodeCalls, createCodeCalls } from './codes/create-code-calls.ts'
import { createCodes } from './codes/create-codes.ts'
import { type CustomProviders, createCustomProviders } from './custom-providers/custom-providers.ts'
import { createExternal, type External } from './external/external.ts'
import { idTokenGrant } from './external/id-token.ts'
import { createFactors, type Factors } from './factors/factors.ts'
import type { AuthDeps } from './foundation.ts'
import { createFoundation, type Foundation } from './foundation.ts'
import type { Redirects } from './http/redirect.ts'
import { createIdentities } from './identities/create-identities.ts'
import { createRateLimits, type LimitCalls } from './limits/rate-limits.ts'
import { createOAuthServer, type OAuthServer } from './oauth-server/oauth-server.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { providerNames } from './providers/names.ts'
import { providerConfig } from './providers/settings.ts'
import { cleanUp } from './sessions/clean-up.ts'
import { createSessions } from './sessions/create-sessions.ts'
import type { AuthSettings } from './settings.ts'
import { type AuthSetup, createSetup } from './setup/setup.ts'
import type { Sso } from './sso/single-sign-on.ts'
import { createSso } from './sso/sso.ts'
import { findAccount, findIdsMatching, findNames, type UserAccount } from './store/users.ts'
import { createUsers } from './users/create-users.ts'

/** The facts of a user that other rooms show. */
export interface UserName {
  readonly email: string | null
  readonly name: string | null
}

/** Sign-in for the application's own users, as `@supabase/auth-js` speaks it. */
export interface Auth {
  readonly account: Account
  readonly codes: CodeCalls
  readonly external: External
  readonly customProviders: CustomProviders
  readonly admin: Admin
  readonly oauthServer: OAuthServer
  readonly factors: Factors
  readonly passkeys: Passkeys
  readonly sso: Sso
  /** The body of `/settings`. */
  readonly describe: () => Readonly<Record<string, unknown>>
  /** The body of `/.well-known/jwks.json`. */
  readonly jwks: AuthDeps['keys']['jwks']
  readonly redirects: Redirects
  /** How sign-in is set up, for the console. */
  readonly setup: AuthSetup
  readonly requestTimeoutMs: number
  readonly maxBodyBytes: number
  /** Asks for a solved captcha, where that is switched on. */
  readonly captcha: CheckCaptcha
  /** Counts a call by its address, where that is switched on. */
  readonly limit: LimitCalls
  /** Deletes what has ended; to be called now and then. @returns how many rows were deleted */
  readonly cleanUp: () => Promise<number>
  /** Address and name of users by id, for rooms that show them; unknown ids are left out. */
  readonly users: (ids: readonly string[]) => Promise<ReadonlyMap<string, UserName>>
  /** When and how a user signs in; null for an unknown one. */
  readonly userAccount: (id: string) => Promise<UserAccount | null>
  /** Ids of users whose address or name holds a text, newest first, for searching. */
  readonly userIdsMatching: (text: string, limit: number) => Promise<readonly string[]>
}

/** The auth service. It opens nothing and so has nothing to close. */
export function createAuth(deps: AuthDeps): Auth {
  const { settings, keys, now } = deps
  const foundation = createFoundation(deps)
  const { database, redirects } = foundation
  return {
    ...createFeatures(foundation, deps.fetchMetadata ?? publicOutbound(settings)),
    describe: () => describe(settings),
    // Read at each call: keys may be rotated.
    get jwks() {
      return keys.jwks
    },
    redirects,
    setup: createSetup({
      ...{ settings, redirects, mail: deps.mail, texts: foundation.texts, places: deps.places ?? {}, now },
      file: deps.settingsFile ?? null,
      hasMailHook: foundation.hooks.sendEmail !== null,
    }),
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
    maxBodyBytes: settings.maxBodyBytes,
    limit: settings.rateLimitByAddress ? createRateLimits(settings, now, deps.topic ?? noOthers) : () => undefined,
    cleanUp: () => cleanUp(database, settings, now()),
    async users(ids) {
      const rows = ids.length === 0 ? [] : await findNames(database.sql, ids)
      return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
    },
    userAccount: (id) => findAccount(database.sql, id),
    userIdsMatching: (text, limit) => findIdsMatching(database.sql, text, limit),
  }
}

/** Makes each feature of the foundation and of the functions it asks of others. */
function createFeatures(foundation: Foundation, fetchMetadata: Outbound) {
  const sessions = createSessions(foundation)
  const users = createUsers({ ...foundation, ...sessions })
  const codesDeps = { ...foundation, ...sessions, ...users }
  const codes = createCodes(codesDeps)
  const identities = createIdentities({ ...codesDeps, ...codes })
  const deps = { ...codesDeps, ...codes, ...identities }
  return {
    account: createAccount({
      ...deps,
      idTokenGrant: (call) => idTokenGrant(deps, call),
      // Loaded at the first use, with its elliptic curves.
      web3Grant: async (call) => (await import('./web3/grant.ts')).web3Grant(deps, call),
    }),
    codes: createCodeCalls(codesDeps),
    captcha: createCaptchaCheck(deps),
    admin: createAdmin(deps),
    external: createExternal(deps),
    customProviders: createCustomProviders(deps),
    oauthServer: createOAuthServer(deps),
    factors: createFactors(deps),
    passkeys: createPasskeys(deps),
    sso: createSso(deps, fetchMetadata),
  }
}

/** For addresses that come in by the API: they must not reach what only this machine can. */
const publicOutbound = (settings: AuthSettings): Outbound =>
  createOutbound({
    reach: 'public',
    timeoutMs: settings.samlMetadataTimeoutMs,
    maxBytes: settings.maxSamlMetadataBytes,
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
