import type { AuthSettings } from '../../../../src/services/auth/index.ts'
import type { Outside, OutsideAnswer } from '../../../outside.ts'

/** One provider: where users are sent, what it answers as documented, and what becomes of it (auth §13). */
export interface ProviderCase {
  readonly provider: string
  /** The authorization address below the provider's own. */
  readonly authorizePath: string
  readonly scope: string | null
  readonly settings?: Partial<AuthSettings>
  /** What its servers answer, by path. */
  readonly answers: (outside: Outside) => Promise<Readonly<Record<string, OutsideAnswer>>>
  /** What the token endpoint must have been asked with. */
  readonly authentication: 'basic' | 'post'
  readonly subject: string
  readonly email: string
  readonly verified: boolean
  /** A part of the identity's data. */
  readonly data: object
}

const token = { access_token: 'their token', token_type: 'bearer', refresh_token: 'their refresh token' }
const client = 'the client'

/** Answers of OAuth providers whose token and user come as plain JSON. */
const plain =
  (answers: Readonly<Record<string, OutsideAnswer>>): ProviderCase['answers'] =>
  async () =>
    answers

/** An answer with an ID token of the issuer at `path`. */
const withIdToken =
  (tokenPath: string, claims: object, path = ''): ProviderCase['answers'] =>
  async (outside) => {
    outside.describeIssuer(path)
    const idToken = await outside.sign({ aud: client, ...claims }, { issuer: `${outside.url}${path}` })
    return { [tokenPath]: { ...token, id_token: idToken } }
  }

