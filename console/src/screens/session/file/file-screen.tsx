import { useMutation } from '@tanstack/react-query'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { type Crumb, Page } from '../../../frame/page.tsx'
import { api } from '../../../lib/api/api.ts'
import { peopleNames } from '../../../lib/person.ts'
import { useRights } from '../../../lib/rights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { SessionSearch } from '../search.ts'
import { SessionFacts } from '../session-facts.tsx'
import { ChooseFile } from './choose-file.tsx'
import { OpenedView } from './opened-view.tsx'
import { FileRefusal, type OpenedFile, readRecordingFile } from './read-file.ts'

const crumbs: readonly Crumb[] = [{ label: 'Sessions', link: { to: '/sessions' } }]

interface FileScreenProps {
  readonly search: SessionSearch
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
  /** Called with the session that was imported. */
  readonly onImported: (sessionId: string) => void
}

/** A recording that is opened from a file, in this browser alone. */
export function FileScreen({ search, onSearch, onImported }: FileScreenProps) {
  const opening = useMutation({
    mutationFn: async (file: File) => ({ file, opened: await readRecordingFile(file) }),
  })
  const { data, error, isPending, mutate } = opening
  if (data && !error)
    return (
      <OpenedScreen
        key={`${data.file.name} ${data.file.lastModified}`}
        file={data.file}
        opened={data.opened}
        search={search}
        onSearch={onSearch}
        onOther={() => opening.reset()}
        onImported={onImported}
      />
    )
  if (error && !(error instanceof FileRefusal))
    return (
      <Page crumbs={crumbs} title="A recording file">
        <ErrorProblem error={error} onRetry={() => opening.reset()} />
      </Page>
    )
  return (
    <Page crumbs={crumbs} title="A recording file">
      <ChooseFile problem={error?.message} isReading={isPending} onFile={(file) => mutate(file)} />
    </Page>
  )
}

interface OpenedScreenProps extends FileScreenProps {
  readonly file: File
  readonly opened: OpenedFile
  /** Closes this one. */
  readonly onOther: () => void
}

function OpenedScreen({ file, opened, search, onSearch, onOther, onImported }: OpenedScreenProps) {
  const { detail } = opened
  const { canChange } = useRights()
  const store = useStore(file, onImported)
  return (
    <Page
      crumbs={crumbs}
      title={peopleNames(detail.session)}
      facts={
        <>
          <Badge>from a file</Badge>
          <SessionFacts session={detail.session} />
        </>
      }
      actions={
        <>
          {canChange && (
            <Button onClick={() => store.mutate()} disabled={store.isPending}>
              Import<span className="max-sheet:hidden"> into this instance</span>
            </Button>
          )}
          <Button look="bare" onClick={onOther}>
            Close<span className="max-sheet:hidden"> the file</span>
          </Button>
        </>
      }
    >
      <FileFacts opened={opened} />
      <OpenedView opened={opened} search={search} onSearch={onSearch} />
    </Page>
  )
}

function FileFacts({ opened: { name, exportedAt, values, leftOut } }: { readonly opened: OpenedFile }) {
  return (
    <p className="flex shrink-0 flex-wrap gap-x-3 border-line border-b px-4 py-1.5 text-ink-2 text-sm">
      <span className="min-w-0 truncate">{name}</span>
      {!Number.isNaN(Date.parse(exportedAt)) && (
        <span>
          saved <Time at={exportedAt} />
        </span>
      )}
      {!values && <span>without values of rows</span>}
      {leftOut > 0 && <span>{leftOut} moments have a form that this console does not know, and are left out</span>}
    </p>
  )
}

/** Sends the file, and says what became of it. */
function useStore(file: File, onImported: (sessionId: string) => void) {
  const toast = useToast()
  return useMutation({
    mutationFn: () => api.importRecording(file),
    onSuccess: ({ sessionId, messages, stored, already, expired, withheld, retentionDays }) => {
      const why = [
        already > 0 ? `${already} were there before.` : '',
        expired > 0
          ? `${expired} arrived more than ${retentionDays} days ago, which is as long as recordings are kept.`
          : '',
        withheld > 0 ? `${withheld} are of visitors whose data may not be stored.` : '',
      ]
      toast.add({ title: `${stored} of ${messages} messages stored`, description: why.filter(Boolean).join(' ') })
      if (stored + already > 0) onImported(sessionId)
    },
    onError: (error) => toast.add({ title: 'The file could not be imported.', description: error.message }),
  })
}
