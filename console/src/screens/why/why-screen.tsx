import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useRights } from '../../lib/rights.ts'
import { Findings } from '../../policies/findings.tsx'
import { LookView } from '../../policies/look-view.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { isAsked, whyQuery } from './queries.ts'
import { QuestionForm } from './question-form.tsx'
import type { WhySearch } from './search.ts'
import { TrySql } from './try-sql.tsx'

interface WhyScreenProps {
  readonly search: WhySearch
  readonly onAsk: (search: WhySearch) => void
}

/** Why a request answered what it did: the question at the left, what explains it beside. */
export function WhyScreen({ search, onAsk }: WhyScreenProps) {
  const { data, error, refetch, isFetching } = useQuery(whyQuery(search))
  const { canChange } = useRights()
  return (
    <Page title="Why?" crumbs={[{ label: 'Requests', link: { to: '/requests' } }]}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="grid max-w-[1280px] grid-cols-[320px_minmax(0,1fr)] items-start gap-8 p-4 max-wide:grid-cols-[minmax(0,1fr)] max-wide:gap-5">
          <QuestionForm
            key={JSON.stringify(search)}
            search={search}
            answer={data}
            isAsking={isFetching}
            onAsk={onAsk}
          />
          <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {error && <ErrorProblem error={error} onRetry={refetch} />}
            {!isAsked(search) && (
              <Empty title="Ask why a request answers what it answers.">
                <p>
                  Rows that exist, the policies they pass, and the clause that hides each: asked as the caller, changing
                  nothing.
                </p>
              </Empty>
            )}
            {isAsked(search) && !data && !error && <SkeletonRows rows={6} />}
            {data && (
              <>
                <Findings
                  findings={data.findings}
                  {...(canChange && { below: (sql: string) => <TrySql search={search} sql={sql} /> })}
                />
                {data.looks.map((look) => (
                  <LookView key={`${look.part} ${look.schema}.${look.name}`} look={look} role={data.role} />
                ))}
              </>
            )}
          </div>
        </div>
      </div>
    </Page>
  )
}
