import { hashToken, randomToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import type { Body } from '../parse/body.ts'
import { checkAdmin } from '../sessions/caller.ts'
import { parseClientChange, parseRegistration } from './client.ts'
import { type ClientRow, deleteClient, findClient, insertClient, listClients, updateClient } from './store-clients.ts'

type AdminCall = Pick<Call, 'work'>

/** `POST /oauth/clients/register` (auth §20, RFC 7591): anybody, where it is allowed at all. */
export async function registerClient(parts: Parts, { body, work }: Call): Promise<Reply> {
  checkEnabled(parts)
  if (!parts.settings.oauthServerAllowDynamicRegistration) throw authError('oauth_dynamic_client_registration_disabled')
  return createClient(parts, body, 'dynamic', work)
}

/** `POST /admin/oauth/clients`. */
export async function adminCreateClient(parts: Parts, { body, work }: Call): Promise<Reply> {
  await checkClientAdmin(parts, work)
  return createClient(parts, body, 'manual', work)
}

async function createClient(
  parts: Parts,
  body: Body,
  registrationType: ClientRow['registrationType'],
  work: Call['work'],
): Promise<Reply> {
  const registration = parseRegistration(body)
  const secret = registration.type === 'public' ? null : randomToken()
  const secretHash = secret === null ? null : hashToken(secret)
  const client = { ...registration, id: parts.newId(), secretHash, registrationType }
  const row = await parts.database.change(work, (sql) => insertClient(sql, client, parts.now(), work))
  return { status: 201, body: renderClient(row, secret) }
}

/** `GET /admin/oauth/clients`. */
export async function adminListClients(parts: Parts, { work }: AdminCall): Promise<Reply> {
  await checkClientAdmin(parts, work)
  const clients = await listClients(parts.database.sql, work)
  return {
    status: 200,
    // Left out when there are none, as the protocol's own server answers (auth §20).
    body: clients.length === 0 ? {} : { clients: clients.map((client) => renderClient(client, null)) },
    headers: { 'x-total-count': String(clients.length) },
  }
}

/** `GET /admin/oauth/clients/{id}`. */
export async function adminGetClient(parts: Parts, { work }: AdminCall, id: string): Promise<Reply> {
  return { status: 200, body: renderClient(await getClient(parts, work, id), null) }
}

/** `PUT /admin/oauth/clients/{id}`. */
export async function adminChangeClient(parts: Parts, { body, work }: Call, id: string): Promise<Reply> {
  const client = await getClient(parts, work, id)
  const updatedAt = parts.now()
  const changed = { ...client, ...parseClientChange(body, client.type), updatedAt }
  await parts.database.change(work, (sql) => updateClient(sql, changed, updatedAt, work))
  return { status: 200, body: renderClient(changed, null) }
}

/** `DELETE /admin/oauth/clients/{id}`. */
export async function adminDeleteClient(parts: Parts, { work }: AdminCall, id: string): Promise<Reply> {
  const client = await getClient(parts, work, id)
  await parts.database.change(work, (sql) => deleteClient(sql, client.id, parts.now(), work))
  return { status: 204 }
}

/** `POST /admin/oauth/clients/{id}/regenerate_secret`: the old secret is worthless at once. */
export async function adminRegenerateSecret(parts: Parts, { work }: AdminCall, id: string): Promise<Reply> {
  const client = await getClient(parts, work, id)
  if (client.type === 'public')
    throw authError('validation_failed', { message: 'Cannot regenerate secret for public client' })
  const secret = randomToken()
  const updatedAt = parts.now()
  const changed = { ...client, secretHash: hashToken(secret), updatedAt }
  await parts.database.change(work, (sql) => updateClient(sql, changed, updatedAt, work))
  return { status: 200, body: renderClient(changed, secret) }
}

/** @throws feature_disabled */
export function checkEnabled({ settings }: Pick<Parts, 'settings'>): void {
  if (!settings.oauthServerEnabled) throw authError('feature_disabled', { message: 'OAuth server is disabled' })
}

async function checkClientAdmin(parts: Parts, work: Call['work']): Promise<void> {
  await checkAdmin(parts, work)
  checkEnabled(parts)
}

async function getClient(parts: Parts, work: Call['work'], id: string): Promise<ClientRow> {
  await checkClientAdmin(parts, work)
  if (!isUuid(id)) throw authError('validation_failed', { message: 'invalid client_id format' })
  const client = await findClient(parts.database.sql, id, work)
  if (client === undefined) throw authError('oauth_client_not_found')
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
