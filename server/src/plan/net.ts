import type { OwnAddress } from '../ground/http/own-address.ts'
import { ofEachRoot } from '../ground/ids/root-keys.ts'
import { urlHost } from '../listening.ts'
import { type NetDeps, webhookSecretOf } from '../services/net/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import type { ComposeInput, InstanceKeys } from './instance.ts'

const hourMs = 3_600_000
const everyAddress = new Set(['0.0.0.0', '::'])

/** Where this machine reaches the instance's own API. */
export function planOwnAddress(
  { instance }: Pick<Settings, 'instance'>,
  { api: { host, port } }: Addresses,
): OwnAddress {
  const reached = everyAddress.has(host) ? '127.0.0.1' : host
  return { url: `${instance.tls ? 'https' : 'http'}://${urlHost(reached)}:${port}`, port }
}

/** What requests from SQL take from the instance: its own address, its secrets, whether it reaches its machine. */
export function planNet(
  { settings, keys, useSecrets }: Pick<ComposeInput, 'settings' | 'keys' | 'useSecrets'>,
  addresses: Addresses,
  now: () => Date,
): Pick<NetDeps, 'settings' | 'own' | 'anonKey' | 'production' | 'webhookSecrets'> {
  const { api } = keys
  return {
    settings: settings.net,
    own: planOwnAddress(settings, addresses),
    anonKey: () => api.anonKey,
    production: settings.instance.production,
    webhookSecrets: planWebhookSecrets(settings.net, keys, useSecrets, now),
  }
}

/**
 * The secrets that webhooks are signed with: that of the settings, and for the time of the overlap that of before; without one
 * those of the root keys.
 */
function planWebhookSecrets(
  settings: Settings['net'],
  { roots }: Pick<InstanceKeys, 'roots'>,
  useSecrets: ComposeInput['useSecrets'],
  now: () => Date,
): NetDeps['webhookSecrets'] {
  const ofRoots = ofEachRoot(roots, ({ secret }) => webhookSecretOf(secret))
  const secretsOf = (configured: string | null): readonly string[] =>
    configured === null ? ofRoots().map(({ value }) => value) : [configured]
  let current = settings.webhookSecret
  let earlier: { readonly configured: string | null; readonly until: Date } | null = null
  useSecrets({
    secrets: ['[net] webhook_secret'],
    taken() {
      earlier = { configured: current, until: new Date(now().getTime() + settings.webhookSecretOverlapHours * hourMs) }
      current = settings.webhookSecret
    },
  })
  return () =>
    earlier === null || now() >= earlier.until
      ? secretsOf(current)
      : [...secretsOf(current), ...secretsOf(earlier.configured)]
}
