import { ServiceError } from './service-error.ts'

/** One way a service refuses. */
export interface ErrorEntry {
  readonly status: number
  /** What happened. */
  readonly message: string
  /** What to do about it. */
  readonly mend: string
}

export interface ErrorDetails {
  /** Replaces the catalogue's message where the contract words it with its own values. */
  readonly message?: string
  readonly details?: unknown
  readonly hint?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Makes the thrower of one service's errors: an unknown code does not compile. */
export interface Catalogue<Code extends string> {
  (code: Code, details?: ErrorDetails): ServiceError
  readonly entries: Readonly<Record<Code, ErrorEntry>>
}

/** Declares every way one service refuses, by code. */
export function catalogue<Code extends string>(entries: Readonly<Record<Code, ErrorEntry>>): Catalogue<Code> {
  const make = (code: Code, details: ErrorDetails = {}): ServiceError => {
    const entry = entries[code]
    return new ServiceError({
      code,
      status: entry.status,
      message: details.message ?? entry.message,
      mend: entry.mend,
      details: details.details ?? null,
      hint: details.hint ?? null,
      headers: details.headers ?? {},
      cause: details.cause,
    })
  }
  return Object.assign(make, { entries })
}
