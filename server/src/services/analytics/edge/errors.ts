import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { analyticsError } from '../errors.ts'
import { contextOf } from './request.ts'

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error'
  return status < 500 ? 'validation_error' : 'server_error'
}

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && 'statusCode' in error

/** An error of Fastify itself, while it read the request, as one of the catalogue; null for a bug. */
function toServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (!isFastifyError(error) || error.statusCode === undefined || error.statusCode >= 500) return null
  return analyticsError(error.statusCode === 413 ? 'CLEW_INGEST_TOO_LARGE' : 'CLEW_INGEST_ENCODING', { cause: error })
}

/** Answers in PostHog's form: `{type, code, detail, attr}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toServiceError(error)
  const context = contextOf(request)
  if (known === null || known.status >= 500) request.log.error({ err: error }, 'ingest: a request failed')
  const status = known?.status ?? 500
  const code = known?.code ?? 'CLEW_INGEST_INTERNAL'
  if (context !== null) context.errorCode = code
  const detail =
    known === null
      ? 'Something went wrong here.'
      : [known.message, known.details === null ? '' : `(${String(known.details)})`, known.hint]
          .filter((part) => part !== '')
          .join(' ')
  void reply
    .code(status)
    .headers(known?.headers ?? {})
    .send({ type: typeOf(status), code, detail, attr: null })
}
