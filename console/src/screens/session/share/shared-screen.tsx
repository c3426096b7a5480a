import { queryOptions, useQuery } from '@tanstack/react-query'
import { ClewMark } from '../../../frame/clew-mark.tsx'
import { api } from '../../../lib/api/api.ts'
import { ApiError, errorText } from '../../../lib/api/api-error.ts'
import { peopleNames } from '../../../lib/person.ts'
import { Button } from '../../../ui/button.tsx'
import { OpenedView } from '../file/opened-view.tsx'
import { readRecordingFile } from '../file/read-file.ts'
import type { SessionSearch } from '../search.ts'
import { SessionFacts } from '../session-facts.tsx'
import { SessionPending } from '../session-pending.tsx'

/** What a link shows; it is asked for once, as each time counts as an opening. */
const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: async ({ signal }) => readRecordingFile(new File([await api.openShare(token, { signal })], 'shared')),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  })

interface SharedScreenProps {
  readonly token: string
  readonly search: SessionSearch
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
}

/** A session as a link shows it, to a person who may have no account. */
export function SharedScreen({ token, search, onSearch }: SharedScreenProps) {
  const { data: opened, error, refetch } = useQuery({ ...sharedQuery(token), enabled: token !== '' })
  if (error || token === '') return <Over error={error} onRetry={refetch} />
  if (!opened) return <SessionPending />
  const { session } = opened.detail
  const isNamed = session.person.distinctId !== ''
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-11 shrink-0 items-center gap-3 border-line border-b px-4">
        <ClewMark size={18} />
        <h1 className="truncate font-semibold">{isNamed ? peopleNames(session) : 'A recorded session'}</h1>
        <div className="flex min-w-0 items-center gap-3.5 overflow-hidden whitespace-nowrap text-ink-2 max-sheet:hidden">
          <SessionFacts session={session} />
        </div>
        <span className="ml-auto whitespace-nowrap text-ink-2">shared by a link</span>
      </header>
      <main className="flex min-h-0 flex-1 flex-col">
        <OpenedView opened={opened} search={search} onSearch={onSearch} />
      </main>
    </div>
  )
}

function Over({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => unknown }) {
  const isOver = error === null || (error instanceof ApiError && error.status === 404)
  return (
    <main className="grid min-h-full place-items-center px-4 py-12">
      <div className="grid w-full max-w-96 gap-3">
        <ClewMark size={28} />
        <h1 className="mt-3 font-semibold text-xl">
          {isOver ? 'This link shows nothing' : 'The session could not be opened'}
        </h1>
        <p role="alert" className="text-ink-2">
          {error === null
            ? 'A part of it is missing. Open it as it was sent to you.'
            : isOver
              ? 'It has expired or was revoked. Ask the one who sent it for another.'
              : errorText(error)}
        </p>
        {!isOver && (
          <Button className="justify-self-start" onClick={() => onRetry()}>
            Try again
          </Button>
        )}
      </div>
    </main>
  )
}
