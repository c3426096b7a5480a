import { textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://developers.zoom.us/docs/integrations/oauth/ */
export const zoom: ProviderDefinition = {
  scopes: [],
  takesScopes: false,
  clientAuthentication: 'basic',
  endpoints: (url) => {
    const host = `${url ?? 'https://zoom.us'}/oauth`
    return { authorization: `${host}/authorize`, token: `${host}/token`, api: `${url ?? 'https://api.zoom.us'}/v2` }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/users/me`)
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const name = `${textAt(user, 'first_name')} ${textAt(user, 'last_name')}`.trim()
    const picture = textAt(user, 'pic_url')
    // 100 is a sign-in by e-mail at Zoom, the only one whose address Zoom has to confirm itself.
    const confirmedElsewhere = textAt(user, 'login_type') !== '100'
    const verified = confirmedElsewhere || !['', '0'].includes(textAt(user, 'verified'))
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified, primary: true }],
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}
