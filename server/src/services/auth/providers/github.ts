import { flagAt, listAt, textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

const publicApi = 'https://api.github.com'

/** @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: ProviderDefinition = {
  scopes: ['user:email'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? 'https://github.com'
    return {
      authorization: `${host}/login/oauth/authorize`,
      token: `${host}/login/oauth/access_token`,
      // GitHub Enterprise Server has its API below its own address.
      api: url === null ? publicApi : `${url}/api/v3`,
    }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/user`)
    const emails = listAt(await get(`${api}/user/emails`))
    const name = textAt(user, 'name')
    const login = textAt(user, 'login')
    const subject = textAt(user, 'id')
    return {
      subject,
      emails: emails.flatMap((email) => {
        const address = textAt(email, 'email')
        return address === ''
          ? []
          : [{ address, verified: flagAt(email, 'verified'), primary: flagAt(email, 'primary') }]
      }),
      claims: {
        iss: api,
        name,
        preferred_username: login,
        avatar_url: textAt(user, 'avatar_url'),
        full_name: name,
        provider_id: subject,
        user_name: login,
      },
    }
  },
}
