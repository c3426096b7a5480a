import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { type AnswersDeps, createIssueAnswers } from './console/answers.ts'
import { createIssueChanges } from './console/changes.ts'
import { issueRoutes } from './console/routes.ts'
import type { Issues } from './issues.ts'
import type { IssuesSettings } from './settings.ts'

export interface IssuesServiceDeps extends Omit<AnswersDeps, 'resolve'> {
  readonly actions: OperatorActions
  readonly settings: IssuesSettings
  readonly newId: () => string
}

/** Errors in the console. */
export function issuesService({ resolve, health, close }: Issues, deps: IssuesServiceDeps) {
  const answers = createIssueAnswers({ ...deps, resolve })
  const changes = createIssueChanges({ ...deps, find: answers.find })
  return { console: [issueRoutes(answers, changes, deps.actions)], health, close }
}
