import { flagAt, listAt, textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/ */
export const bitbucket: ProviderDefinition = {
  scopes: ['account', 'email'],
  takesScopes: false,
  clientAuthentication: 'basic',
  endpoints: (url) => {
    const host = `${url ?? 'https://bitbucket.org'}/site/oauth2`
    return {
      authorization: `${host}/authorize`,
      token: `${host}/access_token`,
      api: `${url ?? 'https://api.bitbucket.org'}/2.0`,
    }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/user`)
    const emails = listAt(await get(`${api}/user/emails`), 'values')
    const subject = textAt(user, 'uuid')
    const name = textAt(user, 'display_name')
    const picture = textAt(user, 'avatar', 'href') || textAt(user, 'links', 'avatar', 'href')
    return {
      subject,
      emails: emails.flatMap((email) => {
        const address = textAt(email, 'email')
        const verified = flagAt(email, 'is_confirmed')
        return address === '' ? [] : [{ address, verified, primary: flagAt(email, 'is_primary') }]
      }),
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}
