import { listAt, textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://docs.gitlab.com/api/oauth2/ */
export const gitlab: ProviderDefinition = {
  scopes: ['read_user'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? 'https://gitlab.com'
    return { authorization: `${host}/oauth/authorize`, token: `${host}/oauth/token`, api: host }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/api/v4/user`)
    const others = listAt(await get(`${api}/api/v4/user/emails`))
    const subject = textAt(user, 'id')
    const name = textAt(user, 'name')
    const picture = textAt(user, 'avatar_url')
    const primary = textAt(user, 'email')
    return {
      subject,
      emails: [
        // Of further addresses GitLab does not tell whether they are confirmed.
        ...others.flatMap((email) => {
          const address = textAt(email, 'email')
          return address === '' || address === primary ? [] : [{ address, verified: false, primary: false }]
        }),
        ...(primary === '' ? [] : [{ address: primary, verified: textAt(user, 'confirmed_at') !== '', primary: true }]),
      ],
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}
