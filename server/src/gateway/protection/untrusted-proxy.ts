import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/**
 * Makes what says once, at the first sight of it, that requests come through a proxy that nobody named: everybody then has
 * the proxy's address, and what is limited by address is limited for all of them together.
 */
export function createProxyNotice(log: Pick<FastifyBaseLogger, 'warn'>): (request: FastifyRequest) => void {
  let isSaid = false
  return ({ ip, raw }) => {
    if (isSaid || raw.headers['x-forwarded-for'] === undefined || ip !== raw.socket.remoteAddress) return
    isSaid = true
    log.warn(
      { proxy: ip },
      'A request came through a proxy that is not named in trusted_proxies: its users share one address, and its limits.',
    )
  }
}
