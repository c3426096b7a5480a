import { useMutation, useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { AlertsView } from './alerts-view.tsx'
import { alertsQuery } from './queries.ts'

/** Alerts: what is watched, how it is, and what the team was told. */
export function AlertsScreen() {
  const { data, error, refetch } = useQuery(alertsQuery)
  const { canChange } = useRights()
  const test = useMutation({ mutationFn: api.testAlerts })
  const hasReceivers = data !== undefined && (data.mails > 0 || data.hasWebhook)
  return (
    <Page
      title="Alerts"
      actions={
        canChange &&
        hasReceivers && (
          <Button disabled={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        )
      }
    >
      {test.error && (
        <p role="alert" className="px-4 pt-4 text-danger">
          {errorText(test.error)}
        </p>
      )}
      {test.isSuccess && (
        <p role="status" className="px-4 pt-4 text-ok">
          The test was sent.
        </p>
      )}
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonRows />
      ) : (
        <AlertsView answer={data} />
      )}
    </Page>
  )
}
