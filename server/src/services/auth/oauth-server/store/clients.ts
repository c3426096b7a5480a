import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../../ground/sql/sql.ts'
import type { RequestSql } from '../../store/database.ts'
import type { AuthMethod, ClientMetadata, ClientType, Registration } from '../client.ts'

/** A registered client. */
export interface ClientRow extends ClientMetadata {
  readonly id: string
  readonly type: ClientType
  /** SHA-256 of its secret; null for a public client. */
  readonly secretHash: string | null
  readonly registrationType: 'dynamic' | 'manual'
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = constant(`
  c.id,
  c.client_secret_hash as "secretHash",
  c.registration_type::text as "registrationType",
  c.redirect_uris as "redirectUris",
  c.grant_types as "grantTypes",
  c.client_name as name,
  c.client_uri as uri,
  c.logo_uri as "logoUri",
  c.client_type::text as type,
  c.token_endpoint_auth_method as "authMethod",
  c.created_at as "createdAt",
  c.updated_at as "updatedAt"`)

type StoredClient = Omit<ClientRow, 'redirectUris' | 'grantTypes'> & {
  readonly redirectUris: string
  readonly grantTypes: string
  readonly authMethod: AuthMethod
}

const rowOf = (stored: StoredClient): ClientRow => ({
  ...stored,
  redirectUris: stored.redirectUris.split(','),
  grantTypes: stored.grantTypes.split(','),
})

const insertClientStatement = (
  client: Registration & Pick<ClientRow, 'id' | 'secretHash' | 'registrationType'>,
  now: Date,
): Statement =>
  compile(sql`
    insert into auth.oauth_clients (
      id, client_secret_hash, registration_type, redirect_uris, grant_types, client_name, client_uri, logo_uri,
      created_at, updated_at, client_type, token_endpoint_auth_method
    )
    values (
      ${client.id}, ${client.secretHash}, ${client.registrationType}, ${client.redirectUris.join(',')},
      ${client.grantTypes.join(',')}, ${client.name}, ${client.uri}, ${client.logoUri}, ${now}, ${now},
      ${client.type}, ${client.authMethod}
    )`)

/** Adds a client. */
export async function insertClient(
  on: RequestSql,
  client: Registration & Pick<ClientRow, 'id' | 'secretHash' | 'registrationType'>,
  now: Date,
): Promise<ClientRow> {
  await on.query(insertClientStatement(client, now))
  return { ...client, createdAt: now, updatedAt: now }
}

const selectClientStatement = (id: string): Statement =>
  compile(sql`select ${columns} from auth.oauth_clients c where c.id = ${id} and c.deleted_at is null`)

/** A client that was not deleted. */
export async function findClient(on: RequestSql, id: string): Promise<ClientRow | undefined> {
  const [row] = (await on.query<StoredClient>(selectClientStatement(id))).rows
  return row === undefined ? undefined : rowOf(row)
}

const selectClientsStatement = (): Statement =>
  compile(sql`
    select ${columns} from auth.oauth_clients c where c.deleted_at is null order by c.created_at desc, c.id desc`)

/** Every client, newest first. */
export async function listClients(on: RequestSql): Promise<readonly ClientRow[]> {
  return (await on.query<StoredClient>(selectClientsStatement())).rows.map(rowOf)
}

const updateClientStatement = (client: ClientRow, now: Date): Statement =>
  compile(sql`
    update auth.oauth_clients
    set redirect_uris = ${client.redirectUris.join(',')}, grant_types = ${client.grantTypes.join(',')},
      client_name = ${client.name}, client_uri = ${client.uri}, logo_uri = ${client.logoUri},
      token_endpoint_auth_method = ${client.authMethod}, client_secret_hash = ${client.secretHash},
      updated_at = ${now}
    where id = ${client.id} and deleted_at is null`)

/** Sets what a client says about itself. */
export async function updateClient(on: RequestSql, client: ClientRow, now: Date): Promise<void> {
  await on.query(updateClientStatement(client, now))
}

function deleteClientStatement(id: string, now: Date): Statement {
  const client = typed(id, 'uuid')
  return compile(sql`
    with sessions as (
      delete from auth.sessions where oauth_client_id = ${client}
    ), requests as (
      delete from auth.oauth_authorizations where client_id = ${client}
    ), consents as (
      update auth.oauth_consents set revoked_at = ${now} where client_id = ${client} and revoked_at is null
    )
    update auth.oauth_clients set deleted_at = ${now}, updated_at = ${now} where id = ${client}`)
}

/** Deletes a client; its row stays for the records, its sessions and requests go. */
export async function deleteClient(on: RequestSql, id: string, now: Date): Promise<void> {
  await on.query(deleteClientStatement(id, now))
}
