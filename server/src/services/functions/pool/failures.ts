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
  /** Notes why a version does not start; forgets what failed before where it does. */
  watch(program: WorkerProgram, ready: Promise<unknown>): void
  /** The error that answers a call of a function that did not start. */
  errorOf(program: WorkerProgram): ServiceError
}

const firstPauseMs = 1000
const longestPauseMs = 30_000

/** Opens the memory of failures, one for each function. */
export function createFailures(): Failures {
  const failures = new Map<string, Failure>()
  const note = ({ name, version }: WorkerProgram, cause: Error): void => {
    const before = failures.get(name)
    const count = before?.version === version ? before.count + 1 : 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1))
    const error = functionsError('BOOT_ERROR', { details: cause.message, cause })
    failures.set(name, { version, count, error, untilMs: performance.now() + pauseMs })
  }
  return {
    check({ name, version }) {
      const failure = failures.get(name)
      if (failure?.version === version && failure.untilMs > performance.now()) throw failure.error
    },
    watch(program, ready) {
      ready.then(
        () => failures.delete(program.name),
        (cause: Error) => note(program, cause),
      )
    },
    errorOf: ({ name }) => failures.get(name)?.error ?? functionsError('BOOT_ERROR'),
  }
}
