import type { ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const googleIssuer = 'https://accounts.google.com'
const userInfo = 'https://www.googleapis.com/userinfo/v2/me'

/** @see https://developers.google.com/identity/openid-connect/openid-connect */
export const google: ProviderDefinition = {
  scopes: ['email', 'profile'],
  clientAuthentication: 'post',
  async endpoints(url, discover) {
    const issuer = url ?? googleIssuer
    const metadata = await discover(issuer)
    const { authorization_endpoint: authorization = '', token_endpoint: token = '', userinfo_endpoint } = metadata
    return { authorization, token, api: url === null ? userInfo : (userinfo_endpoint ?? ''), metadata }
  },
  async readUser({ endpoints: { api }, client, idToken, get }) {
    const token = await idToken(client.url ?? googleIssuer)
    // Without the scope `openid` there need not be an ID token.
    return token === null ? readGoogleUser({ ...((await get(api)) as object), iss: api }) : readGoogleUser(token)
  },
  idTokens: {
    issuer: (_claimed, url) => ({ issuer: url ?? googleIssuer, also: ['accounts.google.com'] }),
    isNamedBy: (issuer, url) => issuer === (url ?? googleIssuer),
    read: readGoogleUser,
  },
}

/** Reads an ID token, or the older answer about a user that has `id` and `verified_email`. */
export function readGoogleUser(claims: IdToken | object): ProvidedUser {
  const subject = textAt(claims, 'sub') || textAt(claims, 'id')
  const address = textAt(claims, 'email')
  const verified = flagAt(claims, 'email_verified') || flagAt(claims, 'verified_email')
  const name = textAt(claims, 'name')
  const picture = textAt(claims, 'picture')
  const hostedDomain = textAt(claims, 'hd')
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified, primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      name,
      picture,
      avatar_url: picture,
      full_name: name,
      provider_id: subject,
      ...(hostedDomain === '' ? {} : { custom_claims: { hd: hostedDomain } }),
    },
  }
}
