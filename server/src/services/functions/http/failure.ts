import { ServiceError } from '../../../ground/errors/service-error.ts'
import { functionsError } from '../errors.ts'
import type { WorkerEnd } from '../worker/lifecycle.ts'
import type { Worker } from '../worker/worker.ts'
import { MalformedAnswer } from './answer-parser.ts'

/** How long a broken connection waits for the news of its worker's end. */
const newsMs = 1000

/** Why a worker did not answer: how it ended says so. */
export async function failureOf(worker: Worker, cause: Error): Promise<ServiceError> {
  if (cause instanceof ServiceError) return cause
  if (cause instanceof MalformedAnswer) return functionsError('WORKER_ERROR', { cause })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), newsMs)
  })
  const end: WorkerEnd | null = await Promise.race([worker.ended, late])
  clearTimeout(timer)
  return end?.kind === 'limit'
    ? functionsError('WORKER_LIMIT', { details: end.reason, cause })
    : functionsError('WORKER_ERROR', { cause })
}
