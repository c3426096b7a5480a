import { createOutbound, type Outbound, type Reach, type Resolve } from '../../../engines/outbound/index.ts'
import type { RequestContext } from '../model/call.ts'
import { type CustomProvider, customPrefix } from '../model/custom-provider.ts'
import { createAppleSecret } from './apple.ts'
import { customDefinition } from './custom.ts'
import { definitions } from './definitions.ts'
import { readUserOfIssuer } from './known-issuers.ts'
import { isProviderName, type ProviderName } from './names.ts'
import { createOAuth2Provider, type ProviderTools } from './oauth2.ts'
import { createOidc } from './oidc.ts'
import type { Provider, ProviderClient } from './provider.ts'
import type { ExternalProviders, Unsupported } from './providers.ts'
import { type ExternalSettings, type ProviderConfig, providerConfig } from './settings.ts'
import { createTwitter } from './twitter.ts'

export interface ProvidersDeps {
  readonly settings: ExternalSettings
  /** Where providers send users back to, unless a provider's own setting says otherwise. */
  readonly callbackUrl: string
  readonly findCustom: (identifier: string, context: RequestContext) => Promise<CustomProvider | undefined>
  readonly resolve: Resolve | null
  readonly now: () => Date
}

export function createExternalProviders(deps: ProvidersDeps): ExternalProviders {
  const { settings, now, resolve } = deps
  const customReach: Reach = settings.customProvidersAllowLoopback ? 'public and loopback' : 'public'
  const limits = {
    timeoutMs: settings.externalTimeoutSeconds * 1000,
    maxBytes: settings.maxExternalAnswerBytes,
    ...(resolve === null ? {} : { resolve }),
  }
  const outbound = createOutbound({ ...limits, reach: 'anywhere' })
  const guarded = createOutbound({ ...limits, reach: customReach })
  const oidcOf = (reach: Outbound) => createOidc({ outbound: reach, now, maxIssuers: settings.rememberedIssuers })
  const oidc = { configured: oidcOf(outbound), custom: oidcOf(guarded) }
  return {
    oidc,
    customReach,
    readUser: readUserOfIssuer,
    idTokenRules: (name) => (name === 'twitter' ? undefined : definitions[name].idTokens),
    find: async (rawName, context) => {
      const name = rawName.toLowerCase()
      return name.startsWith(customPrefix)
        ? findCustomProvider(deps, name, { outbound: guarded, oidc: oidc.custom }, context)
        : findConfiguredProvider(deps, name, { outbound, oidc: oidc.configured })
    },
  }
}

async function findCustomProvider(
  { settings, callbackUrl, findCustom }: ProvidersDeps,
  name: string,
  tools: ProviderTools,
  context: RequestContext,
): Promise<Provider | Unsupported> {
  if (!settings.customProvidersEnabled) return { kind: 'unsupported', why: 'custom OAuth providers are disabled' }
  const custom = await findCustom(name, context)
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
  const missing = missingSetting(deps.settings, name, config)
  if (missing !== null) return { kind: 'unsupported', why: missing }
  const client = clientOf(deps, name, config)
  const { emailOptional } = config
  if (name === 'twitter') return createTwitter(client, emailOptional, { outbound: tools.outbound, now: deps.now })
  return createOAuth2Provider({ name, emailOptional, definition: definitions[name], client, tools })
}

/** What keeps users from signing in with a provider, in words; null where nothing does. */
export function missingSetting(settings: ExternalSettings, name: ProviderName, config: ProviderConfig): string | null {
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

/** The key of Apple's client secret; null where a secret is configured instead. */
function appleKeyOf(settings: ExternalSettings): Readonly<Record<'teamId' | 'keyId' | 'key', string>> | null {
  const { externalAppleTeamId: teamId, externalAppleKeyId: keyId, externalApplePrivateKey: key } = settings
  return teamId === null || keyId === null || key === null ? null : { teamId, keyId, key }
}
