import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { cohortRoutes } from './console/cohort-routes.ts'
import { createFlagPages } from './console/manage.ts'
import { createCohortPages } from './console/manage-cohorts.ts'
import { flagRoutes } from './console/routes.ts'
import type { FlagsRoom } from './flags.ts'

/** Feature flags in the console. Clients ask for them under `/ingest`. */
export const flagsService = (flags: FlagsRoom, actions: OperatorActions) => ({
  console: [flagRoutes(createFlagPages(flags.inside), actions), cohortRoutes(createCohortPages(flags.inside), actions)],
  close: flags.close,
})
