import type { OwnAddress } from '../ground/http/own-address.ts'
import { urlHost } from '../listening.ts'
import type { NetDeps } from '../services/net/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import type { InstanceKeys } from './instance.ts'

const everyAddress = new Set(['0.0.0.0', '::'])

/** Where this machine reaches the instance's own API. */
export function planOwnAddress(
  { instance }: Pick<Settings, 'instance'>,
  { api: { host, port } }: Addresses,
): OwnAddress {
  const reached = everyAddress.has(host) ? '127.0.0.1' : host
  return { url: `${instance.tls ? 'https' : 'http'}://${urlHost(reached)}:${port}`, port }
}

/** What requests from SQL take from the instance: its own address, its pepper, whether it reaches its machine. */
export function planNet(
  settings: Settings,
  addresses: Addresses,
  { pepper, api }: InstanceKeys,
): Pick<NetDeps, 'settings' | 'own' | 'anonKey' | 'production' | 'pepper'> {
  return {
    settings: settings.net,
    own: planOwnAddress(settings, addresses),
    anonKey: () => api.anonKey,
    production: settings.instance.production,
    pepper,
  }
}
