import type { FastifyRequest } from 'fastify'
import type { RequestContext } from '../../../ground/model/request.ts'
import { findCaller, requireCaller, type StorageCaller, type StorageRequest } from './caller.ts'

/** The record of a request; the gateway decorates each with it. */
export const contextOf = (request: FastifyRequest): RequestContext =>
  request.getDecorator<RequestContext>('requestContext')

/** A request that needs a caller. @throws InvalidRequest, AccessDenied (storage §2) */
export function ownRequest(
  request: FastifyRequest,
  operation: string,
): StorageRequest & { readonly caller: StorageCaller } {
  const context = contextOf(request)
  return { context, caller: requireCaller(context), operation }
}

/** A request whose caller is known where it sent a token that counts. */
export function openRequest(request: FastifyRequest, operation: string): StorageRequest {
  const context = contextOf(request)
  return { context, caller: findCaller(context), operation }
}

/** A request whose token, if any, is not looked at. */
export const anonymousRequest = (request: FastifyRequest, operation: string): StorageRequest => ({
  context: contextOf(request),
  caller: null,
  operation,
})
