import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { flagsQuery } from '../../lib/api/queries.ts'
import type { ArchivedFlag } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Filter } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ArchivedFlagsView } from './archived-flags-view.tsx'
import { FlagsView } from './flags-view.tsx'
import { NewFlagDialog } from './new-flag-dialog.tsx'

interface FlagsScreenProps {
  readonly text: string
  readonly isArchive: boolean
  readonly onText: (text: string) => void
  readonly onArchive: (isArchive: boolean) => void
  readonly onOpen: (key: string) => void
}

const archivedQuery = (text: string) =>
  queryOptions({
    // Behind the key of the flags: what changes these, changes those.
    queryKey: [...flagsQuery.queryKey, 'archived', text],
    queryFn: ({ signal }) => api.archivedFlags(text, { signal }),
    placeholderData: keepPreviousData,
  })

/** Every feature flag, or those that were archived. */
export function FlagsScreen({ text, isArchive, onText, onArchive, onOpen }: FlagsScreenProps) {
  const queryClient = useQueryClient()
  const { canChange } = useRights()
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title="Flags"
      actions={
        <>
          <Link to="/cohorts" className="px-2 text-ink-2 hover:text-ink">
            Cohorts
          </Link>
          {canChange && (
            <Button look="primary" onClick={() => setNew(true)}>
              New flag
            </Button>
          )}
        </>
      }
    >
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label={isArchive ? 'Filter by key or description' : 'Filter by key, description or variant'}
          value={text}
          onChange={onText}
          className="min-w-40"
        />
        <Chip on={isArchive} onToggle={onArchive}>
          archived
        </Chip>
      </div>
      {isArchive ? (
        <ArchivedFlags text={text} canChange={canChange} onRestored={onOpen} />
      ) : (
        <CurrentFlags text={text} onText={onText} onOpen={onOpen} />
      )}
      <NewFlagDialog
        open={isNew}
        onClose={() => setNew(false)}
        onCreated={(key) => {
          inBackground(queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey }))
          onOpen(key)
        }}
      />
    </Page>
  )
}

function CurrentFlags({ text, onText, onOpen }: Pick<FlagsScreenProps, 'text' | 'onText' | 'onOpen'>) {
  const { data: flags, error, refetch } = useQuery(flagsQuery)
  if (error && !flags) return <ErrorProblem error={error} onRetry={refetch} />
  return <FlagsView flags={flags} text={text} onText={onText} onOpen={({ key }) => onOpen(key)} />
}

interface ArchivedFlagsProps {
  readonly text: string
  readonly canChange: boolean
  readonly onRestored: (key: string) => void
}

function ArchivedFlags({ text, canChange, onRestored }: ArchivedFlagsProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data, error, refetch } = useQuery(archivedQuery(text))
  const restore = useMutation({
    mutationFn: ({ id }: ArchivedFlag) => api.restoreFlag(id),
    async onSuccess({ key }) {
      toast.add({ title: `${key} is back.`, description: 'It is off for all until you switch it on.' })
      await queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey })
      onRestored(key)
    },
    onError: (failure) => toast.add({ title: 'The flag was not restored.', description: errorText(failure) }),
  })
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  return (
    <ArchivedFlagsView
      flags={data?.flags}
      hasMore={data?.hasMore ?? false}
      isFiltered={text !== ''}
      onRestore={canChange ? restore.mutate : undefined}
    />
  )
}
