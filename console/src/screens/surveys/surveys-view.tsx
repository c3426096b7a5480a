import { Link } from '@tanstack/react-router'
import type { Survey } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface SurveysProps {
  /** Absent while they are on their way. */
  readonly surveys: readonly Survey[] | undefined
  readonly onOpen: (survey: Survey) => void
}

const columns: readonly TableColumn<Survey>[] = [
  {
    id: 'name',
    title: 'Survey',
    cell: ({ id, name, questions }) => (
      <Link to="/surveys/$id" params={{ id }} className="hover:underline">
        {name}
        <span className="text-ink-2 max-sheet:hidden"> {questions[0]?.question}</span>
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: 96,
    cell: ({ state }) => <Dot tone={state === 'running' ? 'ok' : 'quiet'}>{state}</Dot>,
  },
  {
    id: 'questions',
    title: 'Questions',
    width: 88,
    from: 'narrow',
    align: 'right',
    cell: ({ questions }) => questions.length,
  },
  {
    id: 'begun',
    title: 'Begun',
    width: 88,
    from: 'narrow',
    cell: ({ startDate }) =>
      startDate === null ? <span className="text-ink-2">not yet</span> : <Time at={startDate} />,
  },
  {
    id: 'by',
    title: 'Changed by',
    width: 184,
    from: 'wide',
    cell: ({ updatedBy }) => <span className="text-ink-2">{updatedBy === '' ? 'SQL' : updatedBy}</span>,
  },
]

/** The surveys of the project. */
export function SurveysView({ surveys, onOpen }: SurveysProps) {
  if (surveys === undefined) return <SkeletonRows />
  if (surveys.length === 0)
    return (
      <Empty title="No surveys yet.">
        <p>
          A survey asks the people who use your application: in a corner of the page, after an event, or on some pages
          only. posthog-js draws it, and their answers stand here and in their sessions.
        </p>
      </Empty>
    )
  return <Table label="Surveys" columns={columns} rows={surveys} rowKey={({ id }) => id} onOpen={onOpen} />
}
