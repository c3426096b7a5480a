import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  generateRandomCodeVerifier,
  nopkce,
  validateAuthResponse,
} from 'oauth4webapi'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { authError } from '../model/errors.ts'
import { textAt } from './json.ts'
import type { Oidc } from './oidc.ts'
import type {
  Access,
  Endpoints,
  Provider,
  ProviderCallback,
  ProviderClient,
  ProviderDefinition,
  ProviderTokens,
} from './provider.ts'

/** What providers are asked with. */
export interface ProviderTools {
  readonly outbound: Outbound
  readonly oidc: Oidc
}

export interface OAuth2Options {
  readonly name: string
  readonly emailOptional: boolean
  readonly definition: ProviderDefinition
  readonly client: ProviderClient
  readonly tools: ProviderTools
}

/** The provider of a definition: the authorization code grant of RFC 6749, with PKCE where it is wanted. */
export function createOAuth2Provider(options: OAuth2Options): Provider {
  const { name, emailOptional, definition, client, tools } = options
  const endpoints = async (): Promise<Endpoints> => definition.endpoints(client.url, tools.oidc.discover)
  return {
    name,
    emailOptional,
    codeParameter: 'code',
    hasCodeVerifier: definition.pkce ?? false,

    async authorize({ state, scopes, parameters }) {
      const url = new URL((await endpoints()).authorization)
      // A page may open it as it is: an issuer must not make it run something there.
      if (!/^https?:$/.test(url.protocol)) throw new Error(`${name} has an authorization address of another scheme.`)
      const wanted = wantedScopes(definition, scopes)
      if (wanted.length > 0) url.searchParams.set('scope', wanted.join(' '))
      for (const [key, value] of Object.entries({ ...parameters, ...definition.parameters }))
        url.searchParams.set(key, value)
      url.searchParams.set('client_id', client.id)
      url.searchParams.set('redirect_uri', client.redirectUri)
      url.searchParams.set('response_type', 'code')
      url.searchParams.set('state', state)
      if (!definition.pkce) return { url: url.href, codeVerifier: null }
      const codeVerifier = generateRandomCodeVerifier()
      url.searchParams.set('code_challenge', await calculatePKCECodeChallenge(codeVerifier))
      url.searchParams.set('code_challenge_method', 'S256')
      return { url: url.href, codeVerifier }
    },

    async exchange(callback) {
      const where = await endpoints()
      const tokens = await exchangeCode(options, where, callback)
      const access = accessOf(options, where, tokens, callback)
      const user = await definition.readUser(access)
      if (user.subject === '') throw new Error(`${name} did not say who the user is.`)
      return { user, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken }
    },
  }
}

async function exchangeCode(
  options: OAuth2Options,
  where: Endpoints,
  { parameters, codeVerifier }: ProviderCallback,
): Promise<ProviderTokens> {
  const { name, definition, client } = options
  const secret = await client.secret()
  const order = definition.clientAuthentication === 'post' ? [ClientSecretPost] : [ClientSecretBasic]
  if (definition.clientAuthentication === 'basic, else post') order.push(ClientSecretPost)
  try {
    let failure: unknown
    for (const authentication of order) {
      const response = await requestTokens(options, where, parameters, codeVerifier, authentication(secret))
      if (response.ok) return await readTokens(response)
      failure = new Error(`${name} answered ${response.status} to a code: ${(await response.text()).slice(0, 500)}`)
    }
    throw failure
  } catch (cause) {
    const code = parameters.get('code') ?? ''
    throw authError('unexpected_failure', {
      message: `Unable to exchange external code: ${code.slice(0, 4)}`,
      cause,
    })
  }
}

function requestTokens(
  { client, tools }: OAuth2Options,
  where: Endpoints,
  parameters: URLSearchParams,
  codeVerifier: string | null,
  authentication: ClientAuth,
): Promise<Response> {
  const server: AuthorizationServer = where.metadata ?? { issuer: where.authorization, token_endpoint: where.token }
  // `iss` says where an answer comes from (RFC 9207); only an issuer that described itself can be held to it.
  const callback = new URLSearchParams({ code: parameters.get('code') ?? '' })
  const iss = where.metadata === undefined ? null : parameters.get('iss')
  if (iss !== null) callback.set('iss', iss)
  const clientOfLibrary = { client_id: client.id }
  return authorizationCodeGrantRequest(
    { ...server, token_endpoint: where.token },
    clientOfLibrary,
    authentication,
    validateAuthResponse(server, clientOfLibrary, callback),
    client.redirectUri,
    codeVerifier ?? nopkce,
    // What may be called over plain http is for `outbound` to decide.
    { [customFetch]: fetchThrough(tools.outbound), [allowInsecureRequests]: true },
  )
}

function accessOf(
  { client, tools }: OAuth2Options,
  where: Endpoints,
  tokens: ProviderTokens,
  { parameters }: ProviderCallback,
): Access {
  return {
    endpoints: where,
    client,
    tokens,
    parameters,
    get: (url, headers) => getJson(tools.outbound, url, { authorization: `Bearer ${tokens.accessToken}`, ...headers }),
    async idToken(issuer, options) {
      if (tokens.idToken === null) return null
      const { accessToken } = tokens
      return tools.oidc.verify(tokens.idToken, { ...options, issuer, audiences: client.audiences, accessToken })
    },
  }
}

function wantedScopes(definition: ProviderDefinition, requested: readonly string[]): readonly string[] {
  const { scopes, defaultScopes = [], takesScopes = true } = definition
  return [...new Set([...scopes, ...(takesScopes && requested.length > 0 ? requested : defaultScopes)])]
}

/** Reads what a token endpoint answered: as JSON or as a form, and with or without a `token_type`, as providers do. */
async function readTokens(response: Response): Promise<ProviderTokens> {
  const text = await response.text()
  const isForm = /^(application\/x-www-form-urlencoded|text\/plain)/.test(response.headers.get('content-type') ?? '')
  const body: unknown =
    isForm && !text.startsWith('{') ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
  const accessToken = textAt(body, 'access_token')
  // Some answer 200 to a code they reject.
  if (accessToken === '') throw new Error(`There is no access token in the answer: ${textAt(body, 'error')}`)
  return {
    accessToken,
    refreshToken: textAt(body, 'refresh_token') || null,
    idToken: textAt(body, 'id_token') || null,
    body,
  }
}

/** Gets JSON. @throws when it is none, or the status is no success */
async function getJson(outbound: Outbound, url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await outbound(url, { headers: { accept: 'application/json', 'user-agent': 'clew', ...headers } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${new URL(url).origin} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** The shape of `fetch` that the library calls. */
const fetchThrough =
  (outbound: Outbound) =>
  (url: string, init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown }) =>
    outbound(url, {
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: init.headers,
      ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) }),
    })
