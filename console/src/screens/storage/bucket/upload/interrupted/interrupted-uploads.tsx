import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useSyncExternalStore } from 'react'
import { errorText } from '../../../../../lib/api/api-error.ts'
import { Button } from '../../../../../ui/button.tsx'
import { bytesText } from '../../../../../ui/bytes.tsx'
import { Time } from '../../../../../ui/time.tsx'
import { useToast } from '../../../../../ui/toast.tsx'
import type { Uploads } from '../uploads.ts'
import { discard, type InterruptedUpload, interruptedQuery, isSameFile } from './interrupted.ts'

interface InterruptedUploadsProps {
  readonly bucketId: string
  readonly uploads: Uploads
}

/** The uploads whose page was left before they ended: each goes on once its file is chosen again. */
export function InterruptedUploads({ bucketId, uploads }: InterruptedUploadsProps) {
  const { data = [] } = useQuery(interruptedQuery(bucketId))
  const active = useSyncExternalStore(uploads.subscribe, uploads.list)
  const left = data.filter(
    (record) =>
      !active.some(({ key, file, state }) => key === record.key && isSameFile(record, file) && state !== 'canceled'),
  )
  if (left.length === 0) return null
  return (
    <section
      aria-label="Interrupted uploads"
      className="max-h-40 shrink-0 overflow-y-auto border-line border-t bg-surface"
    >
      <h2 className="px-4 pt-2 font-medium">
        {left.length === 1 ? 'An upload was' : `${left.length} uploads were`} interrupted
      </h2>
      <p className="px-4 text-ink-2">
        Choose the file again to go on where the upload was: a page cannot open a file by itself.
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] py-1">
        {left.map((upload) => (
          <Line key={upload.id} upload={upload} uploads={uploads} />
        ))}
      </ul>
    </section>
  )
}

function Line({ upload, uploads }: { readonly upload: InterruptedUpload; readonly uploads: Uploads }) {
  const { bucketId, key, sizeBytes, sentBytes, lastModified } = upload
  const input = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const toast = useToast()
  const forget = useMutation({
    mutationFn: () => discard(upload),
    onError: (problem) => void toast.add({ title: 'The upload was not discarded.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: interruptedQuery(bucketId).queryKey }),
  })
  const take = (file: File | undefined) => {
    if (file === undefined) return
    if (isSameFile(upload, file)) uploads.add([{ key, file }])
    else
      toast.add({
        title: 'This is another file, or it was changed.',
        description: (
          <>
            The upload began with one of {sizeBytes.toLocaleString('en')} bytes, changed{' '}
            <Time at={new Date(lastModified).toISOString()} look="clock" />.
          </>
        ),
      })
  }
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-0.5">
      <span className="min-w-32 flex-1 truncate" title={key}>
        {key}
      </span>
      <span className="tabular text-ink-2">
        {bytesText(sentBytes)} of {bytesText(sizeBytes)}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`The file of ${key}`}
        onChange={({ target }) => {
          take(target.files?.[0])
          // Otherwise a file that is chosen a second time fires no event.
          target.value = ''
        }}
      />
      <Button size="small" aria-label={`Choose the file of ${key}`} onClick={() => input.current?.click()}>
        Choose the file
      </Button>
      <Button
        size="small"
        look="bare"
        aria-label={`Discard ${key}`}
        disabled={forget.isPending}
        onClick={() => forget.mutate()}
      >
        Discard
      </Button>
    </li>
  )
}
