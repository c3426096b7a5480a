import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import { gatewayError } from '../errors.ts'

/** The body of every error of Clew's own endpoints. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly details?: unknown
    readonly requestId: string
  }
}

/** Answers uncaught errors: those of a catalogue as it says, any other with a 500 that tells only the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(error, request.getDecorator<RequestContext | null>('requestContext'), request, reply)
}

/** Answers errors of the framework before any hook has run, as for an address that cannot be decoded. */
export function sendFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(error, null, request, reply)
}

function send(
  error: unknown,
  context: RequestContext | null,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const serviceError = toServiceError(error)
  if (context !== null) context.errorCode ??= serviceError.code
  if (serviceError.status >= 500) request.log.error({ err: error, requestId: context?.id }, 'request failed')
  const body: ErrorBody = {
    error: {
      code: serviceError.code,
      message: serviceError.message,
      hint: serviceError.hint,
      ...(serviceError.details === null ? {} : { details: serviceError.details }),
      requestId: context?.id ?? '',
    },
  }
  return reply.code(serviceError.status).headers(serviceError.headers).send(body)
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const status = statusOf(error)
  if (status === 413) return gatewayError('CLEW_GATEWAY_TOO_LARGE', { cause: error })
  if (status !== null && status >= 400 && status < 500) {
    const message = error instanceof Error ? error.message : 'The request could not be read.'
    const code = isOfAddress(error) ? 'CLEW_GATEWAY_BAD_ADDRESS' : 'CLEW_GATEWAY_BAD_REQUEST'
    return gatewayError(code, { message, cause: error })
  }
  return gatewayError('CLEW_GATEWAY_INTERNAL', { cause: error })
}

/** Whether the schema of an address's path or parameters refused the request. */
function isOfAddress(error: unknown): boolean {
  const context = error instanceof Error ? Reflect.get(error, 'validationContext') : undefined
  return context === 'params' || context === 'querystring'
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  const status = (error as { statusCode?: unknown }).statusCode
  return typeof status === 'number' ? status : null
}
