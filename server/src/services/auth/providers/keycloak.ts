import { fieldsExcept, flagAt, textAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'
import { readStandardUser } from './standard-user.ts'

/** @see https://www.keycloak.org/securing-apps/oidc-layers */
export const keycloak: ProviderDefinition = {
  scopes: ['profile', 'email'],
  clientAuthentication: 'basic, else post',
  // There is no Keycloak of everybody's: the address, with its realm, is the operator's.
  endpoints: (url) => {
    const api = `${url ?? ''}/protocol/openid-connect`
    return { authorization: `${api}/auth`, token: `${api}/token`, api }
  },
  async readUser({ endpoints: { api }, client, get }) {
    const user = await get(`${api}/userinfo`)
    const subject = textAt(user, 'sub')
    const address = textAt(user, 'email')
    const name = textAt(user, 'name')
    return {
      subject,
      emails: address === '' ? [] : [{ address, verified: flagAt(user, 'email_verified'), primary: true }],
      claims: {
        iss: client.url ?? '',
        name,
        custom_claims: fieldsExcept(user, ['name', 'sub', 'email', 'email_verified']),
        full_name: name,
        provider_id: subject,
      },
    }
  },
  idTokens: {
    issuer: (_claimed, url) => (url === null ? null : { issuer: url }),
    isNamedBy: (issuer, url) => url !== null && issuer === url,
    read: readStandardUser,
  },
}
