import { importPKCS8, SignJWT } from 'jose'
import type { ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt, valueAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const appleIssuer = 'https://appleid.apple.com'
/** The name Apple's tokens may have as well; its metadata names the first. */
const otherIssuer = 'https://account.apple.com'

/** @see https://developer.apple.com/documentation/signinwithapplerestapi */
export const apple: ProviderDefinition = {
  scopes: ['email', 'name'],
  takesScopes: false,
  clientAuthentication: 'post',
  // Apple demands it as soon as a name or an address is asked for.
  parameters: { response_mode: 'form_post' },
  async endpoints(url, discover) {
    const metadata = await discover(url ?? appleIssuer)
    const { authorization_endpoint: authorization = '', token_endpoint: token = '' } = metadata
    return { authorization, token, api: '', metadata }
  },
  async readUser({ client, idToken, parameters }) {
    const token = await idToken(client.url ?? appleIssuer, { also: [otherIssuer] })
    if (token === null) throw new Error('Apple gave no ID token.')
    const user = readAppleUser(token)
    const name = nameIn(parameters.get('user') ?? '')
    return name === '' ? user : { ...user, claims: { ...user.claims, name, full_name: name } }
  },
  idTokens: {
    issuer: (claimed, url) => {
      const issuer = url ?? appleIssuer
      return claimed === issuer || claimed === otherIssuer ? { issuer, also: [otherIssuer] } : null
    },
    isNamedBy: (issuer, url) => issuer === (url ?? appleIssuer) || issuer === otherIssuer,
    read: readAppleUser,
  },
}

/** Addresses at Apple are always verified, those that hide the user's own, too. */
export function readAppleUser(claims: IdToken): ProvidedUser {
  const subject = textAt(claims, 'sub')
  const address = textAt(claims, 'email')
  const custom = {
    ...(claims.is_private_email === undefined ? {} : { is_private_email: flagAt(claims, 'is_private_email') }),
    ...(typeof claims.auth_time === 'number' ? { auth_time: claims.auth_time } : {}),
    ...(textAt(claims, 'transfer_sub') === '' ? {} : { transfer_sub: textAt(claims, 'transfer_sub') }),
  }
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified: true, primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      provider_id: subject,
      ...(Object.keys(custom).length === 0 ? {} : { custom_claims: custom }),
    },
  }
}

/** The name in the form that Apple posts, once in the life of an account: the browser's word, so good for showing only. */
function nameIn(user: string): string {
  try {
    const posted: unknown = JSON.parse(user)
    return `${textAt(valueAt(posted, 'name'), 'firstName')} ${textAt(valueAt(posted, 'name'), 'lastName')}`.trim()
  } catch {
    return ''
  }
}

const minutes = 5

/**
 * Makes Apple's client secret: a token signed with the developer's key, which lives for minutes.
 *
 * @param key PEM of the .p8 file
 * @see       https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function createAppleSecret(
  { teamId, keyId, key, clientId }: Readonly<Record<'teamId' | 'keyId' | 'key' | 'clientId', string>>,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(appleIssuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + minutes * 60)
    .sign(await importPKCS8(key, 'ES256'))
}
