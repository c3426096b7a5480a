import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError, type ServiceErrorFields } from '../../ground/errors/service-error.ts'
import type { Instance } from '../index.ts'

/** What a start shows of an instance that runs. */
export type ShownFacts = Pick<Instance, 'shownDbUrl' | 'exampleUrl' | 'missing'>

/** A message of a worker. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly facts: ShownFacts }
  | { readonly kind: 'refused'; readonly error: SentError }

/** A message to a worker: it answers what runs, and ends. */
export interface ToWorker {
  readonly kind: 'stop'
}

/** An error that another process reports. */
export type SentError = { readonly known: Omit<ServiceErrorFields, 'cause'> } | { readonly unknown: string }

/** An error as a message can hold it. */
export function sendError(error: unknown): SentError {
  if (!(error instanceof ServiceError))
    return { unknown: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }
  const { code, status, message, hint, details, wireHint, headers } = error
  return { known: { code, status, message, hint, details, wireHint, headers } }
}

/** The error that another process has sent. */
export const receiveError = (sent: SentError): Error =>
  'known' in sent ? new ServiceError({ ...sent.known, cause: null }) : new Error(sent.unknown)
