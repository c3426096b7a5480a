import Type from 'typebox'
import { type Declared, matching, setting, text, type Values } from '../../../ground/settings/setting.ts'
import { isScope } from './scopes.ts'

const scopes = {
  allowed: 'scopes separated by spaces, of openid, profile, email, phone and offline_access',
  fits: (text: string): boolean => text.split(' ').every(isScope),
} as const

/** The settings of the OAuth 2.1 server; names follow `[auth.oauth_server]` of a project's `config.toml`. */
export const oauthServerSettings = {
  oauthServerEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether other applications may sign users in through this one (OAuth 2.1 and OpenID Connect).',
  }),
  oauthServerAllowDynamicRegistration: setting(Type.Boolean(), {
    default: false,
    description: 'Whether such applications may register themselves (RFC 7591).',
  }),
  oauthServerAuthorizationUrlPath: setting(text, {
    default: '/oauth/consent',
    description: 'The path below the site URL where a signed-in user is asked for consent.',
  }),
  oauthServerAuthorizationTtlSeconds: setting(Type.Integer({ minimum: 30, maximum: 3600 }), {
    default: 600,
    description: 'How long an authorization request and its code can be used.',
  }),
  oauthServerDefaultScope: setting(matching(scopes), {
    default: 'email',
    description: 'The scopes of a request that names none, separated by spaces.',
  }),
  rateLimitOauthClientRegistrations: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 10,
    description: 'Applications that register themselves in five minutes from one address.',
  }),
} as const satisfies Declared

export type OAuthServerSettings = Values<typeof oauthServerSettings>
