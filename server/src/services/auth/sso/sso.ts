import type { Outbound } from '../../../engines/outbound/index.ts'
import type { SsoDeps } from './deps.ts'
import type { Sso } from './single-sign-on.ts'

/**
 * Makes single sign-on, and loads it for the first who asks: reading and checking signed XML costs each start 80 ms, and
 * few use it.
 *
 * @throws TypeError when SAML is on and there is no key
 */
export function createSso(deps: SsoDeps, outbound: Outbound): Sso {
  if (deps.settings.samlEnabled && deps.settings.samlPrivateKey === null)
    throw new TypeError('SAML is on, and saml_private_key is not set.')
  let loaded: Promise<Sso> | null = null
  const saml = (): Promise<Sso> => {
    loaded ??= import('./create-saml.ts').then(({ createSaml }) => createSaml(deps, outbound))
    return loaded
  }
  return {
    begin: async (call) => (await saml()).begin(call),
    metadata: async (download) => (await saml()).metadata(download),
    consume: async (body, context) => (await saml()).consume(body, context),
    admin: {
      list: async (call, query) => (await saml()).admin.list(call, query),
      create: async (call) => (await saml()).admin.create(call),
      get: async (call, id) => (await saml()).admin.get(call, id),
      change: async (call, id) => (await saml()).admin.change(call, id),
      delete: async (call, id) => (await saml()).admin.delete(call, id),
    },
  }
}
