import { textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://developers.figma.com/docs/rest-api/authentication/ */
export const figma: ProviderDefinition = {
  scopes: ['current_user:read'],
  clientAuthentication: 'basic',
  endpoints: (url) => {
    const api = url ?? 'https://api.figma.com'
    return { authorization: `${url ?? 'https://www.figma.com'}/oauth`, token: `${api}/v1/oauth/token`, api }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/v1/me`)
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const name = textAt(user, 'handle')
    return {
      subject,
      // Figma admits no user before the address is confirmed.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: { iss: api, name, avatar_url: textAt(user, 'img_url'), full_name: name, provider_id: subject },
    }
  },
}
