import { OutboundRefusal } from '../../../engines/outbound/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Outcome } from './call.ts'

/** A response's body is larger than what is kept. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Could not connect to server',
  EHOSTUNREACH: 'Could not connect to server',
  ENETUNREACH: 'Could not connect to server',
  ETIMEDOUT: 'Could not connect to server',
  ENOTFOUND: 'Could not resolve host name',
  EAI_AGAIN: 'Could not resolve host name',
  ECONNRESET: 'Server returned nothing (no headers, no data)',
}

const hint = 'Allow the host in allowed_hosts of [net] where it is meant.'
const isHttpError = (code: string): boolean => code.startsWith('HPE_')
const isRequestError = (code: string): boolean => code.startsWith('ERR_INVALID_') || code.startsWith('ERR_HTTP_')

/** The outcome of a call that failed, in the words of pg_net where it has them. */
export function outcomeOfError(error: unknown): Extract<Outcome, { message: string }> {
  if (error instanceof OutboundRefusal) return { kind: 'refused', message: `${error.message}. ${hint}` }
  if (error instanceof ResponseTooLarge) return { kind: 'too large', message: error.message }
  const code = codeOf(error)
  if (isRequestError(code)) return { kind: 'refused', message: `The request cannot be sent: ${messageOf(error)}` }
  if (isHttpError(code)) return { kind: 'connection', message: `The response is no HTTP: ${messageOf(error)}` }
  return { kind: 'connection', message: connectionErrors[code] ?? messageOf(error) }
}

function codeOf(error: unknown): string {
  // Where a name has several addresses, the error holds one for each.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return first instanceof Error && 'code' in first ? String(first.code) : ''
}
