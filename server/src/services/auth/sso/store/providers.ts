import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import type { RequestSql } from '../../store/database.ts'
import type { AttributeMapping } from '../saml/attribute-mapping.ts'

/** An organisation's identity provider. */
export interface ProviderRow {
  readonly id: string
  readonly resourceId: string | null
  readonly disabled: boolean | null
  readonly entityId: string
  readonly metadataXml: string
  readonly metadataUrl: string | null
  readonly attributeMapping: AttributeMapping
  readonly nameIdFormat: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When its metadata was read last. */
  readonly metadataReadAt: Date
  /** Mail domains whose users sign in by it. */
  readonly domains: readonly ProviderDomain[]
}

/** As `to_jsonb` gives it. */
export interface ProviderDomain {
  readonly domain: string
  readonly created_at: string
  readonly updated_at: string
}

const selectProvider = (rest: SqlFragment): SqlFragment => sql`
  select p.id, p.resource_id as "resourceId", p.disabled, s.entity_id as "entityId", s.metadata_xml as "metadataXml",
    s.metadata_url as "metadataUrl", coalesce(s.attribute_mapping, '{}') as "attributeMapping",
    s.name_id_format as "nameIdFormat", p.created_at as "createdAt", p.updated_at as "updatedAt",
    s.updated_at as "metadataReadAt",
    coalesce((
      select jsonb_agg(to_jsonb(d) - 'id' - 'sso_provider_id' order by d.domain)
      from auth.sso_domains d where d.sso_provider_id = p.id
    ), '[]') as domains
  from auth.sso_providers p
  join auth.saml_providers s on s.sso_provider_id = p.id
  ${rest}`

/** A name of a provider. */
export type ProviderName =
  | { readonly id: string }
  | { readonly resourceId: string }
  | { readonly entityId: string }
  | { readonly domain: string }

const selectProviderStatement = (name: ProviderName): Statement => compile(selectProvider(conditionOf(name)))

/** A provider by whichever name. */
export async function findProvider(on: RequestSql, name: ProviderName): Promise<ProviderRow | undefined> {
  return (await on.query<ProviderRow>(selectProviderStatement(name))).rows[0]
}

function conditionOf(name: ProviderName): SqlFragment {
  if ('id' in name) return sql`where p.id = ${typed(name.id, 'uuid')}`
  if ('resourceId' in name) return sql`where lower(p.resource_id) = lower(${typed(name.resourceId, 'text')})`
  if ('entityId' in name) return sql`where s.entity_id = ${name.entityId}`
  return sql`
    where p.id = (select sso_provider_id from auth.sso_domains where lower(domain) = lower(${typed(name.domain, 'text')}))`
}

interface ProviderFilter {
  readonly resourceId: string
  readonly resourceIdPrefix: string
}

function selectProvidersStatement(filter: ProviderFilter): Statement {
  const condition =
    filter.resourceId !== ''
      ? sql`where p.resource_id = ${filter.resourceId}`
      : filter.resourceIdPrefix !== ''
        ? sql`where starts_with(p.resource_id, ${filter.resourceIdPrefix})`
        : sql``
  return compile(selectProvider(sql`${condition} order by p.created_at, p.id`))
}

/** Every provider, or those of a resource id or the beginning of one; the oldest first. */
export async function listProviders(on: RequestSql, filter: ProviderFilter): Promise<readonly ProviderRow[]> {
  return (await on.query<ProviderRow>(selectProvidersStatement(filter))).rows
}

export type NewProvider = Omit<ProviderRow, 'createdAt' | 'updatedAt' | 'metadataReadAt' | 'domains'>

