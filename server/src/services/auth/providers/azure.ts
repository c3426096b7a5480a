import type { ProvidedUser } from '../model/provided-user.ts'
import { fieldsExcept, textAt } from './json.ts'
import { claimedIssuer, type IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

const common = 'https://login.microsoftonline.com/common'
/** Issuers of single tenants. */
export const tenantIssuer = /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0\/?$/
const olderIssuer = /^https:\/\/sts\.windows\.net\/[^/]+\/?$/
/** Names that stand for any tenant; no token says them. */
const ofAnyTenant = /\/(common|organizations|consumers)\/v2\.0\/?$/

/**
 * Microsoft Entra ID (Azure Active Directory).
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export const azure: ProviderDefinition = {
  scopes: ['openid'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? common
    return { authorization: `${host}/oauth2/v2.0/authorize`, token: `${host}/oauth2/v2.0/token`, api: '' }
  },
  // The user is read from the ID token only: the userinfo endpoint answers unverified addresses.
  async readUser({ client, tokens, idToken }) {
    const issuer = issuerOfTenant(claimedIssuer(tokens.idToken ?? ''), client.url)
    if (issuer === null) throw new Error('The ID token is of another issuer.')
    const token = await idToken(issuer)
    if (token === null) throw new Error('Microsoft gave no ID token.')
    return readAzureUser(token)
  },
  idTokens: {
    issuer: (claimed, url) => {
      const issuer = issuerOfTenant(claimed, url)
      return issuer === null ? null : { issuer }
    },
    isNamedBy: (issuer) => tenantIssuer.test(issuer),
    read: readAzureUser,
  },
}

/** The issuer, if it is one of Microsoft's and, where the operator named a tenant, of that tenant. */
function issuerOfTenant(claimed: string, url: string | null): string | null {
  const expected = url === null ? null : `${url}/v2.0`
  if (expected !== null && !ofAnyTenant.test(expected)) return claimed === expected ? claimed : null
  return tenantIssuer.test(claimed) || olderIssuer.test(claimed) ? claimed : null
}

const protocolClaims = [
  'aud',
  'iss',
  'iat',
  'nbf',
  'exp',
  'c_hash',
  'at_hash',
  'aio',
  'nonce',
  'rh',
  'uti',
  'jti',
  'ver',
  'sub',
  'name',
  'preferred_username',
]

export function readAzureUser(claims: IdToken): ProvidedUser {
  const subject = textAt(claims, 'sub')
  const address = textAt(claims, 'email')
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified: isVerified(claims.xms_edov), primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      provider_id: subject,
      preferred_username: textAt(claims, 'preferred_username'),
      full_name: textAt(claims, 'name'),
      custom_claims: fieldsExcept(claims, protocolClaims),
    },
  }
}

/**
 * Whether the address is the user's, by the optional claim `xms_edov`. Where it is not configured, Microsoft itself leaves
 * addresses out that it did not verify.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization
 */
const isVerified = (edov: unknown): boolean => edov === undefined || edov === true || edov === '1' || edov === 'true'
