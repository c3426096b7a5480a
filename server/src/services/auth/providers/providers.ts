import type { RequestWork } from '../../../ground/model/request.ts'
import { createOutbound, type Reach, type Resolve } from '../http/outbound.ts'
import { createAppleSecret } from './apple.ts'
import { type CustomProvider, customDefinition, customPrefix } from './custom.ts'
import { definitions } from './definitions.ts'
import { isProviderName, type ProviderName } from './names.ts'
import { createOAuth2Provider, type ProviderTools } from './oauth2.ts'
import { createOidc, type Oidc } from './oidc.ts'
import type { Provider, ProviderClient } from './provider.ts'
import { type ExternalSettings, type ProviderConfig, providerConfig } from './settings.ts'
import { createTwitter } from './twitter.ts'

/** Why there is no such provider, in words for who asked. */
export interface Unsupported {
  readonly kind: 'unsupported'
  readonly why: string
}

/** Sign-in with others' accounts: the providers that are configured, and what they are asked with. */
export interface ExternalProviders {
  /** Finds a provider by its name; letters' case does not matter. */
  find(name: string, work: RequestWork): Promise<Provider | Unsupported>
  /** Issuers that the operator chose, and those that came in by the API: the latter never reach the inside. */
  readonly oidc: { readonly configured: Oidc; readonly custom: Oidc }
  /** Where addresses of custom providers may lead. */
  readonly customReach: Reach
}

export interface ProvidersDeps {
  readonly settings: ExternalSettings
  /** Where providers send users back to, unless a provider's own setting says otherwise. */
  readonly callbackUrl: string
  readonly findCustom: (identifier: string, work: RequestWork) => Promise<CustomProvider | undefined>
  readonly resolve: Resolve | null
  readonly now: () => Date
}

/** Makes them. */
export function createExternalProviders(deps: ProvidersDeps): ExternalProviders {
  const { settings, now, resolve } = deps
  const customReach: Reach = settings.customProvidersAllowLoopback ? 'public and loopback' : 'public'
  const limits = {
    timeoutMs: settings.externalTimeoutSeconds * 1000,
    maxBytes: settings.externalAnswerLimitBytes,
    ...(resolve === null ? {} : { resolve }),
  }
  const outbound = createOutbound({ ...limits, reach: 'anywhere' })
  const guarded = createOutbound({ ...limits, reach: customReach })
  const oidc = { configured: createOidc(outbound, now), custom: createOidc(guarded, now) }
  return {
    oidc,
    customReach,
    find: async (rawName, work) => {
      const name = rawName.toLowerCase()
      return name.startsWith(customPrefix)
        ? findCustomProvider(deps, name, { outbound: guarded, oidc: oidc.custom }, work)
        : findConfiguredProvider(deps, name, { outbound, oidc: oidc.configured })
    },
  }
}

async function findCustomProvider(
  { settings, callbackUrl, findCustom }: ProvidersDeps,
  name: string,
  tools: ProviderTools,
  work: RequestWork,
): Promise<Provider | Unsupported> {
  if (!settings.customProvidersEnabled) return { kind: 'unsupported', why: 'custom OAuth providers are disabled' }
  const custom = await findCustom(name, work)
  if (custom === undefined) return { kind: 'unsupported', why: `custom provider ${name} not found` }
  if (!custom.enabled) return { kind: 'unsupported', why: `custom provider ${name} is disabled` }
  return createOAuth2Provider({
    name,
    emailOptional: custom.emailOptional,
    definition: customDefinition(custom),
    client: {
      id: custom.clientId,
      audiences: [custom.clientId, ...custom.acceptableClientIds],
      secret: async () => custom.clientSecret,
      redirectUri: callbackUrl,
      url: null,
    },
    tools,
  })
}

function findConfiguredProvider(deps: ProvidersDeps, name: string, tools: ProviderTools): Provider | Unsupported {
  if (!isProviderName(name)) return { kind: 'unsupported', why: `Provider ${name} could not be found` }
  const config = providerConfig(deps.settings, name)
  const missing = whatIsMissing(deps.settings, name, config)
  if (missing !== null) return { kind: 'unsupported', why: missing }
  const client = clientOf(deps, name, config)
  const { emailOptional } = config
  if (name === 'twitter') return createTwitter(client, emailOptional, { outbound: tools.outbound, now: deps.now })
  return createOAuth2Provider({ name, emailOptional, definition: definitions[name], client, tools })
}

function whatIsMissing(settings: ExternalSettings, name: ProviderName, config: ProviderConfig): string | null {
  if (!config.enabled) return 'provider is not enabled'
  if (config.clientId.length === 0) return 'missing OAuth client ID'
  if (config.secret === null && !(name === 'apple' && appleKeyOf(settings) !== null)) return 'missing OAuth secret'
  if (name === 'keycloak' && config.url === null) return 'missing the URL of Keycloak'
  return null
}

function clientOf(
  { settings, callbackUrl, now }: ProvidersDeps,
  name: ProviderName,
  config: ProviderConfig,
): ProviderClient {
  const id = config.clientId[0] ?? ''
  const appleKey = name === 'apple' ? appleKeyOf(settings) : null
  return {
    id,
    audiences: config.clientId,
    secret: async () =>
      appleKey === null ? (config.secret ?? '') : createAppleSecret({ ...appleKey, clientId: id }, now()),
    redirectUri: config.redirectUri ?? callbackUrl,
    url: config.url,
  }
}

/** What Apple's client secret is made of; null where a secret is given instead. */
function appleKeyOf(settings: ExternalSettings): Readonly<Record<'teamId' | 'keyId' | 'key', string>> | null {
  const { externalAppleTeamId: teamId, externalAppleKeyId: keyId, externalApplePrivateKey: key } = settings
  return teamId === null || keyId === null || key === null ? null : { teamId, keyId, key }
}
