import { parentPort } from 'node:worker_threads'
import { ServiceError, type ServiceErrorFields } from '../../ground/errors/service-error.ts'
import { addNiceness } from './priority.ts'

/** What a task returns: its value, and the memory of it that moves instead of being copied. */
export interface TaskOutput {
  readonly value: unknown
  readonly transfer: readonly ArrayBuffer[]
}

/** What a module of tasks exports. */
interface TaskModule {
  readonly run: (input: unknown) => TaskOutput | Promise<TaskOutput>
}

/** One task, as the pool sends it. */
export interface Order {
  readonly module: string
  readonly input: unknown
}

/** The outcome of a task, as the thread reports it. */
export type Report =
  | { readonly kind: 'done'; readonly value: unknown }
  /** An error of a catalogue, by its fields: messages between threads carry no class. */
  | { readonly kind: 'refused'; readonly fields: ServiceErrorFields }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What holds up many is answered first; a large body may take a little longer. */
const niceness = 5

addNiceness(niceness)

// Orders come one at a time: the pool waits for the report.
parentPort?.on('message', ({ module, input }: Order) => {
  void work(module, input)
})

async function work(module: string, input: unknown): Promise<void> {
  try {
    const { run } = (await import(module)) as TaskModule
    const { value, transfer } = await run(input)
    parentPort?.postMessage({ kind: 'done', value } satisfies Report, [...transfer])
  } catch (error) {
    parentPort?.postMessage(reportOf(error))
  }
}

function reportOf(error: unknown): Report {
  if (!(error instanceof ServiceError)) return { kind: 'failed', error }
  const { code, status, message, hint, details, wireHint, headers } = error
  return { kind: 'refused', fields: { code, status, message, hint, details, wireHint, headers, cause: undefined } }
}
