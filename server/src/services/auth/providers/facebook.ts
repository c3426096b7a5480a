import { createHmac } from 'node:crypto'
import type { ProvidedUser } from '../model/provided-user.ts'
import { textAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const facebookIssuer = 'https://www.facebook.com'

/** @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const facebook: ProviderDefinition = {
  scopes: ['email'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const graph = url ?? 'https://graph.facebook.com'
    return {
      authorization: `${url ?? facebookIssuer}/dialog/oauth`,
      token: `${graph}/oauth/access_token`,
      api: `${graph}/me?fields=email,first_name,last_name,name,picture`,
    }
  },
  async readUser({ endpoints: { api }, client, tokens, get }) {
    // Proves that the call comes from the owner of the secret and not from a finder of the token.
    const proof = createHmac('sha256', await client.secret())
      .update(tokens.accessToken)
      .digest('hex')
    const user = await get(`${api}&appsecret_proof=${proof}`)
    const subject = textAt(user, 'id')
    const name = `${textAt(user, 'first_name')} ${textAt(user, 'last_name')}`.trim()
    const alias = textAt(user, 'name')
    const picture = textAt(user, 'picture', 'data', 'url')
    return {
      subject,
      emails: verifiedEmail(textAt(user, 'email')),
      claims: {
        iss: api,
        name,
        nickname: alias,
        picture,
        slug: alias,
        avatar_url: picture,
        full_name: name,
        provider_id: subject,
      },
    }
  },
  // Limited Login of the mobile SDKs.
  idTokens: {
    issuer: (_claimed, url) => ({ issuer: url ?? facebookIssuer }),
    isNamedBy: (issuer, url) => issuer === (url ?? facebookIssuer),
    read: readFacebookUser,
    skipsNonce: true,
  },
}

export function readFacebookUser(claims: IdToken): ProvidedUser {
  const subject = textAt(claims, 'sub')
  return {
    subject,
    emails: verifiedEmail(textAt(claims, 'email')),
    claims: {
      iss: textAt(claims, 'iss'),
      name: textAt(claims, 'name'),
      picture: textAt(claims, 'picture'),
      provider_id: subject,
    },
  }
}

/** Facebook gives out confirmed addresses only. */
const verifiedEmail = (address: string): ProvidedUser['emails'] =>
  address === '' ? [] : [{ address, verified: true, primary: true }]
