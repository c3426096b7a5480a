import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Pending } from '../../frame/pending.tsx'
import { instanceQuery, overviewQuery } from '../../lib/api/queries.ts'
import type { Operator } from '../../lib/api/schemas.ts'
import { ConnectView, type Start } from './connect-view.tsx'
import { WelcomeLayout } from './welcome-layout.tsx'

interface ConnectScreenProps {
  readonly operator: Operator
  readonly start: Start
  readonly onStart: (start: Start) => void
}

/** The second step: how an application is connected, and whether it has been heard of. */
export function ConnectScreen({ operator, start, onStart }: ConnectScreenProps) {
  const { data: instance, error: unknown, refetch: askAgain } = useQuery(instanceQuery)
  const { data: overview, error, refetch } = useQuery(overviewQuery)
  const problem = unknown ?? error
  if (problem && !(instance && overview)) return <ErrorProblem error={problem} onRetry={unknown ? askAgain : refetch} />
  if (!instance || !overview) return <Pending />
  return (
    <WelcomeLayout project={instance.project} step="connect">
      <ConnectView operator={operator} instance={instance} overview={overview} start={start} onStart={onStart} />
    </WelcomeLayout>
  )
}
