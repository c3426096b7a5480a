import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { type AnswersDeps, createIssueAnswers } from './console/answers.ts'
import { createIssueChanges } from './console/changes.ts'
import { issueRoutes } from './console/routes.ts'
import type { Issues } from './issues.ts'
import { sourceMapRoutes } from './maps/routes.ts'
import { createSourceMaps, type SourceMapsDeps } from './maps/upload.ts'
import type { IssuesSettings } from './settings.ts'

export interface IssuesServiceDeps extends Omit<AnswersDeps, 'resolve'> {
  readonly actions: OperatorActions
  readonly settings: IssuesSettings
  readonly newId: () => string
  readonly threads: SourceMapsDeps['threads']
}

/** Errors in the console. */
export function issuesService({ resolve, suppression, health, close }: Issues, deps: IssuesServiceDeps) {
  const answers = createIssueAnswers({ ...deps, resolve })
  const changes = createIssueChanges({ ...deps, find: answers.find, rulesChanged: suppression.refresh })
  const bodyLimit = deps.settings.maxSourceMapMib * 1024 ** 2
  const maps = sourceMapRoutes(createSourceMaps(deps), deps.actions, bodyLimit)
  return { console: [issueRoutes(answers, changes, deps.actions), maps], commandLine: [maps], health, close }
}
