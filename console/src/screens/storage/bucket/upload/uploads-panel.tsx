import { RotateCcw, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { bytesText } from '../../../../ui/bytes.tsx'
import type { Upload, Uploads } from './uploads.ts'

/** The files that are on their way, each with its progress; nothing while there are none. */
export function UploadsPanel({ uploads }: { readonly uploads: Uploads }) {
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  if (list.length === 0) return null
  const left = list.filter(({ state }) => state === 'waiting' || state === 'sending').length
  return (
    <section aria-label="Uploads" className="max-h-56 shrink-0 overflow-y-auto border-line border-t bg-surface">
      <header className="sticky top-0 flex h-9 items-center gap-2 border-line border-b bg-surface px-4">
        <h2 className="flex-1 font-medium" role="status">
          {left > 0
            ? `Uploading: ${left} left`
            : `${list.length} ${list.length === 1 ? 'upload has' : 'uploads have'} ended`}
        </h2>
        {left === 0 && (
          <Button size="small" onClick={() => uploads.clear()}>
            Clear
          </Button>
        )}
      </header>
      <ul>
        {list.map((upload) => (
          <Line key={upload.id} upload={upload} uploads={uploads} />
        ))}
      </ul>
    </section>
  )
}

function Line({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads }) {
  const { id, key, file, sentBytes, state, problem } = upload
  const isEnded = state === 'failed' || state === 'canceled'
  return (
    <li className="flex min-h-8 items-center gap-3 px-4">
      <span className="min-w-0 flex-1 truncate" title={key}>
        {key}
      </span>
      {state === 'sending' ? (
        <progress
          aria-label={`Progress of ${key}`}
          className="h-1.5 w-28 accent-thread"
          max={file.size || 1}
          value={sentBytes}
        />
      ) : (
        <span className={state === 'failed' ? 'text-danger' : 'text-ink-2'}>{problem ?? state}</span>
      )}
      <span className="tabular w-16 text-right text-ink-2 max-narrow:hidden">{bytesText(file.size)}</span>
      {isEnded ? (
        <Button look="bare" size="icon" aria-label={`Send ${key} again`} onClick={() => uploads.retry(id)}>
          <RotateCcw aria-hidden="true" className="size-3.5" />
        </Button>
      ) : (
        <Button
          look="bare"
          size="icon"
          aria-label={`Cancel ${key}`}
          disabled={state === 'stored'}
          onClick={() => uploads.cancel(id)}
        >
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      )}
    </li>
  )
}
