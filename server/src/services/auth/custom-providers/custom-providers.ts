import { checkReachable, OutboundRefusal } from '../../../engines/outbound/index.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import type { CustomProvider } from '../model/custom-provider.ts'
import { authError } from '../model/errors.ts'
import {
  deleteCustomProvider,
  findCustomProvider,
  insertCustomProvider,
  listCustomProviders,
  updateCustomProvider,
} from '../store/custom-providers.ts'
import type { CustomProvidersDeps } from './deps.ts'
import { customProviderError } from './errors.ts'
import { addressesOf, changeCustomProvider, parseIdentifier, parseNewProvider } from './parse.ts'
import { renderCustomProvider } from './render.ts'

type AdminCall = Pick<Call, 'context'>

/** Providers that administrators add (auth §18). Every call needs an administrator. */
export interface CustomProviders {
  readonly list: (call: AdminCall, type: string) => Promise<AuthResponse>
  readonly get: (call: AdminCall, identifier: string) => Promise<AuthResponse>
  readonly create: (call: Call) => Promise<AuthResponse>
  readonly change: (call: Call, identifier: string) => Promise<AuthResponse>
  readonly remove: (call: AdminCall, identifier: string) => Promise<AuthResponse>
}

export function createCustomProviders(deps: CustomProvidersDeps): CustomProviders {
  const { database, settings } = deps
  const admit = async ({ context }: AdminCall): Promise<void> => {
    await deps.checkAdmin(context)
    if (!settings.customProvidersEnabled)
      throw authError('feature_disabled', { message: 'Custom OAuth providers are disabled' })
  }
  const mustFind = async ({ context }: AdminCall, identifier: string): Promise<CustomProvider> => {
    const found = await findCustomProvider(database.for(context), parseIdentifier(identifier))
    if (found === undefined) throw customProviderError('custom_provider_not_found')
    return found
  }

  return {
    async list(call, type) {
      await admit(call)
      if (type !== '' && type !== 'oauth2' && type !== 'oidc')
        throw authError('validation_failed', { message: "type must be either 'oauth2' or 'oidc'" })
      const found = await listCustomProviders(database.for(call.context), type === '' ? null : type)
      return { status: 200, body: { providers: found.map(renderCustomProvider) } }
    },

    async get(call, identifier) {
      await admit(call)
      return { status: 200, body: renderCustomProvider(await mustFind(call, identifier)) }
    },

    async create(call) {
      await admit(call)
      const now = deps.now()
      const wanted = { ...parseNewProvider(call.body), id: deps.newId(), createdAt: now, updatedAt: now }
      await checkAddresses(deps, wanted)
      if ((await findCustomProvider(database.for(call.context), wanted.identifier)) !== undefined)
        throw customProviderError('conflict/400')
      const provider = { ...wanted, discoveryDocument: await discover(deps, wanted) }
      const added = await database.change(call.context, (sql) =>
        insertCustomProvider(sql, provider, settings.customProvidersMax),
      )
      if (added === 'full') throw customProviderError('over_custom_provider_quota')
      if (added === 'taken') throw customProviderError('conflict/400')
      return { status: 201, body: renderCustomProvider(provider) }
    },

    async change(call, identifier) {
      await admit(call)
      const before = await mustFind(call, identifier)
      const wanted = { ...changeCustomProvider(before, call.body), updatedAt: deps.now() }
      await checkAddresses(deps, wanted)
      const moved = wanted.issuer !== before.issuer || wanted.discoveryUrl !== before.discoveryUrl
      if (moved) forget(deps, before)
      const provider = moved ? { ...wanted, discoveryDocument: await discover(deps, wanted) } : wanted
      const isThere = await database.change(call.context, (sql) => updateCustomProvider(sql, provider))
      if (!isThere) throw customProviderError('custom_provider_not_found')
      return { status: 200, body: renderCustomProvider(provider) }
    },

    async remove(call, identifier) {
      await admit(call)
      const gone = await database.change(call.context, (sql) => deleteCustomProvider(sql, parseIdentifier(identifier)))
      if (gone === undefined) throw customProviderError('custom_provider_not_found')
      forget(deps, gone)
      return { status: 204 }
    },
  }
}

function forget({ providers }: CustomProvidersDeps, { issuer }: CustomProvider): void {
  if (issuer !== null) providers.oidc.custom.forget(issuer)
}

/** No address may lead inside; each call checks that again. */
async function checkAddresses(deps: CustomProvidersDeps, provider: CustomProvider): Promise<void> {
  for (const address of addressesOf(provider))
    try {
      await checkReachable(address, deps.providers.customReach, deps.resolve)
    } catch (cause) {
      if (cause instanceof OutboundRefusal) throw authError('validation_failed', { message: cause.message, cause })
      throw cause
    }
}

/** Asks an issuer for its metadata, so that a wrong address is seen by the administrator and not by the users. */
async function discover(
  deps: CustomProvidersDeps,
  provider: CustomProvider,
): Promise<CustomProvider['discoveryDocument']> {
  const { issuer, discoveryUrl } = provider
  if (issuer === null) return null
  const oidc = deps.providers.oidc.custom
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
