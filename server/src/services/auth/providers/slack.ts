import type { ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt } from './json.ts'
import type { Access, ProviderDefinition } from './provider.ts'

/** Slack's older OAuth; `slack_oidc` is the one for new applications. */
export const slack: ProviderDefinition = {
  scopes: ['profile', 'email', 'openid'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? 'https://slack.com'
    return { authorization: `${host}/oauth/authorize`, token: `${host}/api/oauth.access`, api: `${host}/api` }
  },
  // The older OAuth does not tell whether an address is verified; Slack admits no user with one that is not.
  readUser: (access) => readSlackUser(access, () => true),
}

/** @see https://api.slack.com/authentication/sign-in-with-slack */
export const slackOidc: ProviderDefinition = {
  scopes: ['profile', 'email', 'openid'],
  clientAuthentication: 'post',
  endpoints: (url) => {
    const host = url ?? 'https://slack.com'
    return {
      authorization: `${host}/openid/connect/authorize`,
      token: `${host}/api/openid.connect.token`,
      api: `${host}/api`,
    }
  },
  readUser: (access) => readSlackUser(access, (user) => flagAt(user, 'email_verified')),
}

async function readSlackUser(
  { endpoints: { api }, get }: Access,
  isVerified: (user: unknown) => boolean,
): Promise<ProvidedUser> {
  const user = await get(`${api}/openid.connect.userInfo`)
  const subject = textAt(user, 'https://slack.com/user_id')
  const address = textAt(user, 'email')
  const name = textAt(user, 'name')
  const picture = textAt(user, 'picture')
  const team = 'https://slack.com/team_id'
  return {
    subject,
    emails: address === '' ? [] : [{ address, verified: isVerified(user), primary: true }],
    claims: {
      iss: api,
      name,
      picture,
      custom_claims: { [team]: textAt(user, team) },
      avatar_url: picture,
      full_name: name,
      provider_id: subject,
    },
  }
}
