import { urlHost } from '../listening.ts'
import type { NetDeps } from '../services/net/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import type { InstanceKeys } from './instance.ts'

const everyAddress = new Set(['0.0.0.0', '::'])

/** What requests from SQL take from the instance: its own address, its pepper, whether it reaches its machine. */
export function planNet(
  { net, instance }: Settings,
  { api: { host, port } }: Addresses,
  { pepper }: InstanceKeys,
): Pick<NetDeps, 'settings' | 'own' | 'production' | 'pepper'> {
  const reached = everyAddress.has(host) ? '127.0.0.1' : host
  return {
    settings: net,
    own: { url: `${instance.tls ? 'https' : 'http'}://${urlHost(reached)}:${port}`, port },
    production: instance.production,
    pepper,
  }
}