export const providerCases: readonly ProviderCase[] = [
  {
    provider: 'apple',
    authorizePath: '/authorize',
    scope: 'email name',
    answers: withIdToken('/token', { sub: 'a1', email: 'a1@privaterelay.appleid.com', is_private_email: 'true' }),
    authentication: 'post',
    subject: 'a1',
    email: 'a1@privaterelay.appleid.com',
    verified: true,
    data: { custom_claims: { is_private_email: true }, provider_id: 'a1' },
  },
  {
    provider: 'azure',
    authorizePath: '/oauth2/v2.0/authorize',
    scope: 'openid',
    answers: withIdToken(
      '/oauth2/v2.0/token',
      { sub: 'm1', email: 'ann@contoso.com', name: 'Ann', preferred_username: 'ann', xms_edov: false, tid: 't1' },
      '/v2.0',
    ),
    authentication: 'post',
    subject: 'm1',
    email: 'ann@contoso.com',
    verified: false,
    data: { full_name: 'Ann', preferred_username: 'ann', custom_claims: { tid: 't1' } },
  },
  {
    provider: 'bitbucket',
    authorizePath: '/site/oauth2/authorize',
    scope: 'account email',
    answers: plain({
      '/site/oauth2/access_token': token,
      '/2.0/user': { uuid: '{b1}', display_name: 'Ann', links: { avatar: { href: 'https://b.test/a.png' } } },
      '/2.0/user/emails': {
        values: [
          { email: 'old@example.com', is_primary: false, is_confirmed: true },
          { email: 'ann@example.com', is_primary: true, is_confirmed: true },
        ],
      },
    }),
    authentication: 'basic',
    subject: '{b1}',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', avatar_url: 'https://b.test/a.png' },
  },
  {
    provider: 'discord',
    authorizePath: '/api/oauth2/authorize',
    scope: 'email identify',
    answers: plain({
      '/api/oauth2/token': token,
      '/api/users/@me': {
        id: '80351110224678912',
        username: 'nelly',
        discriminator: '1337',
        global_name: 'Nelly',
        avatar: 'a_8342729096ea3675442027381ff50dfe',
        verified: true,
        email: 'nelly@example.com',
      },
    }),
    authentication: 'post',
    subject: '80351110224678912',
    email: 'nelly@example.com',
    verified: true,
    data: {
      name: 'nelly#1337',
      full_name: 'nelly',
      custom_claims: { global_name: 'Nelly' },
      picture: 'https://cdn.discordapp.com/avatars/80351110224678912/a_8342729096ea3675442027381ff50dfe.gif',
    },
  },
  {
    provider: 'facebook',
    authorizePath: '/dialog/oauth',
    scope: 'email',
    answers: plain({
      '/oauth/access_token': { access_token: 'their token', token_type: 'bearer', expires_in: 5_183_944 },
      '/me': ({ path }) =>
        path.includes('appsecret_proof=')
          ? {
              body: {
                id: 'f1',
                email: 'ann@example.com',
                first_name: 'Ann',
                last_name: 'Hill',
                name: 'Ann Hill',
                picture: { data: { url: 'https://f.test/a.png' } },
              },
            }
          : { status: 400, body: { error: { message: 'API calls from the server require an appsecret_proof' } } },
    }),
    authentication: 'post',
    subject: 'f1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann Hill', nickname: 'Ann Hill', picture: 'https://f.test/a.png' },
  },
  {
    provider: 'figma',
    authorizePath: '/oauth',
    scope: 'current_user:read',
    answers: plain({
      '/v1/oauth/token': token,
      '/v1/me': { id: 'g1', email: 'ann@example.com', handle: 'Ann', img_url: 'https://f.test/a.png' },
    }),
    authentication: 'basic',
    subject: 'g1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', avatar_url: 'https://f.test/a.png' },
  },
  {
    provider: 'fly',
    authorizePath: '/oauth/authorize',
    scope: 'read',
    answers: plain({
      '/oauth/token': token,
      '/oauth/token/info': {
        resource_owner_id: 'r1',
        scope: ['read'],
        user_id: 'y1',
        user_name: 'Ann',
        email: 'ann@example.com',
        organizations: [{ id: 'o1', role: 'admin' }],
      },
    }),
    authentication: 'basic',
    subject: 'y1',
    email: 'ann@example.com',
    verified: true,
    data: {
      full_name: 'Ann',
      custom_claims: { resource_owner_id: 'r1', organizations: [{ id: 'o1', role: 'admin' }] },
    },
  },
  {
    provider: 'github',
    authorizePath: '/login/oauth/authorize',
    scope: 'user:email',
    answers: plain({
      '/login/oauth/access_token': { access_token: 'their token', token_type: 'bearer', scope: 'user:email' },
      '/api/v3/user': {
        id: 583231,
        login: 'octocat',
        name: 'The Octocat',
        email: null,
        avatar_url: 'https://g.test/a',
      },
      '/api/v3/user/emails': [
        { email: 'octocat@example.com', primary: true, verified: true, visibility: 'private' },
        { email: 'other@example.com', primary: false, verified: false, visibility: null },
      ],
    }),
    authentication: 'post',
    subject: '583231',
    email: 'octocat@example.com',
    verified: true,
    data: {
      user_name: 'octocat',
      preferred_username: 'octocat',
      full_name: 'The Octocat',
      avatar_url: 'https://g.test/a',
    },
  },
  {
    provider: 'gitlab',
    authorizePath: '/oauth/authorize',
    scope: 'read_user',
    answers: plain({
      '/oauth/token': token,
      '/api/v4/user': {
        id: 7,
        name: 'Ann',
        email: 'ann@example.com',
        confirmed_at: '2020-01-01T00:00:00Z',
        avatar_url: 'a',
      },
      '/api/v4/user/emails': [{ id: 1, email: 'other@example.com', confirmed_at: '2020-01-01T00:00:00Z' }],
    }),
    authentication: 'post',
    subject: '7',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', picture: 'a' },
  },
  {
    provider: 'google',
    authorizePath: '/authorize',
    scope: 'email profile',
    answers: withIdToken('/token', {
      sub: '10769150350006150715113082367',
      email: 'ann@example.com',
      email_verified: true,
      name: 'Ann',
      picture: 'https://g.test/a',
      hd: 'example.com',
    }),
    authentication: 'post',
    subject: '10769150350006150715113082367',
    email: 'ann@example.com',
    verified: true,
    data: { full_name: 'Ann', avatar_url: 'https://g.test/a', custom_claims: { hd: 'example.com' } },
  },
  {
    provider: 'kakao',
    authorizePath: '/oauth/authorize',
    scope: 'account_email profile_image profile_nickname',
    answers: plain({
      '/oauth/token': token,
      '/v2/user/me': {
        id: 123456789,
        kakao_account: {
          profile: { nickname: 'Ann', profile_image_url: 'https://k.test/a' },
          is_email_valid: true,
          is_email_verified: true,
          email: 'ann@example.com',
        },
      },
    }),
    authentication: 'post',
    subject: '123456789',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', user_name: 'Ann', avatar_url: 'https://k.test/a' },
  },
  {
    provider: 'keycloak',
    authorizePath: '/protocol/openid-connect/auth',
    scope: 'profile email',
    answers: plain({
      '/protocol/openid-connect/token': token,
      '/protocol/openid-connect/userinfo': {
        sub: 'k1',
        name: 'Ann',
        email: 'ann@example.com',
        email_verified: true,
        groups: ['gardeners'],
      },
    }),
    authentication: 'basic',
    subject: 'k1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', custom_claims: { groups: ['gardeners'] } },
  },
  {
    provider: 'linkedin',
    authorizePath: '/oauth/v2/authorization',
    scope: 'r_emailaddress r_liteprofile',
    answers: plain({
      // LinkedIn's older OAuth names no token type.
      '/oauth/v2/accessToken': { access_token: 'their token', expires_in: 5_184_000 },
      '/v2/me': {
        id: 'l1',
        firstName: { localized: { en_US: 'Ann' }, preferredLocale: { country: 'US', language: 'en' } },
        lastName: { localized: { en_US: 'Hill' }, preferredLocale: { country: 'US', language: 'en' } },
        profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: 'https://l.test/a' }] }] } },
      },
      '/v2/emailAddress': { elements: [{ handle: 'urn:1', 'handle~': { emailAddress: 'ann@example.com' } }] },
    }),
    authentication: 'post',
    subject: 'l1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann Hill', picture: 'https://l.test/a' },
  },
  {
    provider: 'linkedin_oidc',
    authorizePath: '/oauth/v2/authorization',
    scope: 'openid email profile',
    answers: withIdToken('/oauth/v2/accessToken', {
      sub: 'l2',
      email: 'ann@example.com',
      email_verified: 'true',
      given_name: 'Ann',
      family_name: 'Hill',
      locale: 'en_US',
    }),
    authentication: 'post',
    subject: 'l2',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann Hill', given_name: 'Ann', locale: 'en_US' },
  },
  {
    provider: 'notion',
    authorizePath: '/v1/oauth/authorize',
    scope: null,
    answers: plain({
      '/v1/oauth/token': token,
      '/v1/users/me': ({ headers }) =>
        headers['notion-version'] === '2021-08-16'
          ? {
              body: {
                bot: {
                  owner: { user: { id: 'n1', name: 'Ann', avatar_url: 'a', person: { email: 'ann@example.com' } } },
                },
              },
            }
          : { status: 400, body: { code: 'missing_version' } },
    }),
    authentication: 'basic',
    subject: 'n1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', picture: 'a' },
  },
  {
    provider: 'slack',
    authorizePath: '/oauth/authorize',
    scope: 'profile email openid',
    answers: plain({
      '/api/oauth.access': { ok: true, access_token: 'their token', scope: 'openid' },
      '/api/openid.connect.userInfo': {
        ok: true,
        'https://slack.com/user_id': 'U1',
        'https://slack.com/team_id': 'T1',
        email: 'ann@example.com',
        name: 'Ann',
        picture: 'a',
      },
    }),
    authentication: 'post',
    subject: 'U1',
    email: 'ann@example.com',
    verified: true,
    data: { custom_claims: { 'https://slack.com/team_id': 'T1' } },
  },
  {
    provider: 'slack_oidc',
    authorizePath: '/openid/connect/authorize',
    scope: 'profile email openid',
    answers: plain({
      '/api/openid.connect.token': { ok: true, ...token },
      '/api/openid.connect.userInfo': {
        ok: true,
        'https://slack.com/user_id': 'U1',
        'https://slack.com/team_id': 'T1',
        email: 'ann@example.com',
        email_verified: false,
        name: 'Ann',
      },
    }),
    authentication: 'post',
    subject: 'U1',
    email: 'ann@example.com',
    verified: false,
    data: { name: 'Ann' },
  },
  {
    provider: 'snapchat',
    authorizePath: '/accounts/oauth2/auth',
    scope:
      'https://auth.snapchat.com/oauth2/api/user.external_id https://auth.snapchat.com/oauth2/api/user.display_name https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar',
    answers: plain({
      '/accounts/oauth2/token': token,
      '/v1/me': {
        data: {
          me: { externalId: 's1', displayName: 'Ann', bitmoji: { avatar: 'a', id: 'b' }, email: 'ann@example.com' },
        },
      },
    }),
    authentication: 'basic',
    subject: 's1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', slug: 'Ann', avatar_url: 'a' },
  },
  {
    provider: 'spotify',
    authorizePath: '/authorize',
    scope: 'user-read-email',
    answers: plain({
      '/api/token': token,
      '/me': {
        id: 'p1',
        display_name: 'Ann',
        email: 'ann@example.com',
        images: [
          { url: 'small', height: 64, width: 64 },
          { url: 'large', height: 300, width: 300 },
        ],
      },
    }),
    authentication: 'basic',
    subject: 'p1',
    email: 'ann@example.com',
    verified: false,
    data: { name: 'Ann', picture: 'large' },
  },
  {
    provider: 'twitch',
    authorizePath: '/oauth2/authorize',
    scope: 'user:read:email',
    answers: plain({
      '/oauth2/token': { ...token, scope: ['user:read:email'] },
      '/helix/users': ({ headers }) =>
        headers['client-id'] === client
          ? {
              body: {
                data: [
                  {
                    id: '141981764',
                    login: 'twitchdev',
                    display_name: 'TwitchDev',
                    type: '',
                    broadcaster_type: 'partner',
                    description: 'Supporting third-party developers',
                    profile_image_url: 'a',
                    offline_image_url: 'b',
                    view_count: 5_980_557,
                    email: 'ann@example.com',
                  },
                ],
              },
            }
          : { status: 401, body: { message: 'Client ID is missing' } },
    }),
    authentication: 'post',
    subject: '141981764',
    email: 'ann@example.com',
    verified: true,
    data: {
      name: 'twitchdev',
      nickname: 'TwitchDev',
      custom_claims: { broadcaster_type: 'partner', view_count: 5_980_557 },
    },
  },
  {
    provider: 'vercel_marketplace',
    authorizePath: '/oauth/v2/authorization',
    scope: null,
    answers: withIdToken('/oauth/v2/accessToken', {
      sub: 'account:1:user:2',
      global_user_id: 'v1',
      user_email: 'ann@example.com',
      user_name: 'Ann',
      user_avatar_url: 'a',
    }),
    authentication: 'basic',
    subject: 'global_user_id:v1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann', picture: 'a' },
  },
  {
    provider: 'workos',
    authorizePath: '/sso/authorize',
    scope: null,
    answers: plain({
      '/sso/token': {
        access_token: 'their token',
        profile: {
          object: 'profile',
          id: 'prof_1',
          connection_id: 'conn_1',
          organization_id: 'org_1',
          connection_type: 'OktaSAML',
          email: 'ann@example.com',
          first_name: 'Ann',
          last_name: 'Hill',
        },
      },
    }),
    authentication: 'post',
    subject: 'prof_1',
    email: 'ann@example.com',
    verified: true,
    data: { name: 'Ann Hill', custom_claims: { connection_id: 'conn_1', organization_id: 'org_1' } },
  },
  {
    provider: 'x',
    authorizePath: '/i/oauth2/authorize',
    scope: 'users.email tweet.read users.read offline.access',
    answers: plain({
      '/2/oauth2/token': ({ body }) =>
        new URLSearchParams(body).get('code_verifier')
          ? { body: token }
          : { status: 400, body: { error: 'invalid_request' } },
      '/2/users/me': {
        data: {
          id: '2244994945',
          name: 'Ann',
          username: 'ann',
          confirmed_email: 'ann@example.com',
          profile_image_url: 'a',
          url: 'https://ann.test',
          created_at: '2013-12-14T04:35:55Z',
        },
      },
    }),
    authentication: 'basic',
    subject: '2244994945',
    email: 'ann@example.com',
    verified: true,
    data: { profile: 'https://x.com/ann', website: 'https://ann.test', user_name: 'ann' },
  },
  {
    provider: 'zoom',
    authorizePath: '/oauth/authorize',
    scope: null,
    answers: plain({
      '/oauth/token': token,
      '/v2/users/me': {
        id: 'z1',
        first_name: 'Ann',
        last_name: 'Hill',
        email: 'ann@example.com',
        verified: 0,
        login_type: 100,
        pic_url: 'a',
      },
    }),
    authentication: 'basic',
    subject: 'z1',
    email: 'ann@example.com',
    verified: false,
    data: { name: 'Ann Hill', picture: 'a' },
  },
]
