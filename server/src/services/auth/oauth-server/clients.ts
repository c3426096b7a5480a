import { hashToken, randomToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { parseClientChange, parseRegistration } from './client.ts'
import type { OAuthServerDeps } from './deps.ts'
import { oauthServerError } from './errors.ts'
import { type ClientRow, deleteClient, findClient, insertClient, listClients, updateClient } from './store/clients.ts'

type AdminCall = Pick<Call, 'context'>

/** `POST /oauth/clients/register` (auth §20, RFC 7591): anybody, where it is allowed at all. */
export async function registerClient(deps: OAuthServerDeps, { body, context }: Call): Promise<AuthResponse> {
  checkEnabled(deps)
  if (!deps.settings.oauthServerAllowDynamicRegistration)
    throw oauthServerError('oauth_dynamic_client_registration_disabled')
  return createClient(deps, body, 'dynamic', context)
}

/** `POST /admin/oauth/clients`. */
export async function adminCreateClient(deps: OAuthServerDeps, { body, context }: Call): Promise<AuthResponse> {
  await checkClientAdmin(deps, context)
  return createClient(deps, body, 'manual', context)
}

async function createClient(
  deps: OAuthServerDeps,
  body: Body,
  registrationType: ClientRow['registrationType'],
  context: RequestContext,
): Promise<AuthResponse> {
  const registration = parseRegistration(body)
  const secret = registration.type === 'public' ? null : randomToken()
  const secretHash = secret === null ? null : hashToken(secret)
  const client = { ...registration, id: deps.newId(), secretHash, registrationType }
  const row = await deps.database.change(context, (sql) => insertClient(sql, client, deps.now()))
  return { status: 201, body: renderClient(row, secret) }
}

/** `GET /admin/oauth/clients`. */
export async function adminListClients(deps: OAuthServerDeps, { context }: AdminCall): Promise<AuthResponse> {
  await checkClientAdmin(deps, context)
  const clients = await listClients(deps.database.for(context))
  return {
    status: 200,
    // Left out when there are none, as the protocol's own server answers (auth §20).
    body: clients.length === 0 ? {} : { clients: clients.map((client) => renderClient(client, null)) },
    headers: { 'x-total-count': String(clients.length) },
  }
}

/** `GET /admin/oauth/clients/{id}`. */
export async function adminGetClient(deps: OAuthServerDeps, { context }: AdminCall, id: string): Promise<AuthResponse> {
  return { status: 200, body: renderClient(await getClient(deps, context, id), null) }
}

/** `PUT /admin/oauth/clients/{id}`. */
export async function adminChangeClient(
  deps: OAuthServerDeps,
  { body, context }: Call,
  id: string,
): Promise<AuthResponse> {
  const client = await getClient(deps, context, id)
  const updatedAt = deps.now()
  const changed = { ...client, ...parseClientChange(body, client.type), updatedAt }
  await deps.database.change(context, (sql) => updateClient(sql, changed, updatedAt))
  return { status: 200, body: renderClient(changed, null) }
}

/** `DELETE /admin/oauth/clients/{id}`. */
export async function adminDeleteClient(
  deps: OAuthServerDeps,
  { context }: AdminCall,
  id: string,
): Promise<AuthResponse> {
  const client = await getClient(deps, context, id)
  await deps.database.change(context, (sql) => deleteClient(sql, client.id, deps.now()))
  return { status: 204 }
}

/** `POST /admin/oauth/clients/{id}/regenerate_secret`: the old secret is worthless at once. */
export async function adminRegenerateSecret(
  deps: OAuthServerDeps,
  { context }: AdminCall,
  id: string,
): Promise<AuthResponse> {
  const client = await getClient(deps, context, id)
  if (client.type === 'public')
    throw authError('validation_failed', { message: 'Cannot regenerate secret for public client' })
  const secret = randomToken()
  const updatedAt = deps.now()
  const changed = { ...client, secretHash: hashToken(secret), updatedAt }
  await deps.database.change(context, (sql) => updateClient(sql, changed, updatedAt))
  return { status: 200, body: renderClient(changed, secret) }
}

/** @throws feature_disabled */
export function checkEnabled({ settings }: Pick<OAuthServerDeps, 'settings'>): void {
  if (!settings.oauthServerEnabled) throw authError('feature_disabled', { message: 'OAuth server is disabled' })
}

async function checkClientAdmin(deps: OAuthServerDeps, context: RequestContext): Promise<void> {
  await deps.checkAdmin(context)
  checkEnabled(deps)
}

async function getClient(deps: OAuthServerDeps, context: RequestContext, id: string): Promise<ClientRow> {
  await checkClientAdmin(deps, context)
  if (!isUuid(id)) throw authError('validation_failed', { message: 'invalid client_id format' })
  const client = await findClient(deps.database.for(context), id)
  if (client === undefined) throw oauthServerError('oauth_client_not_found')
  return client
}

/** A client as the protocol answers it; its secret only in the answer that made it. */
function renderClient(client: ClientRow, secret: string | null): Readonly<Record<string, unknown>> {
  return {
    client_id: client.id,
    // RFC 7591 §3.2.1 demands to know when the secret ends: never.
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_type: client.type,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: client.grantTypes,
    response_types: ['code'],
    ...(client.name === null ? {} : { client_name: client.name }),
    ...(client.uri === null ? {} : { client_uri: client.uri }),
    ...(client.logoUri === null ? {} : { logo_uri: client.logoUri }),
    registration_type: client.registrationType,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  }
}
