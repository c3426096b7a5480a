import { type Declared, flag, integer, text } from '../../../ground/settings/setting.ts'
import { isScope } from './scopes.ts'

/** The settings of the OAuth 2.1 server; names follow `[auth.oauth_server]` of a project's `config.toml`. */
export const oauthServerSettings = {
  oauthServerEnabled: flag({
    default: false,
    about: 'Whether other applications may sign users in through this one (OAuth 2.1 and OpenID Connect).',
  }),
  oauthServerAllowDynamicRegistration: flag({
    default: false,
    about: 'Whether such applications may register themselves (RFC 7591).',
  }),
  oauthServerAuthorizationUrlPath: text({
    default: '/oauth/consent',
    about: 'The path below the site URL where a signed-in user is asked for consent.',
  }),
  oauthServerAuthorizationTtlSeconds: integer({
    default: 600,
    min: 30,
    max: 3600,
    about: 'How long an authorization request and its code can be used.',
  }),
  oauthServerDefaultScope: {
    ...text({ default: 'email', about: 'The scopes of a request that names none, separated by spaces.' }),
    allowed: 'scopes separated by spaces, of openid, profile, email, phone and offline_access',
    read: (raw: unknown) => (typeof raw === 'string' && raw.split(' ').every(isScope) ? raw : undefined),
  },
  rateLimitOauthClientRegistrations: integer({
    default: 10,
    min: 1,
    max: 1_000_000,
    about: 'Applications that register themselves in five minutes from one address.',
  }),
} as const satisfies Declared
