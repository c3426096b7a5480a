import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import type { ExperimentsRoom } from './experiments.ts'
import { experimentRoutes } from './routes.ts'

export type { ExperimentsDeps } from './deps.ts'
export { experimentsError } from './errors.ts'
export { createExperiments, type ExperimentsRoom } from './experiments.ts'
export { type ExperimentsSettings, experimentsSettings } from './settings.ts'

/** Schema `clew_experiments`. */
export const experimentsTables = {
  name: 'experiments',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Experiments in the console. */
export const experimentsService = (experiments: ExperimentsRoom, actions: OperatorActions) => ({
  console: [experimentRoutes(experiments, actions)],
})
