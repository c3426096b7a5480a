import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { FlagValues } from '../../thread/flag-values.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { personFlagsQuery } from './queries.ts'

/** What a person gets of each flag at this moment, and why. */
export function FlagsView({ personId }: { readonly personId: string }) {
  const { data, error, refetch } = useQuery(personFlagsQuery(personId))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows rows={8} />
  if (data.flags.length === 0)
    return (
      <Empty title="No flags.">
        <p>What this person gets of each feature flag appears here once there are some.</p>
      </Empty>
    )
  return (
    <FlagValues
      flags={data.flags}
      footer={
        <p className="px-4 py-3 text-ink-2">
          Evaluated for <span className="mono">{data.distinctId}</span>, the id last seen, with the groups at the right.
        </p>
      }
    />
  )
}
