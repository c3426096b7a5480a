import { ServiceError } from './service-error.ts'

/** One error of a service. */
export interface ErrorEntry {
  readonly status: number
  /** What happened. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
}

export interface ErrorDetails {
  /** Replaces the catalogue's message where the contract's wording contains values. */
  readonly message?: string
  readonly details?: unknown
  /** The `hint` of PostgREST's error body, where it has one. */
  readonly wireHint?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Creates one service's errors by code; an unknown code does not compile. */
export interface Catalogue<Code extends string> {
  (code: Code, details?: ErrorDetails): ServiceError
  readonly entries: Readonly<Record<Code, ErrorEntry>>
}

/** Declares every error of one service, by code. */
export function catalogue<Code extends string>(entries: Readonly<Record<Code, ErrorEntry>>): Catalogue<Code> {
  const make = (code: Code, details: ErrorDetails = {}): ServiceError => {
    const entry = entries[code]
    return new ServiceError({
      code,
      status: entry.status,
      message: details.message ?? entry.message,
      hint: entry.hint,
      details: details.details ?? null,
      wireHint: details.wireHint ?? null,
      headers: details.headers ?? {},
      cause: details.cause,
    })
  }
  return Object.assign(make, { entries })
}
