import { randomBytes } from 'node:crypto'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { authError } from '../model/errors.ts'
import type { ProvidedUser } from '../model/provided-user.ts'
import { textAt } from './json.ts'
import { type OAuth1Request, signOAuth1 } from './oauth1.ts'
import type { Provider, ProviderClient } from './provider.ts'

const profileQuery = 'include_entities=false&skip_status=true&include_email=true'

/**
 * Twitter's OAuth 1.0a; `x` is the OAuth 2 of the same company. Its code verifier is the request token's secret.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-1-0a/obtaining-user-access-tokens
 */
export function createTwitter(
  client: ProviderClient,
  emailOptional: boolean,
  { outbound, now }: { readonly outbound: Outbound; readonly now: () => Date },
): Provider {
  const host = client.url ?? 'https://api.twitter.com'
  const profileUrl = `${host}/1.1/account/verify_credentials.json`

  const call = async (request: Pick<OAuth1Request, 'method' | 'url' | 'token' | 'extra'>): Promise<Response> => {
    const authorization = signOAuth1({
      ...request,
      consumer: { key: client.id, secret: await client.secret() },
      nonce: randomBytes(16).toString('hex'),
      timestampSeconds: Math.floor(now().getTime() / 1000),
    })
    const response = await outbound(request.url, { method: request.method, headers: { authorization } })
    if (!response.ok) throw new Error(`${new URL(request.url).pathname} answered ${response.status}.`)
    return response
  }

  const callForm = async (request: Parameters<typeof call>[0]): Promise<URLSearchParams> =>
    new URLSearchParams(await (await call(request)).text())

  return {
    name: 'twitter',
    emailOptional,
    codeParameter: 'oauth_verifier',
    hasCodeVerifier: true,

    async authorize({ state }) {
      const callback = `${client.redirectUri}?${new URLSearchParams({ state })}`
      const url = `${host}/oauth/request_token`
      const answer = await callForm({ method: 'POST', url, extra: { oauth_callback: callback } })
      const query = new URLSearchParams({ oauth_token: answer.get('oauth_token') ?? '' })
      return { url: `${host}/oauth/authenticate?${query}`, codeVerifier: answer.get('oauth_token_secret') ?? '' }
    },

    async exchange({ parameters, codeVerifier }) {
      const requestToken = { key: parameters.get('oauth_token') ?? '', secret: codeVerifier ?? '' }
      const extra = { oauth_verifier: parameters.get('oauth_verifier') ?? '' }
      const url = `${host}/oauth/access_token`
      const answer = await callForm({ method: 'POST', url, token: requestToken, extra }).catch((cause: unknown) => {
        throw authError('unexpected_failure', { message: 'Unable to retrieve access token', cause })
      })
      const token = { key: answer.get('oauth_token') ?? '', secret: answer.get('oauth_token_secret') ?? '' }
      const profile = await call({ method: 'GET', url: `${profileUrl}?${profileQuery}`, token })
      const user = readTwitterUser(await profile.json(), profileUrl)
      if (user.subject === '') throw new Error('Twitter did not say who the user is.')
      return { user, accessToken: token.key, refreshToken: null }
    },
  }
}

function readTwitterUser(user: unknown, issuer: string): ProvidedUser {
  const subject = textAt(user, 'id_str')
  const address = textAt(user, 'email')
  const name = textAt(user, 'name')
  const username = textAt(user, 'screen_name')
  const picture = textAt(user, 'profile_image_url_https')
  return {
    subject,
    // Twitter tells an address only once it is verified.
    emails: address === '' ? [] : [{ address, verified: true, primary: true }],
    claims: {
      iss: issuer,
      name,
      picture,
      preferred_username: username,
      user_name: username,
      full_name: name,
      avatar_url: picture,
      provider_id: subject,
    },
  }
}
