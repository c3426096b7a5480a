import type { FastifyRequest } from 'fastify'
import type { OwnRequest } from '../buckets/buckets.ts'
import { serviceCaller } from '../http/caller.ts'
import { contextOf } from '../http/routes.ts'

/** A request of the console, which acts as the service role: its rights are those of operators. */
export const consoleRequest = (request: FastifyRequest, operation: string): OwnRequest => ({
  context: contextOf(request),
  caller: serviceCaller,
  operation,
})
