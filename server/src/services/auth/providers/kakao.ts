import type { ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt, valueAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const kakaoIssuer = 'https://kauth.kakao.com'

/** @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
export const kakao: ProviderDefinition = {
  scopes: ['account_email', 'profile_image', 'profile_nickname'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = `${url ?? kakaoIssuer}/oauth`
    return { authorization: `${host}/authorize`, token: `${host}/token`, api: url ?? 'https://kapi.kakao.com' }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/v2/user/me`)
    const account = valueAt(user, 'kakao_account')
    const subject = textAt(user, 'id')
    const address = textAt(account, 'email')
    const verified = flagAt(account, 'is_email_verified') && flagAt(account, 'is_email_valid')
    const name = textAt(account, 'profile', 'nickname')
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified, primary: true }],
      claims: {
        iss: api,
        name,
        preferred_username: name,
        avatar_url: textAt(account, 'profile', 'profile_image_url'),
        full_name: name,
        provider_id: subject,
        user_name: name,
      },
    }
  },
  idTokens: {
    issuer: (_claimed, url) => ({ issuer: url ?? kakaoIssuer }),
    isNamedBy: (issuer, url) => issuer === (url ?? kakaoIssuer),
    read: readKakaoUser,
  },
}

export function readKakaoUser(claims: IdToken): ProvidedUser {
  const subject = textAt(claims, 'sub')
  const address = textAt(claims, 'email')
  const name = textAt(claims, 'nickname')
  return {
    subject,
    // Kakao puts an address into a token only when it is verified.
    emails: address === '' ? [] : [{ address, verified: true, primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      name,
      preferred_username: name,
      picture: textAt(claims, 'picture'),
      provider_id: subject,
    },
  }
}