const insertProviderStatement = (provider: NewProvider & { readonly samlId: string }, now: Date): Statement =>
  compile(sql`
    with provider as (
      insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at)
      values (
        ${provider.id}, ${typed(provider.resourceId, 'text')}, ${typed(provider.disabled, 'boolean')}, ${now}, ${now}
      )
      returning id
    )
    insert into auth.saml_providers (
      id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at,
      updated_at
    )
    select ${typed(provider.samlId, 'uuid')}, id, ${typed(provider.entityId, 'text')},
      ${typed(provider.metadataXml, 'text')}, ${typed(provider.metadataUrl, 'text')},
      ${typed(JSON.stringify(provider.attributeMapping), 'jsonb')}, ${typed(provider.nameIdFormat, 'text')},
      ${typed(now, 'timestamptz')}, ${typed(now, 'timestamptz')}
    from provider`)

/** Adds a provider; the database rejects a second one of an entity or resource id (23505). */
export async function insertProvider(
  on: RequestSql,
  provider: NewProvider & { readonly samlId: string },
  now: Date,
): Promise<void> {
  await on.query(insertProviderStatement(provider, now))
}

const updateProviderStatement = (provider: NewProvider & { readonly metadataReadAt: Date }, now: Date): Statement =>
  compile(sql`
    with saml as (
      update auth.saml_providers
      set metadata_xml = ${provider.metadataXml}, metadata_url = ${typed(provider.metadataUrl, 'text')},
        attribute_mapping = ${typed(JSON.stringify(provider.attributeMapping), 'jsonb')},
        name_id_format = ${typed(provider.nameIdFormat, 'text')}, updated_at = ${provider.metadataReadAt}
      where sso_provider_id = ${typed(provider.id, 'uuid')}
    )
    update auth.sso_providers
    set resource_id = ${typed(provider.resourceId, 'text')}, disabled = ${typed(provider.disabled, 'boolean')},
      updated_at = ${now}
    where id = ${typed(provider.id, 'uuid')}`)

/** Sets what an administrator has changed. */
export async function updateProvider(
  on: RequestSql,
  provider: NewProvider & { readonly metadataReadAt: Date },
  now: Date,
): Promise<void> {
  await on.query(updateProviderStatement(provider, now))
}

const renewMetadataStatement = (id: string, metadataXml: string, now: Date): Statement =>
  compile(sql`
    update auth.saml_providers set metadata_xml = ${metadataXml}, updated_at = ${now} where sso_provider_id = ${id}`)

/** Stores metadata that was read again. */
export async function renewMetadata(on: RequestSql, id: string, metadataXml: string, now: Date): Promise<void> {
  await on.query(renewMetadataStatement(id, metadataXml, now))
}

interface NewDomain {
  readonly id: string
  readonly domain: string
}

function deleteOtherDomainsStatement(providerId: string, domains: readonly NewDomain[]): Statement {
  const names = domains.map(({ domain }) => domain.toLowerCase())
  return compile(sql`
    delete from auth.sso_domains
    where sso_provider_id = ${typed(providerId, 'uuid')} and lower(domain) <> all (${typed(names, 'text[]')})`)
}

function insertDomainsStatement(providerId: string, domains: readonly NewDomain[], now: Date): Statement {
  const provider = typed(providerId, 'uuid')
  const ids = domains.map(({ id }) => id)
  const names = domains.map(({ domain }) => domain)
  return compile(sql`
    insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
    select wanted.id, ${provider}, wanted.domain, ${typed(now, 'timestamptz')}, ${typed(now, 'timestamptz')}
    from unnest(${typed(ids, 'uuid[]')}, ${typed(names, 'text[]')}) as wanted (id, domain)
    where not exists (
      select from auth.sso_domains d where d.sso_provider_id = ${provider} and lower(d.domain) = lower(wanted.domain)
    )`)
}

/** Gives a provider exactly these domains; the database rejects one that another provider has (23505). */
export async function putDomains(
  on: RequestSql,
  providerId: string,
  domains: readonly NewDomain[],
  now: Date,
): Promise<void> {
  await on.query(deleteOtherDomainsStatement(providerId, domains))
  await on.query(insertDomainsStatement(providerId, domains, now))
}

const deleteProviderStatement = (id: string): Statement => compile(sql`delete from auth.sso_providers where id = ${id}`)

/** Takes a provider away, with its domains and what is under way; its users stay. */
export async function deleteProvider(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteProviderStatement(id))
}
