import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { EngineHealth } from '../../ground/model/health.ts'

/** Detects requests through a proxy that `trusted_proxies` does not name. */
export interface ProxyCheck {
  /** Looks at a request. The first one through such a proxy is logged. */
  readonly see: (request: Pick<FastifyRequest, 'ip' | 'ips' | 'raw'>) => void
  /** A `degraded` entry for the instance's health once such a request was seen, else none. */
  readonly health: () => readonly EngineHealth[]
}

const consequence = 'all its users have one address, and share the limits by address'

/** A trusted proxy's header replaces the connection's address; any other one leaves the header without effect. */
export function createProxyCheck(log: Pick<FastifyBaseLogger, 'warn'>): ProxyCheck {
  let untrusted: string | null = null
  return {
    see({ ip, ips = [], raw }) {
      // Behind a trusted proxy there are two addresses or more, which may be equal: a client on the proxy's own machine.
      if (untrusted !== null || raw.headers['x-forwarded-for'] === undefined || ips.length > 1) return
      untrusted = ip
      log.warn({ proxy: ip }, `A request came through a proxy that is not named in trusted_proxies: ${consequence}.`)
    },
    health: () =>
      untrusted === null
        ? []
        : [
            {
              name: 'proxy',
              state: 'degraded',
              detail: `Requests come through the proxy ${untrusted}, which trusted_proxies does not name: ${consequence}. Add it to trusted_proxies.`,
              pid: null,
            },
          ],
  }
}
