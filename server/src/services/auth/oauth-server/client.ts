import type { Body } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readText, readTexts } from '../parse/body.ts'
import { redirectUriProblem } from './redirect-uri.ts'

/** How a client proves itself at the token endpoint (RFC 7591 §2). */
const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const

export type AuthMethod = (typeof authMethods)[number]
export type ClientType = 'public' | 'confidential'

/** A client's metadata. */
export interface ClientMetadata {
  readonly redirectUris: readonly string[]
  readonly authMethod: AuthMethod
  readonly grantTypes: readonly string[]
  readonly name: string | null
  readonly uri: string | null
  readonly logoUri: string | null
}

export interface Registration extends ClientMetadata {
  readonly type: ClientType
}

const maxRedirectUris = 10
const maxNameLength = 1024
const maxUriLength = 2048
const grantTypes = ['authorization_code', 'refresh_token']

/**
 * Reads a registration (RFC 7591 §2, auth §20). The kind of client is said, or follows from how it proves itself.
 *
 * @throws validation_failed
 */
export function parseRegistration(body: Body): Registration {
  const method = parseAuthMethod(readText(body, 'token_endpoint_auth_method'))
  const type = parseType(readText(body, 'client_type')) ?? (method === 'none' ? 'public' : 'confidential')
  const authMethod = method ?? (type === 'public' ? 'none' : 'client_secret_basic')
  checkFits(type, authMethod)
  return {
    type,
    authMethod,
    redirectUris: parseRedirectUris(readTexts(body, 'redirect_uris')),
    grantTypes: parseGrantTypes(readTexts(body, 'grant_types')) ?? grantTypes,
    name: parseName(readText(body, 'client_name')),
    uri: parsePage(readText(body, 'client_uri'), 'client_uri'),
    logoUri: parsePage(readText(body, 'logo_uri'), 'logo_uri'),
  }
}

/**
 * Reads a change of a client; what is not there stays as it is, the kind of client always does.
 *
 * @throws validation_failed, also when there is nothing to change
 */
export function parseClientChange(body: Body, type: ClientType): Partial<ClientMetadata> {
  const has = (field: string): boolean => body[field] !== undefined && body[field] !== null
  const authMethod = has('token_endpoint_auth_method')
    ? parseAuthMethod(readText(body, 'token_endpoint_auth_method'))
    : null
  if (authMethod !== null) checkFits(type, authMethod)
  const types = readTexts(body, 'grant_types')
  if (types?.length === 0) throw invalid('grant_types cannot be empty')
  const change: Partial<ClientMetadata> = {
    ...(has('redirect_uris') ? { redirectUris: parseRedirectUris(readTexts(body, 'redirect_uris')) } : {}),
    ...(has('grant_types') ? { grantTypes: parseGrantTypes(types) ?? grantTypes } : {}),
    ...(has('client_name') ? { name: parseName(readText(body, 'client_name')) } : {}),
    ...(has('client_uri') ? { uri: parsePage(readText(body, 'client_uri'), 'client_uri') } : {}),
    ...(has('logo_uri') ? { logoUri: parsePage(readText(body, 'logo_uri'), 'logo_uri') } : {}),
    ...(authMethod === null ? {} : { authMethod }),
  }
  if (Object.keys(change).length === 0) throw invalid('No fields provided for update')
  return change
}

function parseRedirectUris(uris: readonly string[] | null): readonly string[] {
  if (uris === null || uris.length === 0) throw invalid('redirect_uris is required')
  if (uris.length > maxRedirectUris) throw invalid(`redirect_uris cannot exceed ${maxRedirectUris} items`)
  for (const uri of uris) {
    const problem = redirectUriProblem(uri)
    if (problem !== null) throw invalid(`invalid redirect_uri '${uri.slice(0, 200)}': ${problem}`)
  }
  return uris
}

function parseGrantTypes(types: readonly string[] | null): readonly string[] | null {
  if (types === null || types.length === 0) return null
  if (!types.every((type) => grantTypes.includes(type)))
    throw invalid("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
  return types
}

function parseAuthMethod(text: string): AuthMethod | null {
  if (text === '') return null
  const method = authMethods.find((known) => known === text)
  if (method === undefined) throw invalid(`token_endpoint_auth_method must be one of: ${authMethods.join(', ')}`)
  return method
}

function parseType(text: string): ClientType | null {
  if (text === '') return null
  if (text !== 'public' && text !== 'confidential') throw invalid("client_type must be 'public' or 'confidential'")
  return text
}

function checkFits(type: ClientType, method: AuthMethod): void {
  if ((type === 'public') !== (method === 'none'))
    throw invalid(`token_endpoint_auth_method '${method}' is not valid for client_type '${type}'`)
}

function parseName(text: string): string | null {
  if (text.length > maxNameLength) throw invalid(`client_name cannot exceed ${maxNameLength} characters`)
  return text === '' ? null : text
}

/** A page or picture that the consent screen shows: nothing but a web address, for it becomes a link there. */
function parsePage(text: string, field: string): string | null {
  if (text === '') return null
  if (text.length > maxUriLength) throw invalid(`${field} cannot exceed ${maxUriLength} characters`)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw invalid(`${field} must be a valid URL`)
  return text
}

const invalid = (message: string): Error => authError('validation_failed', { message })
