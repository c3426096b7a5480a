import type { Outbound } from '../../../engines/outbound/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { madeOf } from '../../../ground/settings/live.ts'
import { readFlag } from '../parse/body.ts'
import { renderQueryFailure } from '../render/location.ts'
import { consumeResponse } from './acs.ts'
import { beginSso } from './begin.ts'
import type { SsoDeps } from './deps.ts'
import { ssoError } from './errors.ts'
import { createFetchMetadata } from './fetch-metadata.ts'
import {
  changeSsoProvider,
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
} from './providers.ts'
import { createServiceProvider, type ServiceProvider } from './saml/service-provider.ts'
import type { Sso } from './single-sign-on.ts'

const downloadYears = 5

/** Makes single sign-on by SAML 2.0 of the service's deps. */
export function createSaml(deps: SsoDeps, outbound: Outbound): Sso {
  const { settings } = deps
  const keys = (): string => [settings.samlPrivateKey, settings.samlPrivateKeyNext].join('\n')
  const self = settings.samlEnabled ? madeOf(keys, () => createServiceProvider(settings)) : null
  self?.()
  const fetchMetadata = createFetchMetadata(outbound)
  const enabled = (): ServiceProvider => {
    if (self === null) throw ssoError('saml_provider_disabled')
    return self()
  }
  return {
    async begin(call) {
      const url = await beginSso(deps, enabled(), call)
      return readFlag(call.body, 'skip_http_redirect', false)
        ? { status: 200, body: { url } }
        : { status: 303, headers: { location: url } }
    },
    async metadata(download) {
      const provider = enabled()
      const until = deps.now()
      until.setUTCFullYear(until.getUTCFullYear() + downloadYears)
      return {
        status: 200,
        body: provider.metadata(download ? until : null),
        headers: {
          'content-type': 'application/xml',
          'cache-control': `public, max-age=${provider.isKeyChanging ? 60 : 600}`,
          ...(download ? { 'content-disposition': 'attachment; filename="metadata.xml"' } : {}),
        },
      }
    },
    async consume(body, context) {
      const provider = enabled()
      try {
        return await consumeResponse(deps, { self: provider, fetchMetadata }, body, context)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        context.errorCode = error.code
        return renderQueryFailure(settings.siteUrl, error)
      }
    },
    admin: {
      list: (call, query) => listSsoProviders(deps, call, query),
      create: (call) => createSsoProvider(deps, fetchMetadata, call),
      get: (call, id) => getSsoProvider(deps, call, id),
      change: (call, id) => changeSsoProvider(deps, fetchMetadata, call, id),
      delete: (call, id) => deleteSsoProvider(deps, call, id),
    },
  }
}
