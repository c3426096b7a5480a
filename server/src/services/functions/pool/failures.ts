import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { functionsError } from '../errors.ts'
import type { WorkerProgram } from '../worker/worker.ts'

interface Failure {
  readonly version: string
  readonly error: ServiceError
  readonly untilMs: number
  readonly count: number
}

/** Versions that did not start. Each is tried again after a pause that grows; until then its calls are refused at once. */
export interface Failures {
  /** @throws BOOT_ERROR while the version's pause lasts */
  check(program: WorkerProgram): void
  /** Notes why a version did not start. */
  failed(program: WorkerProgram, cause: Error): void
  /** Forgets what failed before. */
  started(program: WorkerProgram): void
  /** The error that answers a call of a function that did not start. */
  errorOf(program: WorkerProgram): ServiceError
}

const firstPauseMs = 1000
const longestPauseMs = 30_000

/** Opens the memory of failures, one for each function. */
export function createFailures(): Failures {
  const failures = new Map<string, Failure>()
  return {
    check({ name, version }) {
      const failure = failures.get(name)
      if (failure?.version === version && failure.untilMs > performance.now()) throw failure.error
    },
    failed({ name, version }, cause) {
      const before = failures.get(name)
      const count = before?.version === version ? before.count + 1 : 1
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1))
      const error = functionsError('BOOT_ERROR', { details: cause.message, cause })
      failures.set(name, { version, count, error, untilMs: performance.now() + pauseMs })
    },
    started: ({ name }) => void failures.delete(name),
    errorOf: ({ name }) => failures.get(name)?.error ?? functionsError('BOOT_ERROR'),
  }
}
