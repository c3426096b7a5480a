import type { ConsoleRequest, OperatorActions } from '../../../ground/model/operator-actions.ts'
import { normalizeMessage } from '../exception/message.ts'
import type { ExceptionDetail, IssueDetail, IssueSummary } from './schemas.ts'

/** What an operator is shown of errors: all, or without what may be the application's data. */
export interface ErrorView {
  issue(issue: IssueSummary): IssueSummary
  detail(detail: IssueDetail): IssueDetail
  exception(detail: ExceptionDetail): ExceptionDetail
}

/**
 * The view of the operator who asks. Analysts see which errors there are, where and how often; values in messages, source
 * lines and the application's notes are for those who read the application's data.
 *
 * @throws CLEW_OPERATORS_FORBIDDEN for one who sees none of it
 */
export function viewOf(actions: OperatorActions, request: ConsoleRequest): ErrorView {
  actions.check(request, 'look')
  return actions.may(request, 'read data') ? whole : withoutValues
}

const whole: ErrorView = { issue: (issue) => issue, detail: (detail) => detail, exception: (detail) => detail }

const hideInIssue = (issue: IssueSummary): IssueSummary => ({ ...issue, title: normalizeMessage(issue.title) })

const withoutValues: ErrorView = {
  issue: hideInIssue,
  detail: (detail) => ({
    ...detail,
    issue: hideInIssue(detail.issue),
    message: normalizeMessage(detail.message),
  }),
  exception: (detail) => ({
    ...detail,
    chain: detail.chain.map((each) => ({
      ...each,
      message: normalizeMessage(each.message),
      frames: each.frames.map((frame) => ({ ...frame, context: null })),
    })),
    steps: [],
  }),
}
