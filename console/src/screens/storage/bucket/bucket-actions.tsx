import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import { errorText } from '../../../lib/api/api-error.ts'
import type { Bucket } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Count, Time } from '../../../ui/time.tsx'
import { BucketDialog } from '../bucket-dialog.tsx'
import { bucketsQuery } from '../queries.ts'
import { NameDialog } from './name-dialog.tsx'
import { type ChosenFile, chosenFiles } from './upload/dropped-files.ts'

interface BucketActionsProps {
  /** Absent while it is on its way. */
  readonly bucket: Bucket | undefined
  /** When its objects were counted. */
  readonly countedAt: string | undefined
  readonly onFiles: (files: readonly ChosenFile[]) => void
  readonly onFolder: (name: string) => void
  readonly onGone: () => void
}

/** Uploads, a new folder, the settings of the bucket and its end. */
export function BucketActions({ bucket, countedAt, onFiles, onFolder, onGone }: BucketActionsProps) {
  const files = useRef<HTMLInputElement>(null)
  const folders = useRef<HTMLInputElement>(null)
  const [dialog, setDialog] = useState<'folder' | 'settings' | 'empty' | 'delete'>()
  const close = () => setDialog(undefined)
  const input = { type: 'file', multiple: true, hidden: true } as const
  const take = (element: HTMLInputElement) => {
    onFiles(chosenFiles(element.files))
    // Otherwise a file that is chosen a second time fires no event.
    element.value = ''
  }
  return (
    <>
      <input {...input} ref={files} aria-label="Files to upload" onChange={(event) => take(event.target)} />
      <input
        {...input}
        ref={(element) => {
          folders.current = element
          if (element) element.webkitdirectory = true
        }}
        aria-label="Folder to upload"
        onChange={(event) => take(event.target)}
      />
      <Button look="primary" onClick={() => files.current?.click()}>
        Upload
      </Button>
      <Menu
        trigger={
          <Button look="bare" size="icon" aria-label="More">
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          { label: 'Upload a folder', onSelect: () => folders.current?.click() },
          { label: 'New folder', onSelect: () => setDialog('folder') },
          { label: 'Settings', onSelect: () => setDialog('settings') },
          { label: 'Empty the bucket', onSelect: () => setDialog('empty'), danger: true },
          { label: 'Delete the bucket', onSelect: () => setDialog('delete'), danger: true },
        ]}
      />
      <NameDialog
        open={dialog === 'folder'}
        title="New folder"
        label="Name"
        action="Create"
        initial=""
        onClose={close}
        onName={onFolder}
      />
      {bucket && (
        <>
          <BucketDialog open={dialog === 'settings'} bucket={bucket} onClose={close} onSaved={close} />
          <EndDialog
            bucket={bucket}
            countedAt={countedAt}
            kind={dialog === 'empty' || dialog === 'delete' ? dialog : undefined}
            onClose={close}
            onGone={onGone}
          />
        </>
      )}
    </>
  )
}

interface EndDialogProps {
  readonly bucket: Bucket
  readonly countedAt: string | undefined
  readonly kind: 'empty' | 'delete' | undefined
  readonly onClose: () => void
  readonly onGone: () => void
}

/** Names what will be lost, and asks for the bucket's name. */
function EndDialog({ bucket, countedAt, kind, onClose, onGone }: EndDialogProps) {
  const { id, objects } = bucket
  const deletes = kind === 'delete'
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: async () => {
      for (let more = true; more; ) more = (await api.emptyBucket(id)).more
      if (deletes) await api.removeBucket(id)
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['storage-entries', id] })
      await queryClient.invalidateQueries({ queryKey: bucketsQuery.queryKey })
      onClose()
      if (deletes) onGone()
    },
  })
  const action = deletes ? `Delete ${id}` : `Empty ${id}`
  return (
    <ConfirmDialog
      open={kind !== undefined}
      onClose={() => {
        end.reset()
        onClose()
      }}
      title={`${action}?`}
      action={action}
      isPending={end.isPending}
      problem={end.error ? errorText(end.error) : undefined}
      onConfirm={() => end.mutate()}
      typed={id}
    >
      <Count value={objects} /> {objects === 1 ? 'object' : 'objects'}
      {countedAt && (
        <>
          , as counted <Time at={countedAt} />,
        </>
      )}{' '}
      {objects === 1 ? 'is' : 'are'} deleted for good
      {deletes ? ', and the bucket with its settings. Its policies stay.' : '. The bucket stays.'}
    </ConfirmDialog>
  )
}
