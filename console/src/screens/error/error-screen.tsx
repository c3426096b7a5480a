import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { IssueDetail } from '../../lib/api/schemas.ts'
import { IssueState } from '../../thread/issue-state.tsx'
import { RequestDrawer } from '../../thread/request/request-drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { AroundPart } from './around-part.tsx'
import { ExceptionBar, isThrown } from './exception-bar.tsx'
import { IssueActions } from './issue-actions.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { exceptionQuery, exceptionsQuery } from './queries.ts'
import type { ErrorSearch } from './search.ts'
import { StackView } from './stack-view.tsx'

interface ErrorScreenProps {
  readonly detail: IssueDetail
  readonly search: ErrorSearch
  readonly onSearch: (search: ErrorSearch) => void
}

/** One error: an exception with its stack and what happened around it, beside what all of them have in common. */
export function ErrorScreen({ detail, search, onSearch }: ErrorScreenProps) {
  const { issue } = detail
  const { data: exception, error, refetch } = useQuery(exceptionQuery(issue.id, search.exception))
  const { data: exceptions } = useQuery(exceptionsQuery(issue.id))
  const openRequest = (id: string) => onSearch({ ...search, open: id })
  const { open: _open, ...closed } = search
  return (
    <Page
      crumbs={[{ label: 'Errors', link: { to: '/errors' } }]}
      title={issue.title}
      facts={
        <>
          <IssueState issue={issue} />
          <span>
            <Count value={issue.events} /> in 30 days
          </span>
          <Time at={issue.lastSeenAt} />
        </>
      }
      actions={<IssueActions issue={issue} />}
    >
      <div className="@container min-h-0 flex-1 overflow-y-auto">
        <div className="grid @4xl:grid-cols-[minmax(0,1fr)_300px] grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-6 p-4">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {error ? (
              <ErrorProblem error={error} onRetry={refetch} />
            ) : exception === undefined ? (
              <SkeletonRows rows={12} />
            ) : (
              <>
                <ExceptionBar
                  exception={exception.exception}
                  exceptions={exceptions}
                  onException={(id) => onSearch({ ...closed, exception: id })}
                  onRequest={openRequest}
                />
                <StackView
                  chain={exception.chain}
                  noStack={
                    isThrown(exception.exception)
                      ? 'It came without a stack.'
                      : 'A request has no stack: its SQL and its rows are in the request.'
                  }
                />
                <AroundPart exception={exception.exception} steps={exception.steps} onRequest={openRequest} />
              </>
            )}
          </div>
          <IssueFacts detail={detail} />
        </div>
      </div>
      <RequestDrawer id={search.open} onClose={() => onSearch(closed)} />
    </Page>
  )
}
