import type { CustomProvider } from '../model/custom-provider.ts'
import { leadingEmail, type ProvidedClaims, type ProvidedUser } from '../model/provided-user.ts'
import { textAt, valueAt } from './json.ts'
import { readUserOfIssuer } from './known-issuers.ts'
import type { Access, ProviderDefinition } from './provider.ts'
import { readStandardUser } from './standard-user.ts'

/** The definition of a custom provider. The application's scopes take the place of the provider's own. */
export function customDefinition(custom: CustomProvider): ProviderDefinition {
  const { issuer } = custom
  return {
    scopes: issuer === null ? [] : ['openid'],
    defaultScopes: custom.scopes,
    clientAuthentication: 'basic, else post',
    pkce: custom.pkceEnabled,
    parameters: custom.authorizationParams,
    async endpoints(_url, discover) {
      const { authorizationUrl, tokenUrl, userinfoUrl } = custom
      if (issuer === null)
        return { authorization: authorizationUrl ?? '', token: tokenUrl ?? '', api: userinfoUrl ?? '' }
      const metadata = await discover(issuer, custom.discoveryUrl)
      const { authorization_endpoint: authorization = '', token_endpoint: token = '' } = metadata
      return { authorization, token, api: metadata.userinfo_endpoint ?? '', metadata }
    },
    readUser: (access) => readCustomUser(custom, access),
  }
}

async function readCustomUser(custom: CustomProvider, { endpoints, idToken, get }: Access): Promise<ProvidedUser> {
  const { issuer } = custom
  const token = issuer === null ? null : await idToken(issuer, { discoveryUrl: custom.discoveryUrl })
  if (token !== null) return shapeUser(custom, readUserOfIssuer(token), token)
  const answer = await get(endpoints.api)
  return shapeUser(custom, readStandardUser(answer), answer)
}

/**
 * Applies what an administrator said about claims. An address that was put in the place of another is verified only when
 * the provider verified that very one.
 *
 * @param raw every claim as the provider gave it
 */
function shapeUser(custom: CustomProvider, user: ProvidedUser, raw: unknown): ProvidedUser {
  const source = { ...(raw as object), ...user.claims, sub: user.subject, email: leadingEmail(user)?.address }
  const mapped = Object.entries(custom.attributeMapping).flatMap(([target, from]) => {
    const value = typeof from === 'string' ? valueAt(source, from) : from
    return value === undefined ? [] : [[target, value] as const]
  })
  const changed = readStandardUser(Object.fromEntries(mapped))
  const allowed = custom.customClaimsAllowlist.flatMap((name) => {
    const value = valueAt(raw, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const customClaims = { ...user.claims.custom_claims, ...Object.fromEntries(allowed), ...changed.claims.custom_claims }
  const isVerified = (address: string): boolean =>
    user.emails.some((email) => email.verified && email.address.toLowerCase() === address.toLowerCase())
  return {
    subject: textAt(changed, 'subject') || user.subject,
    emails:
      changed.emails.length === 0
        ? user.emails
        : changed.emails.map((email) => ({ ...email, verified: isVerified(email.address) })),
    claims: {
      ...user.claims,
      ...filled(changed.claims),
      ...(Object.keys(customClaims).length === 0 ? {} : { custom_claims: customClaims }),
    },
  }
}

const filled = (claims: ProvidedClaims): ProvidedClaims =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== ''))
