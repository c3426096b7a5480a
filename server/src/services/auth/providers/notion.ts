import { textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

const version = '2021-08-16'

/** @see https://developers.notion.com/docs/authorization */
export const notion: ProviderDefinition = {
  scopes: [],
  takesScopes: false,
  clientAuthentication: 'basic',
  endpoints: (url) => {
    const api = url ?? 'https://api.notion.com'
    return { authorization: `${api}/v1/oauth/authorize`, token: `${api}/v1/oauth/token`, api }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = valueAt(await get(`${api}/v1/users/me`, { 'notion-version': version }), 'bot', 'owner', 'user')
    const subject = textAt(user, 'id')
    const address = textAt(user, 'person', 'email')
    const name = textAt(user, 'name')
    const picture = textAt(user, 'avatar_url')
    return {
      subject,
      // Notion admits no user before the address is confirmed.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}
