import type { OAuthServerDeps } from './deps.ts'
import { supportedScopes } from './scopes.ts'

/**
 * What clients learn about this server (OpenID Connect Discovery §3, RFC 8414 §2; auth §19). One document is both.
 */
export function describeServer(settings: OAuthServerDeps['settings']): Readonly<Record<string, unknown>> {
  const issuer = settings.jwtIssuer ?? settings.externalUrl
  const base = issuer.replace(/\/+$/, '')
  const mayRegister = settings.oauthServerEnabled && settings.oauthServerAllowDynamicRegistration
  return {
    issuer,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    userinfo_endpoint: `${base}/oauth/userinfo`,
    ...(mayRegister ? { registration_endpoint: `${base}/oauth/clients/register` } : {}),
    scopes_supported: supportedScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    claims_supported: [
      'sub',
      'aud',
      'iss',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'email',
      'email_verified',
      'phone_number',
      'phone_number_verified',
      'name',
      'picture',
      'preferred_username',
      'updated_at',
    ],
    code_challenge_methods_supported: ['S256', 'plain'],
  }
}
