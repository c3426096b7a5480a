import type { ProvidedUser } from '../model/provided-user.ts'
import { textAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const vercelIssuer = 'https://marketplace.vercel.com'

/** @see https://vercel.com/docs/integrations/create-integration/marketplace-api */
export const vercelMarketplace: ProviderDefinition = {
  scopes: [],
  clientAuthentication: 'basic, else post',
  endpoints: (url) => {
    const api = url ?? 'https://api.vercel.com'
    return { authorization: `${api}/oauth/v2/authorization`, token: `${api}/oauth/v2/accessToken`, api }
  },
  async readUser({ client, idToken }) {
    const token = await idToken(client.url ?? vercelIssuer)
    if (token === null) throw new Error('Vercel gave no ID token.')
    return readVercelUser(token)
  },
  idTokens: {
    issuer: (_claimed, url) => ({ issuer: url ?? vercelIssuer }),
    isNamedBy: (issuer, url) => issuer === (url ?? vercelIssuer),
    read: readVercelUser,
  },
}

export function readVercelUser(claims: IdToken): ProvidedUser {
  const globalId = textAt(claims, 'global_user_id')
  const subject = globalId === '' ? textAt(claims, 'sub') : `global_user_id:${globalId}`
  const address = textAt(claims, 'user_email')
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified: true, primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      name: textAt(claims, 'user_name'),
      picture: textAt(claims, 'user_avatar_url'),
      provider_id: subject,
    },
  }
}
