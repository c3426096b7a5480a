import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import { gatewayError } from '../errors.ts'

/** The one shape in which Clew's own endpoints refuse. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly details?: unknown
    readonly requestId: string
  }
}

/** Answers what nobody else has caught: refusals as their catalogue says, bugs as a 500 with the request's id and nothing else. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(error, request.getDecorator<RequestWork | null>('work'), request, reply)
}

/** Answers an address that no route could even be looked up for, before any hook has run. */
export function sendUnreadable(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(error, null, request, reply)
}

function send(error: unknown, work: RequestWork | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toServiceError(error)
  if (work !== null) work.errorCode ??= refusal.code
  if (refusal.status >= 500) request.log.error({ err: error, requestId: work?.id }, 'request failed')
  const body: ErrorBody = {
    error: {
      code: refusal.code,
      message: refusal.message,
      hint: refusal.hint,
      ...(refusal.details === null ? {} : { details: refusal.details }),
      requestId: work?.id ?? '',
    },
  }
  return reply.code(refusal.status).headers(refusal.headers).send(body)
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const status = statusOf(error)
  if (status === 413) return gatewayError('CLEW_GATEWAY_TOO_LARGE', { cause: error })
  if (status !== null && status >= 400 && status < 500) {
    const message = error instanceof Error ? error.message : 'The request could not be read.'
    return gatewayError('CLEW_GATEWAY_BAD_REQUEST', { message, cause: error })
  }
  return gatewayError('CLEW_GATEWAY_INTERNAL', { cause: error })
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  const status = (error as { statusCode?: unknown }).statusCode
  return typeof status === 'number' ? status : null
}
