import { sqlStateOf } from '../../../engines/postgres/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isStorable, readFlag, readObject, readText, readTexts } from '../parse/body.ts'
import type { RequestSql } from '../store/database.ts'
import type { FetchMetadata, ReadMetadata, SsoDeps } from './deps.ts'
import { ssoError } from './errors.ts'
import { readMetadataXml } from './fetch-metadata.ts'
import { parseMapping } from './saml/attribute-mapping.ts'
import { nameIdFormats } from './saml/service-provider.ts'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderRow,
  putDomains,
  updateProvider,
} from './store/providers.ts'

type AdminCall = Pick<Call, 'context'>

/** `GET /admin/sso/providers` (auth §17). */
export async function listSsoProviders(
  deps: SsoDeps,
  { context }: AdminCall,
  query: URLSearchParams,
): Promise<AuthResponse> {
  await deps.checkAdmin(context)
  const filter = {
    resourceId: query.get('resource_id') ?? '',
    resourceIdPrefix: query.get('resource_id_prefix') ?? '',
  }
  if (!isStorable(filter.resourceId) || !isStorable(filter.resourceIdPrefix))
    return { status: 200, body: { items: [] } }
  const providers = await listProviders(deps.database.for(context), filter)
  // Without the documents, each of which may be a megabyte.
  return { status: 200, body: { items: providers.map((provider) => renderProvider({ ...provider, metadataXml: '' })) } }
}

/** `POST /admin/sso/providers` (auth §17). */
export async function createSsoProvider(
  deps: SsoDeps,
  fetchMetadata: FetchMetadata,
  { body, context }: Call,
): Promise<AuthResponse> {
  await deps.checkAdmin(context)
  if (readText(body, 'type') !== 'saml')
    throw authError('validation_failed', { message: "Only 'saml' supported for SSO provider type" })
  const source = parseSource(body)
  if (source === null)
    throw authError('validation_failed', { message: 'Either metadata_xml or metadata_url must be set' })
  const nameIdFormat = parseNameIdFormat(body)
  const attributeMapping = parseMapping(readObject(body, 'attribute_mapping'))
  const domains = parseDomains(body) ?? []
  const { xml, metadata } = await readSource(source, fetchMetadata)
  const provider = {
    id: deps.newId(),
    samlId: deps.newId(),
    resourceId: readText(body, 'resource_id') || null,
    disabled: body.disabled === undefined || body.disabled === null ? null : readFlag(body, 'disabled', false),
    entityId: metadata.entityId,
    metadataXml: xml,
    metadataUrl: source.kind === 'url' ? source.url : null,
    attributeMapping,
    nameIdFormat,
  }
  const created = await deps.database
    .change(context, async (sql) => {
      if ((await findProvider(sql, { entityId: metadata.entityId })) !== undefined)
        throw ssoError('saml_idp_already_exists')
      await checkDomainsFree(sql, provider.id, domains)
      await insertProvider(sql, provider, deps.now())
      await setDomains(deps, sql, provider.id, domains)
      return findProvider(sql, { id: provider.id })
    })
    .catch(worded)
  return { status: 201, body: renderProvider(mustBe(created)) }
}

/** `GET /admin/sso/providers/{id}` (auth §17). */
export async function getSsoProvider(deps: SsoDeps, { context }: AdminCall, id: string): Promise<AuthResponse> {
  return { status: 200, body: renderProvider(await getProvider(deps, context, id)) }
}

/** `PUT /admin/sso/providers/{id}` (auth §17): what is not there stays, but a `name_id_format` is always set. */
export async function changeSsoProvider(
  deps: SsoDeps,
  fetchMetadata: FetchMetadata,
  { body, context }: Call,
  id: string,
): Promise<AuthResponse> {
  const provider = await getProvider(deps, context, id)
  const source = parseSource(body)
  const nameIdFormat = parseNameIdFormat(body)
  const mapping = readObject(body, 'attribute_mapping')
  const attributeMapping = mapping?.keys === undefined ? provider.attributeMapping : parseMapping(mapping)
  const domains = parseDomains(body)
  const has = (field: string): boolean => body[field] !== undefined && body[field] !== null
  const resourceId = has('resource_id') ? readText(body, 'resource_id') || null : provider.resourceId
  const disabled = has('disabled') ? readFlag(body, 'disabled', false) : provider.disabled
  const read = source === null ? null : await readSource(source, fetchMetadata)
  if (read !== null && read.metadata.entityId !== provider.entityId)
    throw ssoError('saml_entity_id_mismatch', {
      message: `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${provider.entityId}' but got '${read.metadata.entityId}'`,
    })
  const now = deps.now()
  const changed = {
    ...provider,
    attributeMapping,
    nameIdFormat,
    resourceId,
    disabled,
    ...(read === null ? {} : { metadataXml: read.xml, metadataReadAt: now }),
    ...(source?.kind === 'url' ? { metadataUrl: source.url } : {}),
  }
  const stored = await deps.database
    .change(context, async (sql) => {
      await updateProvider(sql, changed, now)
      if (domains !== null) {
        await checkDomainsFree(sql, provider.id, domains)
        await setDomains(deps, sql, provider.id, domains)
      }
      return findProvider(sql, { id: provider.id })
    })
    .catch(worded)
  return { status: 200, body: renderProvider(mustBe(stored)) }
}

