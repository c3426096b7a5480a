import type { ConsoleRequest, OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Change } from './schemas/change.ts'
import type { PersonLine } from './schemas/person-line.ts'
import type { RequestDetail, RequestMoment, RequestSummary } from './schemas/request.ts'
import type { SessionDetail } from './schemas/session.ts'
import type { ServerSpan } from './schemas/trace.ts'

/** What an operator is shown of the application's data: all of it, or that it is there. */
export interface View {
  /** Whether values of rows are shown. */
  readonly values: boolean
  request(detail: RequestDetail): RequestDetail
  session(detail: SessionDetail): SessionDetail
  requests(summaries: readonly RequestSummary[]): RequestSummary[]
  line(line: PersonLine): PersonLine
}

/**
 * The view of the operator who asks. Analysts see what happened, and to which table; values of rows, of filters and in
 * the lines of functions are for those who read the application's data.
 *
 * @throws CLEW_OPERATORS_FORBIDDEN for one who sees none of it
 */
export function viewOf(actions: OperatorActions, request: ConsoleRequest): View {
  actions.check(request, 'look')
  return actions.may(request, 'read data') ? whole : viewWithoutValues
}

const whole: View = {
  values: true,
  request: (detail) => detail,
  session: (detail) => detail,
  requests: (summaries) => [...summaries],
  line: (line) => line,
}

/** What is shown to those who do not read the application’s data. */
export const viewWithoutValues: View = {
  values: false,
  request: (detail) => ({
    ...hideValues(detail),
    request: hideFilters(detail.request),
    exchange: null,
    trace: detail.trace && { ...detail.trace, spans: detail.trace.spans.map(hideAttributes), logs: [] },
    error: detail.error?.isFromAnswer === false ? detail.error : null,
    caused: detail.caused.map(hideFilters),
  }),
  session: (detail) => ({
    ...detail,
    moments: detail.moments
      .filter(({ kind }) => kind !== 'log')
      .map((moment) => ({
        ...moment,
        requests: moment.requests.map((request) => hideFilters(hideValues(request))),
        ...(moment.spans && { spans: moment.spans.map(hideAttributes) }),
      })),
  }),
  requests: (summaries) => summaries.map(hideFilters),
  line: ({ moments, next }) => ({
    // Subjects of mails hold codes to sign in with; messages of errors hold values.
    moments: moments
      .filter(({ kind }) => kind !== 'mail')
      .map((moment) => ({
        ...moment,
        request: moment.request && hideFilters(moment.request),
        change: moment.change && hideChange(moment.change),
        error: moment.error && { ...moment.error, title: titleWithoutValues(moment.error.title) },
      })),
    next,
  }),
}

/** What a span did and how long it took, without what it did it with. */
const hideAttributes = (span: ServerSpan): ServerSpan => ({
  ...span,
  statusMessage: '',
  attributes: {},
  resource: {},
  events: [],
})

/** The kind of an error: what stands before the colon. */
const titleWithoutValues = (title: string): string => title.split(':', 1)[0] ?? ''

/** A value that is left out is one that is not known. */
const hideChange = (change: Change): Change => ({
  ...change,
  key: {},
  old: change.old && {},
  new: change.new && {},
})

const hideValues = <T extends Pick<RequestMoment, 'changes' | 'logs'>>(of: T): T => ({
  ...of,
  changes: of.changes.map(hideChange),
  logs: [],
})

const hideFilters = <T extends Pick<RequestSummary, 'query'>>(request: T): T => ({ ...request, query: '' })
