import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { groupTypesQuery, instanceQuery } from '../../lib/api/queries.ts'
import type { GroupSummary } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { GroupsView } from './groups-view.tsx'
import { groupsQuery } from './queries.ts'
import type { GroupsFilter } from './search.ts'

interface GroupsScreenProps {
  readonly filter: GroupsFilter
  readonly onFilter: (filter: GroupsFilter) => void
  readonly onOpen: (type: string, group: GroupSummary) => void
}

/** The groups that people belong to, as companies are: of one type at a time. */
export function GroupsScreen({ filter, onFilter, onOpen }: GroupsScreenProps) {
  const { data: types, error, refetch } = useQuery(groupTypesQuery)
  const type = filter.type ?? types?.[0]?.type
  return (
    <Page title="Groups" crumbs={[{ label: 'People', link: { to: '/people' } }]}>
      {error && !types ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : types === undefined ? (
        <SkeletonRows rows={18} />
      ) : type === undefined ? (
        <NoTypes />
      ) : (
        <GroupsOfType
          type={type}
          types={types.map((one) => one.type)}
          q={filter.q}
          onFilter={onFilter}
          onOpen={(group) => onOpen(type, group)}
        />
      )}
    </Page>
  )
}

interface GroupsOfTypeProps extends Pick<GroupsScreenProps, 'onFilter'> {
  readonly type: string
  readonly types: readonly string[]
  readonly q: string | undefined
  readonly onOpen: (group: GroupSummary) => void
}

function GroupsOfType({ type, types, q, onFilter, onOpen }: GroupsOfTypeProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = groupsQuery(queryClient, type, q)
  const { data: list, error, refetch } = useQuery(query)
  return (
    <GroupsView
      {...{ type, types, q, list, onFilter, onOpen }}
      failure={error && !list && <ErrorProblem error={error} onRetry={refetch} />}
      onEnd={() => inBackground(loadMore())}
    />
  )
}

function NoTypes() {
  const { data: instance } = useQuery(instanceQuery)
  return (
    <Empty title="No groups yet.">
      <p>
        What people belong to, as a company, appears here once your application names it: with its people, sessions,
        events and flags. Up to five types are kept.
      </p>
      <Code text={groupCall} copyLabel="Copy the call" />
      {instance && (
        <p className="text-ink-2">
          On a server, name them with each event: <span className="mono">{"groups: { company: 'acme' }"}</span>.
        </p>
      )}
    </Empty>
  )
}

const groupCall = "posthog.group('company', 'acme', { name: 'Acme', plan: 'pro' })"
