import type { OwnAddress } from '../ground/http/own-address.ts'
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

/** The secret that webhooks are signed with, and for the time of the overlap that of before. */
function planWebhookSecrets(
  settings: Settings['net'],
  { pepper }: Pick<InstanceKeys, 'pepper'>,
  useSecrets: ComposeInput['useSecrets'],
  now: () => Date,
): NetDeps['webhookSecrets'] {
  const secretOfNow = (): string => settings.webhookSecret ?? webhookSecretOf(pepper)
  let current = secretOfNow()
  let earlier: { readonly secret: string; readonly until: Date } | null = null
  useSecrets({
    secrets: ['[net] webhook_secret'],
    taken() {
      earlier = { secret: current, until: new Date(now().getTime() + settings.webhookSecretOverlapHours * hourMs) }
      current = secretOfNow()
    },
  })
  return () => (earlier === null || now() >= earlier.until ? [current] : [current, earlier.secret])
}
