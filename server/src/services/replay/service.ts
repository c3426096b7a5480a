import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ImportFileDeps } from './file/import-file.ts'
import { replayRoutes } from './routes.ts'

/** Recordings in the console: those that come as files. */
export function replayService(deps: ImportFileDeps, actions: OperatorActions) {
  const routes = [replayRoutes(deps, actions)]
  return { console: routes, commandLine: routes }
}
