import type { ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt } from './json.ts'
import type { IdToken } from './oidc.ts'
import type { ProviderDefinition } from './provider.ts'

export const linkedinIssuer = 'https://www.linkedin.com/oauth'

const endpoints = (url: string | null) => {
  const api = url ?? 'https://api.linkedin.com'
  return { authorization: `${api}/oauth/v2/authorization`, token: `${api}/oauth/v2/accessToken`, api }
}

/** LinkedIn's older OAuth; `linkedin_oidc` is the one for new applications. */
export const linkedin: ProviderDefinition = {
  scopes: ['r_emailaddress', 'r_liteprofile'],
  clientAuthentication: 'post',
  endpoints,
  async readUser({ endpoints: { api }, get }) {
    const profile = '(id,firstName,lastName,profilePicture(displayImage~:playableStreams))'
    const user = await get(`${api}/v2/me?projection=${profile}`)
    const contact = await get(`${api}/v2/emailAddress?q=members&projection=(elements*(handle~))`)
    const subject = textAt(user, 'id')
    const address = textAt(contact, 'elements', 0, 'handle~', 'emailAddress')
    const name = `${localized(user, 'firstName')} ${localized(user, 'lastName')}`.trim()
    const image = ['profilePicture', 'displayImage~', 'elements', 0, 'identifiers', 0, 'identifier'] as const
    const picture = textAt(user, ...image)
    return {
      subject,
      // The scope gives the primary address only, which is verified.
      emails: address === '' ? [] : [{ address, verified: true, primary: true }],
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}

/** A name in the language its owner prefers. */
function localized(user: unknown, field: string): string {
  const language = textAt(user, field, 'preferredLocale', 'language')
  const country = textAt(user, field, 'preferredLocale', 'country')
  return textAt(user, field, 'localized', `${language}_${country}`)
}

/** @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedinOidc: ProviderDefinition = {
  scopes: ['openid', 'email', 'profile'],
  clientAuthentication: 'post',
  endpoints,
  async readUser({ client, idToken }) {
    const token = await idToken(client.url ?? linkedinIssuer)
    if (token === null) throw new Error('LinkedIn gave no ID token.')
    return readLinkedinUser(token)
  },
}

export function readLinkedinUser(claims: IdToken): ProvidedUser {
  const subject = textAt(claims, 'sub')
  const address = textAt(claims, 'email')
  const givenName = textAt(claims, 'given_name')
  const family = textAt(claims, 'family_name')
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified: flagAt(claims, 'email_verified'), primary: true }],
    claims: {
      iss: textAt(claims, 'iss'),
      name: `${givenName} ${family}`.trim(),
      given_name: givenName,
      family_name: family,
      locale: textAt(claims, 'locale'),
      picture: textAt(claims, 'picture'),
      provider_id: subject,
    },
  }
}
