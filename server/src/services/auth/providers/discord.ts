import { flagAt, textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://discord.com/developers/docs/topics/oauth2 */
export const discord: ProviderDefinition = {
  scopes: ['email', 'identify'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const api = `${url ?? 'https://discord.com'}/api`
    return { authorization: `${api}/oauth2/authorize`, token: `${api}/oauth2/token`, api }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/users/@me`)
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const username = textAt(user, 'username')
    const discriminator = textAt(user, 'discriminator')
    const picture = pictureOf(subject, textAt(user, 'avatar'), discriminator)
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified: flagAt(user, 'verified'), primary: true }],
      claims: {
        iss: api,
        name: `${username}#${discriminator}`,
        picture,
        custom_claims: { global_name: textAt(user, 'global_name') },
        avatar_url: picture,
        full_name: username,
        provider_id: subject,
      },
    }
  },
}

/** @see https://discord.com/developers/docs/reference#image-formatting-cdn-endpoints */
function pictureOf(id: string, avatar: string, discriminator: string): string {
  const cdn = 'https://cdn.discordapp.com'
  if (avatar === '') return `${cdn}/embed/avatars/${(Number(discriminator) || 0) % 5}.png`
  // Moving pictures have a hash that begins with a_.
  return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
}
