import { textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

const fields = 'id,name,username,confirmed_email,profile_image_url,url,created_at'

/** X, by OAuth 2; `twitter` is its older OAuth 1.0a. @see https://docs.x.com/resources/fundamentals/authentication */
export const x: ProviderDefinition = {
  scopes: ['users.email', 'tweet.read', 'users.read', 'offline.access'],
  clientAuthentication: 'basic',
  pkce: true,
  endpoints: (url) => {
    const api = url ?? 'https://api.x.com'
    return { authorization: `${url ?? 'https://x.com'}/i/oauth2/authorize`, token: `${api}/2/oauth2/token`, api }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = valueAt(await get(`${api}/2/users/me?user.fields=${fields}`), 'data')
    const subject = textAt(user, 'id')
    const address = textAt(user, 'confirmed_email')
    const name = textAt(user, 'name')
    const username = textAt(user, 'username')
    const picture = textAt(user, 'profile_image_url')
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: {
        iss: api,
        name,
        preferred_username: username,
        picture,
        profile: `https://x.com/${username}`,
        website: textAt(user, 'url'),
        custom_claims: { created_at: textAt(user, 'created_at') },
        avatar_url: picture,
        full_name: name,
        provider_id: subject,
        user_name: username,
      },
    }
  },
}
