import { Link } from '@tanstack/react-router'
import type { SessionSummary } from '../../lib/api/schemas.ts'
import { Live } from '../../lib/live/live-session.tsx'
import { peopleDetail, peopleNames } from '../../lib/person.ts'
import type { TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { savesData, WithPicture } from './picture/with-picture.tsx'
import type { SessionFilter, SessionSort } from './queries.ts'
import { readSessionsSearch, renderListFilter } from './search.ts'

const errorsCount = 'Console errors and exceptions, each counted once, and requests answered 4xx or 5xx'

/** The column that a list is ordered by. */
const orderedColumn: Readonly<Record<SessionSort, string>> = {
  longest: 'duration',
  errors: 'errors',
  statement: 'statement',
}

/** The columns of the list in its order; the slowest statement takes the room of what is counted in the browser. */
export function columnsFor({ sort }: SessionFilter): readonly TableColumn<SessionSummary>[] {
  if (sort === undefined) return columns
  const shown =
    sort === 'statement'
      ? columns.flatMap((column) =>
          column.id === 'pages' ? [statementColumn] : column.id === 'clicks' ? [] : [column],
        )
      : columns
  return shown.map((column) =>
    column.id === orderedColumn[sort] ? { ...column, sorted: 'descending' as const } : column,
  )
}

const statementColumn: TableColumn<SessionSummary> = {
  id: 'statement',
  title: 'Statement',
  width: 96,
  align: 'right',
  cell: ({ slowestMs }) => (slowestMs == null ? <None /> : <Duration ms={slowestMs} />),
}

const columns: readonly TableColumn<SessionSummary>[] = [
  {
    id: 'person',
    title: 'Person',
    cell: (session) => (
      <>
        {session.hasRecording && !savesData() ? (
          <WithPicture id={session.id} link={<SessionLink session={session} />} />
        ) : (
          <SessionLink session={session} />
        )}
        <span className="ml-2 text-ink-2">{peopleDetail(session)}</span>
      </>
    ),
  },
  {
    id: 'started',
    title: 'Started',
    width: 96,
    cell: (session) => <Live session={session} otherwise={<Time at={session.startedAt} className="text-ink-2" />} />,
  },
  {
    id: 'sentence',
    title: 'What was done',
    from: 'sheet',
    cell: ({ sentence, entryPath }) =>
      sentence ? (
        <span title={sentence}>{sentence}</span>
      ) : (
        <span className="text-ink-2">{entryPath ? `Looked at ${entryPath}` : '–'}</span>
      ),
  },
  {
    id: 'browser',
    title: 'Browser',
    width: 148,
    from: 'full',
    cell: ({ browser, os }) => <span className="text-ink-2">{[browser, os].filter(Boolean).join(', ') || '–'}</span>,
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 92,
    align: 'right',
    from: 'narrow',
    cell: ({ durationMs }) => <Duration ms={durationMs} />,
  },
  count('pages', 'Pages', 'sheet'),
  count('clicks', 'Clicks', 'sheet'),
  count('requests', 'Requests', 'sheet'),
  count('changes', 'Rows', 'sheet'),
  {
    id: 'errors',
    title: 'Errors',
    width: 68,
    align: 'right',
    cell: ({ errors }) =>
      errors > 0 ? (
        <span title={errorsCount} className="text-danger">
          {errors}
        </span>
      ) : (
        <None />
      ),
  },
]

function count(
  id: 'pages' | 'clicks' | 'requests' | 'changes',
  title: string,
  from: 'sheet' | 'wide',
): TableColumn<SessionSummary> {
  return { id, title, width: 76, align: 'right', from, cell: (session) => session[id] || <None /> }
}

/** @param trigger what the picture's card adds to its link */
function SessionLink({
  session,
  ...trigger
}: { readonly session: SessionSummary } & Readonly<Record<string, unknown>>) {
  return (
    <Link
      {...trigger}
      to="/sessions/$id"
      params={{ id: session.id }}
      search={(list) => renderListFilter(readSessionsSearch(list))}
      className="font-medium hover:underline"
    >
      {peopleNames(session)}
    </Link>
  )
}

function None() {
  return <span className="text-ink-2">–</span>
}
