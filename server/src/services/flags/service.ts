import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { createFlagArchive } from './console/archive.ts'
import { archiveRoutes } from './console/archive-routes.ts'
import { cohortRoutes } from './console/cohort-routes.ts'
import { createFlagPages } from './console/manage.ts'
import { createCohortPages } from './console/manage-cohorts.ts'
import { flagRoutes } from './console/routes.ts'
import type { FlagsRoom } from './flags.ts'

/** Feature flags in the console. Clients ask for them under `/ingest`. */
export function flagsService(flags: FlagsRoom, actions: OperatorActions) {
  const pages = [
    flagRoutes(createFlagPages(flags.inside), actions),
    archiveRoutes(createFlagArchive(flags.inside), actions),
    cohortRoutes(createCohortPages(flags.inside), actions),
  ]
  // The command line imports some.
  return { console: pages, commandLine: pages, close: flags.close }
}
