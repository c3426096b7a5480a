import type { WorkerPlace } from '../../plan/instance.ts'

const variable = 'CLEW_WORKER_PLACE'

/** The variable by which a worker finds its place. */
export const placeVariable = (place: WorkerPlace): Readonly<Record<string, string>> => ({
  [variable]: JSON.stringify(place),
})

/** The place of this process among the workers of an instance; null for a process on its own. */
export function readPlace(environment: NodeJS.ProcessEnv): WorkerPlace | null {
  const text = environment[variable]
  // Written by `placeVariable`, in the process that started this one.
  return text === undefined ? null : (JSON.parse(text) as WorkerPlace)
}
