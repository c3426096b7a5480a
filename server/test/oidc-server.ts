import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'

/** Somebody who has an account at the provider, with the claims it tells. */
export interface ProviderAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly [claim: string]: unknown
}

/** An OpenID Connect provider that is none of ours: the outside world, in one process with the test. */
export interface OidcServer {
  readonly issuer: string
  /** Accounts by `sub`; whoever `login_hint` names signs in, without being asked. */
  readonly accounts: Map<string, ProviderAccount>
  close(): Promise<void>
}

export const oidcClient = { id: 'clew', secret: 'a secret of the client' } as const

/** Starts it on a port of its own. */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const accounts = new Map<string, ProviderAccount>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  let handle: (...args: Parameters<ReturnType<Provider['callback']>>) => unknown = () => undefined
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture', 'department'] },
    conformIdTokenClaims: false,
    // A server of a test asks for PKCE only by what it gets.
    pkce: { required: () => false },
    interactions: { url: (_context, interaction) => `/login/${interaction.uid}` },
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => ({ ...accounts.get(id), sub: id }),
    }),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, RefreshToken: 600 },
    loadExistingGrant: grantEverything,
  })
  const serve = provider.callback()
  handle = async (request, response) => {
    if (!request.url?.startsWith('/login/')) return serve(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const accountId = String(params.login_hint ?? '')
    const result = accounts.has(accountId)
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'The user said no' }
    return provider.interactionFinished(request, response, result)
  }
  return {
    issuer,
    accounts,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function grantEverything(context: KoaContextWithOIDC) {
  const { client, provider, session } = context.oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile offline_access')
  await grant.save()
  return grant
}
