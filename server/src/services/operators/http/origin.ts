import type { FastifyRequest } from 'fastify'
import { operatorsError } from '../errors.ts'

const reading = new Set(['GET', 'HEAD'])

/**
 * Refuses a call that another origin's page made, reading included: the application on another port of this host is of
 * the same *site*, so a browser sends the operator's cookie along. Browsers say who asks (`Sec-Fetch-Site`), older ones
 * by `Origin`; a program that sends neither is no browser and carries no cookie by itself. A page that is opened as a
 * whole may come by a link from anywhere: who links to it cannot read it.
 *
 * @throws CLEW_OPERATORS_FOREIGN_ORIGIN
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (!isOwn(request) && !isPageOpened(request)) throw operatorsError('CLEW_OPERATORS_FOREIGN_ORIGIN')
}

function isOwn({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

const isPageOpened = ({ method, headers }: FastifyRequest): boolean =>
  reading.has(method) && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
