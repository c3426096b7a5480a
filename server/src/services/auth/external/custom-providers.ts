import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { checkReachable, OutboundRefusal } from '../http/outbound.ts'
import { addressesOf, changeCustomProvider, parseIdentifier, parseNewProvider } from '../parse/custom-provider.ts'
import type { CustomProvider } from '../providers/custom.ts'
import { renderCustomProvider } from '../render/custom-provider.ts'
import { checkAdmin } from '../sessions/caller.ts'
import {
  deleteCustomProvider,
  findCustomProvider,
  insertCustomProvider,
  listCustomProviders,
  updateCustomProvider,
} from '../store/custom-providers.ts'

type AdminCall = Pick<Call, 'work'>

/** Providers that administrators add (auth §18). Every call needs an administrator. */
export interface CustomProviders {
  readonly list: (call: AdminCall, type: string) => Promise<Reply>
  readonly get: (call: AdminCall, identifier: string) => Promise<Reply>
  readonly create: (call: Call) => Promise<Reply>
  readonly change: (call: Call, identifier: string) => Promise<Reply>
  readonly remove: (call: AdminCall, identifier: string) => Promise<Reply>
}

export function createCustomProviders(parts: Parts): CustomProviders {
  const { database, settings } = parts
  const admit = async ({ work }: AdminCall): Promise<void> => {
    await checkAdmin(parts, work)
    if (!settings.customProvidersEnabled)
      throw authError('feature_disabled', { message: 'Custom OAuth providers are disabled' })
  }
  const mustFind = async ({ work }: AdminCall, identifier: string): Promise<CustomProvider> => {
    const found = await findCustomProvider(database.sql, parseIdentifier(identifier), work)
    if (found === undefined) throw authError('custom_provider_not_found')
    return found
  }

  return {
    async list(call, type) {
      await admit(call)
      if (type !== '' && type !== 'oauth2' && type !== 'oidc')
        throw authError('validation_failed', { message: "type must be either 'oauth2' or 'oidc'" })
      const found = await listCustomProviders(database.sql, type === '' ? null : type, call.work)
      return { status: 200, body: { providers: found.map(renderCustomProvider) } }
    },

    async get(call, identifier) {
      await admit(call)
      return { status: 200, body: renderCustomProvider(await mustFind(call, identifier)) }
    },

    async create(call) {
      await admit(call)
      const now = parts.now()
      const wanted = { ...parseNewProvider(call.body), id: parts.newId(), createdAt: now, updatedAt: now }
      await checkAddresses(parts, wanted)
      if ((await findCustomProvider(database.sql, wanted.identifier, call.work)) !== undefined)
        throw authError('conflict/400')
      const provider = { ...wanted, discoveryDocument: await discover(parts, wanted) }
      const added = await database.change(call.work, (sql) =>
        insertCustomProvider(sql, provider, settings.customProvidersMax, call.work),
      )
      if (added === 'full') throw authError('over_custom_provider_quota')
      if (added === 'taken') throw authError('conflict/400')
      return { status: 201, body: renderCustomProvider(provider) }
    },

    async change(call, identifier) {
      await admit(call)
      const before = await mustFind(call, identifier)
      const wanted = { ...changeCustomProvider(before, call.body), updatedAt: parts.now() }
      await checkAddresses(parts, wanted)
      const moved = wanted.issuer !== before.issuer || wanted.discoveryUrl !== before.discoveryUrl
      if (moved) forget(parts, before)
      const provider = moved ? { ...wanted, discoveryDocument: await discover(parts, wanted) } : wanted
      const isThere = await database.change(call.work, (sql) => updateCustomProvider(sql, provider, call.work))
      if (!isThere) throw authError('custom_provider_not_found')
      return { status: 200, body: renderCustomProvider(provider) }
    },

    async remove(call, identifier) {
      await admit(call)
      const gone = await database.change(call.work, (sql) =>
        deleteCustomProvider(sql, parseIdentifier(identifier), call.work),
      )
      if (gone === undefined) throw authError('custom_provider_not_found')
      forget(parts, gone)
      return { status: 204 }
    },
  }
}

function forget({ providers }: Parts, { issuer }: CustomProvider): void {
  if (issuer !== null) providers.oidc.custom.forget(issuer)
}

/** No address may lead inside; the same is asked again at every call. */
async function checkAddresses(parts: Parts, provider: CustomProvider): Promise<void> {
  for (const address of addressesOf(provider))
    try {
      await checkReachable(address, parts.providers.customReach, parts.resolve)
    } catch (cause) {
      if (cause instanceof OutboundRefusal) throw authError('validation_failed', { message: cause.message, cause })
      throw cause
    }
}

/** Asks an issuer for its metadata, so that a wrong address is seen by the administrator and not by the users. */
async function discover(parts: Parts, provider: CustomProvider): Promise<CustomProvider['discoveryDocument']> {
  const { issuer, discoveryUrl } = provider
  if (issuer === null) return null
  const oidc = parts.providers.oidc.custom
  oidc.forget(issuer)
  const document = await oidc.discover(issuer, discoveryUrl).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : 'no answer'
    throw authError('validation_failed', { message: `OIDC discovery of "${issuer}" failed: ${why}`, cause })
  })
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
    (field) => document[field] === undefined,
  )
  if (missing.length > 0)
    throw authError('validation_failed', {
      message: `OIDC discovery document is missing required fields: ${missing.join(', ')}`,
    })
  return { ...document }
}
