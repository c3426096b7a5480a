import type { FastifyRequest } from 'fastify'
import type { RequestContext } from '../../../ground/model/request.ts'
import { otlpError } from '../errors.ts'

/** The project's opaque keys. */
export interface OtlpKeys {
  readonly isSecret: (key: string) => boolean
  readonly isPublishable: (key: string) => boolean
}

/** One header as a text. */
export function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** The record that the gateway made of the request, when one did. */
export const contextOf = (request: FastifyRequest): RequestContext | null =>
  request.server.hasRequestDecorator('requestContext')
    ? request.getDecorator<RequestContext | null>('requestContext')
    : null

/**
 * Refuses a request without the key that it needs: the secret key, or the legacy key of the service role, in `apikey` or as a
 * bearer token; the publishable key or a user's token where pages may send.
 *
 * @throws CLEW_OTLP_KEY
 */
export function refuseKey(request: FastifyRequest, keys: OtlpKeys, allowsPublishable: boolean): void {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]
  const sent = [headerOf(request, 'apikey'), bearer].filter((key) => typeof key === 'string' && key !== '')
  const identity = sent.length === 0 ? null : (contextOf(request)?.identity ?? null)
  const role = identity?.kind === 'caller' ? identity.caller.role : null
  if (role === 'service_role' || sent.some((key) => keys.isSecret(String(key)))) {
    // The readers of a page can read its keys.
    if (headerOf(request, 'origin') !== null) throw otlpError('CLEW_OTLP_KEY', { details: 'it is not for browsers' })
    return
  }
  if (allowsPublishable && (role !== null || sent.some((key) => keys.isPublishable(String(key))))) return
  throw otlpError('CLEW_OTLP_KEY')
}
