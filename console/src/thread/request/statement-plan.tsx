import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { statementPlanQuery } from '../queries.ts'
import { readPlan } from '../sql/plan.ts'
import { PlanView } from '../sql/plan-view.tsx'

interface StatementPlanProps {
  readonly requestId: string
  /** Of the statement in its request, from 0. */
  readonly place: number
}

/** A button that asks PostgreSQL for the statement's plan, and the plan. */
export function StatementPlan({ requestId, place }: StatementPlanProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1">
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the plan' : 'Plan'}
      </Button>
      {isOpen && <OpenPlan requestId={requestId} place={place} />}
    </div>
  )
}

function OpenPlan({ requestId, place }: StatementPlanProps) {
  const { data, error, refetch } = useQuery(statementPlanQuery(requestId, place))
  if (error) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows rows={3} />
  const plan = data.plan === null ? null : readPlan(data.plan)
  return (
    <div className="grid w-full gap-1">
      {plan ? (
        <div className="flex max-h-80 flex-col rounded-control border border-line">
          <PlanView plan={plan} />
        </div>
      ) : (
        <p role="alert" className="text-danger">
          {data.problem ? `${data.problem.code}: ${data.problem.message}` : 'PostgreSQL answered no plan.'}
        </p>
      )}
      <p className="text-ink-2 text-sm">
        Planned now as <span className="mono">{data.role}</span>, for any values: those of the request are not kept.
        Nothing was run.
      </p>
    </div>
  )
}
