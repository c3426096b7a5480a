import { textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/ */
export const twitch: ProviderDefinition = {
  scopes: ['user:read:email'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? 'https://id.twitch.tv'
    return {
      authorization: `${host}/oauth2/authorize`,
      token: `${host}/oauth2/token`,
      api: url ?? 'https://api.twitch.tv',
    }
  },
  async readUser({ endpoints: { api }, client, get }) {
    const user = valueAt(await get(`${api}/helix/users`, { 'client-id': client.id }), 'data', 0)
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const login = textAt(user, 'login')
    const shown = textAt(user, 'display_name')
    const picture = textAt(user, 'profile_image_url')
    return {
      subject,
      // Twitch tells an address only once it is verified.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: {
        iss: api,
        name: login,
        nickname: shown,
        picture,
        custom_claims: {
          broadcaster_type: textAt(user, 'broadcaster_type'),
          description: textAt(user, 'description'),
          type: textAt(user, 'type'),
          offline_image_url: textAt(user, 'offline_image_url'),
          view_count: Number(valueAt(user, 'view_count') ?? 0),
        },
        slug: shown,
        avatar_url: picture,
        full_name: login,
        provider_id: subject,
      },
    }
  },
}
