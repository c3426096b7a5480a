import { ServiceError } from '../../ground/errors/service-error.ts'

/** What went wrong, for the log: of the service's own errors their details, too. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const details = error instanceof ServiceError && typeof error.details === 'string' ? ` (${error.details})` : ''
  return `${error.message}${details}`
}
