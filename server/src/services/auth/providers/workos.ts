import { textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://workos.com/docs/reference/sso */
export const workos: ProviderDefinition = {
  scopes: [],
  takesScopes: false,
  clientAuthentication: 'post',
  endpoints: (url) => {
    const api = url ?? 'https://api.workos.com'
    return { authorization: `${api}/sso/authorize`, token: `${api}/sso/token`, api }
  },
  // The user comes with the token.
  async readUser({ endpoints: { api }, tokens }) {
    const user = valueAt(tokens.body, 'profile')
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const name = `${textAt(user, 'first_name')} ${textAt(user, 'last_name')}`.trim()
    return {
      subject,
      // The organisation's own identity provider vouches for it.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: {
        iss: api,
        name,
        custom_claims: {
          connection_id: textAt(user, 'connection_id'),
          organization_id: textAt(user, 'organization_id'),
        },
        full_name: name,
        provider_id: subject,
      },
    }
  },
}
