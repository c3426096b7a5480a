import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createCallerFinder, createHostCheck, createPageCheck, type ServerDeps } from '../gateway/index.ts'
import type { LiveCertificate } from '../ground/http/certificate.ts'
import type { ApiKeys } from '../ground/jwt/api-keys.ts'
import type { KeySet } from '../ground/jwt/keys.ts'
import { createTokenVerifier, type TrustedIssuers } from '../ground/jwt/verify.ts'
import type { KeyUses } from '../services/auth/index.ts'
import { sessionCookieNames } from '../services/operators/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import { localOrigins, originsOf } from './origins.ts'

/** Compiled, this file stands in a folder beside the built console; run from its source, the console is in `dist`. */
const isBuilt = import.meta.url.endsWith('.js')
/** The built console. */
const consoleFolder = fileURLToPath(new URL(isBuilt ? '../console/' : '../../dist/console/', import.meta.url))

export interface ServerPlanDeps {
  readonly certificate: LiveCertificate | null
  readonly keys: { readonly api: ApiKeys; readonly tokens: KeySet }
  readonly keyUses: Pick<KeyUses, 'note'>
  /** Other issuers whose tokens count; null where there are none. */
  readonly issuers: TrustedIssuers | null
  /** Where the application is, and may send its users. */
  readonly pages: readonly string[]
  /** Notices a proxy that the settings do not name. */
  readonly proxyCheck: ServerDeps['proxyCheck']
  readonly newId: () => string
  readonly now: () => Date
  readonly log: Logger
}

/** What both ports share, and what each has of its own. */
export function planServers(
  { instance, replay, acme, log: logging }: Settings,
  addresses: Addresses,
  deps: ServerPlanDeps,
) {
  const { production } = instance
  const { apiUrl, consoleUrl, inboxUrl } = addresses
  const { certificate, keys, keyUses, issuers, pages, proxyCheck, newId, now, log } = deps
  const pageOrigins = originsOf([apiUrl, ...pages])
  const hosts = [...[apiUrl, consoleUrl].map((address) => new URL(address).hostname), ...instance.allowedHosts]
  const shared = {
    jsonDepth: instance.jsonDepth,
    headLimitBytes: instance.headLimitKib * 1024,
    bodyLimitBytes: instance.bodyLimitKib * 1024,
    requestTimeoutMs: instance.requestTimeoutSeconds * 1000,
    requestBytesPerSecond: instance.requestBytesPerSecond,
    closeGraceMs: instance.closeGraceSeconds * 1000,
    trustedProxies: instance.trustedProxies,
    clientAddressHeader: instance.clientAddressHeader,
    proxyCheck,
    newId,
    now,
    log,
    ...(logging.access ? { accessLog: log.child({}, { level: 'info' }) } : {}),
    ...(production ? {} : { allowsHost: createHostCheck(hosts) }),
  } satisfies Partial<ServerDeps>
  const verify = createTokenVerifier({
    keys: keys.tokens,
    now,
    cacheSize: instance.tokenCacheEntries,
    clockSkewSeconds: 0,
    ...(issuers === null ? {} : { issuers }),
  })
  return {
    api: {
      ...shared,
      certificate,
      findCaller: createCallerFinder({
        verify,
        apiKeys: keys.api,
        keyRequired: production,
        noteKey: keyUses.note,
      }),
      ...(production ? {} : { allowsPage: createPageCheck(pageOrigins) }),
      metricsToken: () => instance.metricsToken,
      publicFolder: instance.public,
      consoleUrl,
      withheldCookies: sessionCookieNames,
      redirects: [{ prefix: '/console', to: consoleUrl }, ...(production ? [] : [{ prefix: '/inbox', to: inboxUrl }])],
    },
    console: {
      ...shared,
      // A certificate of one's own may be for the application's name alone.
      certificate: acme.enabled && instance.consoleUrl !== null ? certificate : null,
      folder: consoleFolder,
      assetOrigins: [...pageOrigins, ...replay.assetOrigins, ...(production ? [] : localOrigins)],
    },
  }
}
