import { textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://fly.io/docs/reference/extensions_api/#single-sign-on-flow */
export const fly: ProviderDefinition = {
  scopes: ['read'],
  clientAuthentication: 'basic, else post',
  endpoints: (url) => {
    const api = url ?? 'https://api.fly.io'
    return { authorization: `${api}/oauth/authorize`, token: `${api}/oauth/token`, api }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/oauth/token/info`)
    const subject = textAt(user, 'user_id')
    const address = textAt(user, 'email')
    const custom = ['resource_owner_id', 'organizations', 'application', 'scope', 'created_at']
    return {
      subject,
      // Fly is the one that gives out the address, to those who run on it.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: {
        iss: api,
        full_name: textAt(user, 'user_name'),
        provider_id: subject,
        custom_claims: Object.fromEntries(custom.map((name) => [name, valueAt(user, name) ?? null])),
      },
    }
  },
}
