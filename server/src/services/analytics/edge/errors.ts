import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { analyticsError } from '../errors.ts'
import { workOf } from './request.ts'

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error'
  return status < 500 ? 'validation_error' : 'server_error'
}

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && 'statusCode' in error

/** A refusal of Fastify itself, while it read the request, in our words. */
function refusalOf(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (!isFastifyError(error) || error.statusCode === undefined || error.statusCode >= 500) return null
  return analyticsError(error.statusCode === 413 ? 'CLEW_INGEST_TOO_LARGE' : 'CLEW_INGEST_ENCODING', { cause: error })
}

/** Answers in PostHog's form: `{type, code, detail, attr}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error)
  const work = workOf(request)
  if (refusal === null || refusal.status >= 500) request.log.error({ err: error }, 'ingest: a request failed')
  const status = refusal?.status ?? 500
  const code = refusal?.code ?? 'CLEW_INGEST_INTERNAL'
  if (work !== null) work.errorCode = code
  const detail =
    refusal === null
      ? 'Something went wrong here.'
      : [refusal.message, refusal.details === null ? '' : `(${String(refusal.details)})`, refusal.hint]
          .filter((part) => part !== '')
          .join(' ')
  void reply
    .code(status)
    .headers(refusal?.headers ?? {})
    .send({ type: typeOf(status), code, detail, attr: null })
}
