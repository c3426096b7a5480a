import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../../../frame/failure.tsx'
import type { HistoryEntry } from '../../../../lib/api/schemas.ts'
import { ChangeValues } from '../../../../thread/change-lines.tsx'
import { historyQuery } from '../../../../thread/queries.ts'
import { RowHistory } from '../../../../thread/row-history.tsx'
import { toneText } from '../../../../ui/badge.tsx'
import { SkeletonRows } from '../../../../ui/skeleton.tsx'
import { readObjectChange } from './object-change.ts'
import { keyHistoryQuery } from './queries.ts'

/** The history of an object that is there: also under the keys and in the buckets that it had. */
export function ObjectPast({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(historyQuery('storage', 'objects', { id }))
  return (
    <section aria-label="History" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">History</h2>
      {data ? (
        <RowHistory past={data} show={showChange} />
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </section>
  )
}

interface GoneObjectProps {
  readonly bucketId: string
  readonly objectKey: string
}

/** Stands for an object that is not there: what happened to those that had its key. */
export function GoneObject({ bucketId, objectKey }: GoneObjectProps) {
  const { data, error, refetch } = useQuery(keyHistoryQuery(bucketId, objectKey))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <div className="grid gap-1">
        <p className="font-medium">There is no object with this key.</p>
        <p className="mono wrap-anywhere text-ink-2">{objectKey}</p>
      </div>
      <section aria-label="History" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">History of the key</h2>
        {data ? (
          data.entries.length > 0 || data.notRecorded !== null ? (
            <RowHistory past={data} show={showChange} />
          ) : (
            <p className="text-ink-2">Nothing is known of one, either: no object had it as far as changes are kept.</p>
          )
        ) : error ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : (
          <SkeletonRows rows={3} />
        )}
      </section>
    </div>
  )
}

/** A change in the words of files; its columns are a press away. */
const showChange = (entry: HistoryEntry) => ({
  title: <ChangeTitle entry={entry} />,
  values: <Columns entry={entry} />,
})

function ChangeTitle({ entry }: { readonly entry: HistoryEntry }) {
  const { word, tone, key, from } = readObjectChange(entry)
  return (
    <span className="min-w-0 wrap-anywhere">
      <span className={toneText[tone]}>{word}</span>
      {from !== null && (
        <span className="text-ink-2">
          {' '}
          from <span className="mono">{from}</span> to <span className="mono">{key}</span>
        </span>
      )}
    </span>
  )
}

function Columns({ entry: { change } }: { readonly entry: HistoryEntry }) {
  return (
    <details>
      <summary className="w-fit cursor-default text-ink-2 text-sm hover:text-ink">Columns</summary>
      <div className="pt-1.5">
        <ChangeValues change={change} />
      </div>
    </details>
  )
}
