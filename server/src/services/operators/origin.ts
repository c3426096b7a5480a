import type { FastifyRequest } from 'fastify'
import { operatorsError } from './errors.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a call that changes something when another site's page made it. Browsers say so themselves
 * (`Sec-Fetch-Site`), older ones by `Origin`; a program that sends neither is no browser and carries no cookie by itself.
 *
 * @throws CLEW_OPERATORS_FOREIGN_ORIGIN
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (reading.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  const own =
    site === undefined
      ? origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.host)
      : site === 'same-origin' || site === 'none'
  if (!own) throw operatorsError('CLEW_OPERATORS_FOREIGN_ORIGIN')
}
