import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { CustomProvider } from '../model/custom-provider.ts'
import type { RequestSql } from './database.ts'

const columns = constant(`
  id, provider_type as "providerType", identifier, name, client_id as "clientId", client_secret as "clientSecret",
  acceptable_client_ids as "acceptableClientIds", scopes, pkce_enabled as "pkceEnabled",
  attribute_mapping as "attributeMapping", custom_claims_allowlist as "customClaimsAllowlist",
  authorization_params as "authorizationParams", enabled, email_optional as "emailOptional", issuer,
  discovery_url as "discoveryUrl", skip_nonce_check as "skipNonceCheck", cached_discovery as "discoveryDocument",
  authorization_url as "authorizationUrl", token_url as "tokenUrl", userinfo_url as "userinfoUrl",
  jwks_uri as "jwksUri", created_at as "createdAt", updated_at as "updatedAt"`)

function selectCustomProvidersStatement(type: CustomProvider['providerType'] | null): Statement {
  const ofType = type === null ? sql`` : sql`where provider_type = ${type}`
  return compile(sql`select ${columns} from auth.custom_oauth_providers ${ofType} order by created_at desc, id`)
}

/** Custom providers, newest first; of one type, or of all for null. */
export async function listCustomProviders(
  on: RequestSql,
  type: CustomProvider['providerType'] | null,
): Promise<readonly CustomProvider[]> {
  return (await on.query<CustomProvider>(selectCustomProvidersStatement(type))).rows
}

const selectCustomProviderStatement = (identifier: string): Statement =>
  compile(sql`select ${columns} from auth.custom_oauth_providers where identifier = ${identifier}`)

/** A custom provider by its identifier, the prefix included. */
export async function findCustomProvider(on: RequestSql, identifier: string): Promise<CustomProvider | undefined> {
  return (await on.query<CustomProvider>(selectCustomProviderStatement(identifier))).rows[0]
}

const lockCustomProvidersStatement = (): Statement =>
  compile(sql`lock table auth.custom_oauth_providers in share row exclusive mode`)

const countCustomProvidersStatement = (): Statement =>
  compile(sql`select count(*)::int as count from auth.custom_oauth_providers`)

const insertCustomProviderStatement = (p: CustomProvider): Statement =>
  compile(sql`
    insert into auth.custom_oauth_providers (
      id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes, pkce_enabled,
      attribute_mapping, custom_claims_allowlist, authorization_params, enabled, email_optional, issuer,
      discovery_url, skip_nonce_check, cached_discovery, discovery_cached_at, authorization_url, token_url,
      userinfo_url, jwks_uri, created_at, updated_at
    )
    values (
      ${p.id}, ${p.providerType}, ${p.identifier}, ${p.name}, ${p.clientId}, ${p.clientSecret},
      ${typed(p.acceptableClientIds, 'text[]')}, ${typed(p.scopes, 'text[]')}, ${p.pkceEnabled},
      ${JSON.stringify(p.attributeMapping)}, ${typed(p.customClaimsAllowlist, 'text[]')},
      ${JSON.stringify(p.authorizationParams)}, ${p.enabled}, ${p.emailOptional}, ${p.issuer}, ${p.discoveryUrl},
      ${p.skipNonceCheck}, ${json(p.discoveryDocument)},
      ${typed(p.discoveryDocument === null ? null : p.createdAt, 'timestamptz')}, ${p.authorizationUrl},
      ${p.tokenUrl}, ${p.userinfoUrl}, ${p.jwksUri}, ${p.createdAt}, ${p.updatedAt}
    )
    on conflict (identifier) do nothing
    returning id`)

/**
 * Adds a custom provider while there are fewer than `most` (0 for any number); concurrent additions wait.
 *
 * @returns `full` when there are, `taken` when the identifier is
 */
export async function insertCustomProvider(
  on: RequestSql,
  provider: CustomProvider,
  most: number,
): Promise<'added' | 'full' | 'taken'> {
  await on.query(lockCustomProvidersStatement())
  const { rows } = await on.query<{ count: number }>(countCustomProvidersStatement())
  if (most > 0 && (rows[0]?.count ?? 0) >= most) return 'full'
  const inserted = await on.query(insertCustomProviderStatement(provider))
  return inserted.rows.length > 0 ? 'added' : 'taken'
}

function updateCustomProviderStatement(provider: CustomProvider): Statement {
  const p = provider
  return compile(sql`
    update auth.custom_oauth_providers
    set name = ${p.name}, client_id = ${p.clientId}, client_secret = ${p.clientSecret},
      acceptable_client_ids = ${typed(p.acceptableClientIds, 'text[]')}, scopes = ${typed(p.scopes, 'text[]')},
      pkce_enabled = ${p.pkceEnabled}, attribute_mapping = ${JSON.stringify(p.attributeMapping)},
      custom_claims_allowlist = ${typed(p.customClaimsAllowlist, 'text[]')},
      authorization_params = ${JSON.stringify(p.authorizationParams)}, enabled = ${p.enabled},
      email_optional = ${p.emailOptional}, issuer = ${p.issuer}, discovery_url = ${p.discoveryUrl},
      skip_nonce_check = ${p.skipNonceCheck}, cached_discovery = ${json(p.discoveryDocument)},
      authorization_url = ${p.authorizationUrl}, token_url = ${p.tokenUrl}, userinfo_url = ${p.userinfoUrl},
      jwks_uri = ${p.jwksUri}, updated_at = ${p.updatedAt}
    where id = ${p.id}
    returning id`)
}

/** Replaces what may change of a custom provider; false when it is gone. */
export async function updateCustomProvider(on: RequestSql, provider: CustomProvider): Promise<boolean> {
  return (await on.query(updateCustomProviderStatement(provider))).rows.length > 0
}

const deleteCustomProviderStatement = (identifier: string): Statement =>
  compile(sql`delete from auth.custom_oauth_providers where identifier = ${identifier} returning ${columns}`)

/** Removes a custom provider; undefined when there is none. Identities of its users stay, without a way in. */
export async function deleteCustomProvider(on: RequestSql, identifier: string): Promise<CustomProvider | undefined> {
  return (await on.query<CustomProvider>(deleteCustomProviderStatement(identifier))).rows[0]
}

const json = (value: unknown) => typed(value === null ? null : JSON.stringify(value), 'jsonb')
