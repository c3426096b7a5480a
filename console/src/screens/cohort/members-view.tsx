import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { cohortsQuery } from '../../lib/api/queries.ts'
import type { Cohort } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { cohortMembersQuery } from './queries.ts'

/** The persons of a list: who is on it, added and taken away by distinct id. */
export function MembersView({ cohort: { id } }: { readonly cohort: Cohort }) {
  const queryClient = useQueryClient()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(cohortMembersQuery(id))
  const changed = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: cohortMembersQuery(id).queryKey }),
      queryClient.invalidateQueries({ queryKey: cohortsQuery.queryKey }),
    ])
  const add = useMutation({ mutationFn: (ids: string[]) => api.addCohortMembers(id, ids), onSuccess: changed })
  const remove = useMutation({ mutationFn: (one: string) => api.removeCohortMembers(id, [one]), onSuccess: changed })
  const ids = data?.pages.flatMap(({ distinctIds }) => distinctIds)
  const columns: readonly TableColumn<string>[] = [
    { id: 'id', title: 'Distinct id', cell: (one) => <span className="mono">{one}</span> },
    {
      id: 'remove',
      title: <span className="sr-only">Take away</span>,
      width: 56,
      align: 'right',
      cell: (one) => (
        <Button look="bare" size="icon" aria-label={`Take ${one} from the list`} onClick={() => remove.mutate(one)}>
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      ),
    },
  ]
  return (
    <div className="grid min-h-0 flex-1 gap-x-8 max-wide:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_320px]">
      <form
        className="grid content-start gap-2 px-4 py-3 wide:order-last"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const given = String(new FormData(form).get('ids')).split('\n')
          const wanted = given.map((one) => one.trim()).filter((one) => one !== '')
          if (wanted.length > 0) add.mutate(wanted, { onSuccess: () => form.reset() })
        }}
      >
        <TextArea
          label="Distinct ids, one a line"
          name="ids"
          rows={4}
          problem={add.error ? errorText(add.error) : remove.error ? errorText(remove.error) : undefined}
        />
        <div>
          <Button type="submit" disabled={add.isPending}>
            Put on the list
          </Button>
        </div>
      </form>
      <div className="flex min-h-0 flex-col">
        {error && !ids ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : ids === undefined ? (
          <SkeletonRows />
        ) : ids.length === 0 ? (
          <Empty title="No one is on the list yet.">
            <p>Put distinct ids on it. All ids of a person are the person.</p>
          </Empty>
        ) : (
          <Table
            label="Persons on the list"
            columns={columns}
            rows={ids}
            rowKey={(one) => one}
            onEnd={hasNextPage ? () => void fetchNextPage() : undefined}
          />
        )}
      </div>
    </div>
  )
}
