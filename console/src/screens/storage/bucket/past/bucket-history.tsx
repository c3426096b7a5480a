import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../../../frame/failure.tsx'
import type { HistoryEntry } from '../../../../lib/api/schemas.ts'
import { inBackground } from '../../../../lib/in-background.ts'
import { MomentLink } from '../../../../thread/moment-link.tsx'
import { toneText } from '../../../../ui/badge.tsx'
import { Empty } from '../../../../ui/empty.tsx'
import { SkeletonRows } from '../../../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../../../ui/table.tsx'
import { Time } from '../../../../ui/time.tsx'
import { makerOf, readObjectChange } from './object-change.ts'
import { bucketHistoryQuery } from './queries.ts'

interface BucketHistoryProps {
  readonly bucketId: string
  /** The key of the open object. */
  readonly openKey: string | undefined
  readonly onOpen: (key: string) => void
}

const columns = (bucketId: string, onOpen: (key: string) => void): readonly TableColumn<HistoryEntry>[] => [
  { id: 'time', title: 'Time', width: 108, cell: ({ change }) => <Time at={change.at} className="text-ink-2" /> },
  {
    id: 'what',
    title: 'What',
    width: 84,
    cell: (entry) => {
      const { word, tone } = readObjectChange(entry)
      return <span className={toneText[tone]}>{word}</span>
    },
  },
  {
    id: 'object',
    title: 'Object',
    cell: (entry) => {
      const { key, from, bucketId: nowIn } = readObjectChange(entry)
      const text = `${nowIn === bucketId ? '' : `${nowIn}/`}${key}`
      return (
        <button
          type="button"
          className="max-w-full truncate align-middle hover:underline"
          title={from === null ? text : `${from} → ${text}`}
          onClick={() => onOpen(keyIn(bucketId, entry))}
        >
          {from !== null && <span className="text-ink-2">{from} → </span>}
          {text}
        </button>
      )
    },
  },
  {
    id: 'by',
    title: 'By',
    width: 220,
    from: 'narrow',
    cell: (entry) => <span title={makerOf(entry)}>{makerOf(entry)}</span>,
  },
  {
    id: 'session',
    title: 'Session',
    width: 92,
    from: 'sheet',
    cell: ({ cause }) => cause.kind === 'session' && <MomentLink {...cause} />,
  },
]

/** The key that the changed object has in this bucket, or had until it left for another. */
function keyIn(bucketId: string, entry: HistoryEntry): string {
  const { key, bucketId: nowIn } = readObjectChange(entry)
  return nowIn === bucketId ? key : (entry.change.old?.name ?? key)
}

/** Who uploaded, replaced, moved and removed the objects of a bucket, and when; those that are gone open as well. */
export function BucketHistory({ bucketId, openKey, onOpen }: BucketHistoryProps) {
  const { query, loadMore } = bucketHistoryQuery(useQueryClient(), bucketId)
  const { data, error, refetch } = useQuery(query)
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  if (data.items.length === 0)
    return (
      <Empty title="No history yet.">
        <p>
          {data.notRecorded ??
            'Each upload, replacement, move and removal of an object appears here, with who did it and in which session.'}
        </p>
      </Empty>
    )
  const open = data.items.find((entry) => keyIn(bucketId, entry) === openKey)
  return (
    <>
      {data.notRecorded !== null && <p className="border-line border-b p-4 text-warn">{data.notRecorded}</p>}
      <Table
        label="History"
        columns={columns(bucketId, onOpen)}
        rows={data.items}
        rowKey={({ change }) => change.id}
        onOpen={(entry) => onOpen(keyIn(bucketId, entry))}
        openKey={open?.change.id}
        onEnd={() => inBackground(loadMore())}
      />
    </>
  )
}
