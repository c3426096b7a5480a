import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../../lib/api/api-error.ts'
import { bucketNamesQuery } from '../../../../lib/api/queries.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, Select } from '../../../../ui/field.tsx'
import { type MoveProgress, type Place, useMove } from './use-move.ts'

interface MoveDialogProps {
  readonly bucketId: string
  /** The key of an object, or of a folder with its slash; closed without it. */
  readonly from: string | undefined
  readonly onClose: () => void
  readonly onMoved: (to: Place, moved: number) => void
}

/** Gives an object or a folder another name or place, shows how far that is, and names what could not be moved. */
export function MoveDialog({ bucketId, from, onClose, onMoved }: MoveDialogProps) {
  const title = from?.endsWith('/') ? 'Rename or move the folder' : 'Rename or move'
  return (
    <Dialog open={from !== undefined} onClose={onClose} title={title}>
      {from !== undefined && <MoveForm from={{ bucketId, key: from }} onClose={onClose} onMoved={onMoved} />}
    </Dialog>
  )
}

interface MoveFormProps extends Pick<MoveDialogProps, 'onClose' | 'onMoved'> {
  readonly from: Place
}

function MoveForm({ from, onClose, onMoved }: MoveFormProps) {
  const isFolder = from.key.endsWith('/')
  const [path, setPath] = useState(isFolder ? from.key.slice(0, -1) : from.key)
  const [bucketId, setBucketId] = useState(from.bucketId)
  const { data } = useQuery(bucketNamesQuery)
  const { progress, isMoving, error, start, stop } = useMove(from, onMoved)
  const key = isFolder ? `${path.replace(/\/+$/, '')}/` : path
  const isSame = key === from.key && bucketId === from.bucketId
  const names = data?.names ?? [from.bucketId]
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        start({ bucketId, key })
      }}
    >
      <div className="grid gap-1">
        <span className="font-medium text-ink-2 text-sm" aria-hidden="true">
          Bucket
        </span>
        <Select
          label="Bucket"
          value={bucketId}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={setBucketId}
          className="h-8 w-full"
        />
      </div>
      <Field
        label={isFolder ? 'Folder, with those above it' : 'Key, with its folders'}
        value={path}
        required
        autoComplete="off"
        maxLength={1023}
        onChange={(event) => setPath(event.target.value)}
        problem={error ? errorText(error) : undefined}
      />
      {progress && isFolder && <Progress {...progress} />}
      <div className="flex justify-end gap-2">
        {isMoving ? <Button onClick={stop}>Stop</Button> : <Button onClick={onClose}>Close</Button>}
        <Button look="primary" type="submit" disabled={isMoving || isSame}>
          {progress && !isMoving ? 'Move the rest' : 'Move'}
        </Button>
      </div>
    </form>
  )
}

/** Reasons for more than these are not shown. */
const shownProblems = 50

function Progress({ moved, failed, left }: MoveProgress) {
  const total = moved + failed.length + left
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p role="status" className="tabular">
        {moved} of {total} moved
        {failed.length > 0 && <span className="text-danger">, {failed.length} stayed where they were</span>}
      </p>
      <progress aria-label="Progress of the move" className="h-1.5 w-full" max={total || 1} value={total - left} />
      {failed.length > 0 && (
        <ul aria-label="What could not be moved" className="grid max-h-40 gap-1 overflow-y-auto text-sm">
          {failed.slice(0, shownProblems).map(({ key, problem }) => (
            <li key={key} className="wrap-anywhere">
              <span className="mono">{key}</span> <span className="text-ink-2">{problem}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
