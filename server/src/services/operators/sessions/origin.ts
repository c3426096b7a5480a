import type { FastifyRequest } from 'fastify'
import { operatorsError } from '../errors.ts'

const readingMethods = new Set(['GET', 'HEAD'])

/**
 * Refuses requests that another origin's page made, reading included: the application on another port of this host is of
 * the same *site*, so a browser sends the operator's cookie along. Browsers name the origin's relation
 * (`Sec-Fetch-Site`), older ones the `Origin`; a program that sends neither is no browser and has no cookie by itself.
 * Top-level navigation is allowed from anywhere: the page that links cannot read the document.
 *
 * @throws CLEW_OPERATORS_FOREIGN_ORIGIN
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request) && !isTopLevelNavigation(request)) throw operatorsError('CLEW_OPERATORS_FOREIGN_ORIGIN')
}

function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

const isTopLevelNavigation = ({ method, headers }: FastifyRequest): boolean =>
  readingMethods.has(method) && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