/** `DELETE /admin/sso/providers/{id}` (auth §17). */
export async function deleteSsoProvider(deps: SsoDeps, { context }: AdminCall, id: string): Promise<AuthResponse> {
  const provider = await getProvider(deps, context, id)
  await deps.database.change(context, (sql) => deleteProvider(sql, provider.id))
  return { status: 200, body: renderProvider(provider) }
}

const resourcePrefix = 'resource_'

async function getProvider(deps: SsoDeps, context: RequestContext, id: string): Promise<ProviderRow> {
  await deps.checkAdmin(context)
  const byResource = id.startsWith(resourcePrefix)
  if (!isStorable(id) || (!byResource && !isUuid(id))) throw ssoError('sso_provider_not_found')
  const name = byResource ? { resourceId: id.slice(resourcePrefix.length) } : { id }
  return mustBe(await findProvider(deps.database.for(context), name))
}

function mustBe(provider: ProviderRow | undefined): ProviderRow {
  if (provider === undefined) throw ssoError('sso_provider_not_found')
  return provider
}

/** Where metadata comes from. */
type Source = { readonly kind: 'xml'; readonly xml: string } | { readonly kind: 'url'; readonly url: string }

function parseSource(body: Body): Source | null {
  const url = readText(body, 'metadata_url')
  const xml = readText(body, 'metadata_xml')
  if (url !== '' && xml !== '')
    throw authError('validation_failed', { message: 'Only one of metadata_xml or metadata_url needs to be set' })
  if (url === '') return xml === '' ? null : { kind: 'xml', xml }
  if (!URL.canParse(url)) throw authError('validation_failed', { message: 'metadata_url is not a valid URL' })
  if (new URL(url).protocol !== 'https:')
    throw authError('validation_failed', { message: 'metadata_url is not a HTTPS URL' })
  return { kind: 'url', url }
}

const readSource = async (source: Source, fetchMetadata: FetchMetadata): Promise<ReadMetadata> =>
  source.kind === 'url' ? fetchMetadata(source.url) : readMetadataXml(source.xml)

function parseNameIdFormat(body: Body): string | null {
  const format = readText(body, 'name_id_format')
  const known: readonly string[] = Object.values(nameIdFormats)
  if (format !== '' && !known.includes(format))
    throw authError('validation_failed', {
      message: `name_id_format must be unspecified or one of ${known.join(', ')}`,
    })
  return format || null
}

function parseDomains(body: Body): readonly string[] | null {
  const domains = readTexts(body, 'domains')
  if (domains?.some((domain) => domain.trim() === '') === true)
    throw authError('validation_failed', { message: 'A domain must not be empty' })
  const seen = new Set<string>()
  return domains?.filter((domain) => !seen.has(domain.toLowerCase()) && seen.add(domain.toLowerCase())) ?? null
}

async function checkDomainsFree(sql: RequestSql, providerId: string, domains: readonly string[]): Promise<void> {
  for (const domain of domains) {
    const owner = await findProvider(sql, { domain })
    if (owner !== undefined && owner.id !== providerId)
      throw ssoError('sso_domain_already_exists', {
        message: `SSO Domain '${domain}' is already assigned to an SSO identity provider (${owner.id})`,
      })
  }
}

const setDomains = (
  deps: Pick<SsoDeps, 'newId' | 'now'>,
  sql: RequestSql,
  providerId: string,
  domains: readonly string[],
): Promise<void> =>
  putDomains(
    sql,
    providerId,
    domains.map((domain) => ({ id: deps.newId(), domain })),
    deps.now(),
  )

/** Another call was faster, or a resource id is taken (23505). */
function worded(error: unknown): never {
  if (sqlStateOf(error) === '23505') throw ssoError('conflict/422', { cause: error })
  throw error
}

/** A provider as the protocol answers it. */
function renderProvider(provider: ProviderRow): Readonly<Record<string, unknown>> {
  const { resourceId, metadataXml, metadataUrl, nameIdFormat } = provider
  return {
    id: provider.id,
    ...(resourceId === null ? {} : { resource_id: resourceId }),
    disabled: provider.disabled,
    saml: {
      entity_id: provider.entityId,
      ...(metadataXml === '' ? {} : { metadata_xml: metadataXml }),
      ...(metadataUrl === null ? {} : { metadata_url: metadataUrl }),
      attribute_mapping: provider.attributeMapping,
      ...(nameIdFormat === null ? {} : { name_id_format: nameIdFormat }),
    },
    domains: provider.domains.map(({ domain, created_at, updated_at }) => ({
      domain,
      created_at: new Date(created_at).toISOString(),
      updated_at: new Date(updated_at).toISOString(),
    })),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
}
