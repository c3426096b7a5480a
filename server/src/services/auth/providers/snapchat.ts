import type { ProvidedUser } from '../model/provided-user.ts'
import { textAt, valueAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'
import { readStandardUser } from './standard-user.ts'

export const snapchatIssuer = 'https://accounts.snapchat.com/accounts/oauth2/token'
const question = '{me { externalId displayName bitmoji { avatar id } email } }'
const scope = (name: string): string => `https://auth.snapchat.com/oauth2/api/user.${name}`

/** @see https://developers.snap.com/snap-kit/login-kit/overview */
export const snapchat: ProviderDefinition = {
  scopes: [scope('external_id'), scope('display_name'), scope('bitmoji.avatar')],
  clientAuthentication: 'basic, else post',
  endpoints: (url) => {
    const host = `${url ?? 'https://accounts.snapchat.com'}/accounts/oauth2`
    return {
      authorization: `${host}/auth`,
      token: `${host}/token`,
      api: `${url ?? 'https://kit.snapchat.com'}/v1/me`,
    }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = valueAt(await get(`${api}?${new URLSearchParams({ query: question })}`), 'data', 'me')
    const subject = textAt(user, 'externalId')
    const address = textAt(user, 'email')
    const name = textAt(user, 'displayName')
    const picture = textAt(user, 'bitmoji', 'avatar')
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: {
        iss: snapchatIssuer,
        name,
        picture,
        slug: name,
        avatar_url: picture,
        full_name: name,
        provider_id: subject,
      },
    }
  },
  idTokens: {
    issuer: (_claimed, url) => ({ issuer: url ?? snapchatIssuer }),
    isNamedBy: (issuer, url) => issuer === (url ?? snapchatIssuer),
    read: readSnapchatUser,
  },
}

/** Snapchat gives out verified addresses only. */
export function readSnapchatUser(claims: IdToken): ProvidedUser {
  const user = readStandardUser(claims)
  return { ...user, emails: user.emails.map((email) => ({ ...email, verified: true })) }
}
