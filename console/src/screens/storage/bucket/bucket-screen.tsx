import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useState } from 'react'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { Page } from '../../../frame/page.tsx'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { useRights } from '../../../lib/rights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { bucketsQuery } from '../queries.ts'
import { BucketActions } from './bucket-actions.tsx'
import { EntriesGrid, EntriesTable } from './entries-view.tsx'
import { FolderBar } from './folder-bar.tsx'
import { NameDialog } from './name-dialog.tsx'
import { ObjectDrawer } from './object-drawer.tsx'
import { entriesQuery } from './queries.ts'
import type { BucketSearch } from './search.ts'
import { type ChosenFile, droppedFiles } from './upload/dropped-files.ts'
import { sendTo } from './upload/send-file.ts'
import { storedKey } from './upload/stored-key.ts'
import { createUploads } from './upload/uploads.ts'
import { UploadsPanel } from './upload/uploads-panel.tsx'
import { useObjectChanges } from './use-object-changes.ts'

interface BucketScreenProps {
  readonly bucketId: string
  readonly search: BucketSearch
  readonly onSearch: (search: BucketSearch) => void
  /** The bucket was deleted. */
  readonly onGone: () => void
}

/** The objects of a bucket, folder by folder. */
export function BucketScreen({ bucketId, search, onSearch, onGone }: BucketScreenProps) {
  const { folder = '', q = '', object, view, sort } = search
  const queryClient = useQueryClient()
  const { query, loadMore } = entriesQuery(queryClient, bucketId, {
    prefix: `${folder}${q}`,
    ...(sort === 'newest' ? { sort: 'updated_at', order: 'desc' } : { sort: 'name', order: 'asc' }),
  })
  const { data, error, refetch } = useQuery(query)
  const bucket = useQuery(bucketsQuery).data?.buckets.find(({ id }) => id === bucketId)
  const { canChange } = useRights()
  const changes = useObjectChanges(bucketId)
  const [uploads] = useState(() => createUploads(sendTo(bucketId), changes.refresh))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [moving, setMoving] = useState<string>()
  const go = (next: BucketSearch) => {
    setSelected(new Set())
    onSearch({ ...(view && { view }), ...(sort && { sort }), ...next })
  }
  const here = { ...(folder && { folder }), ...(q && { q }) }
  const open = ({ kind, key }: StorageEntry) => go(kind === 'folder' ? { folder: key } : { ...here, object: key })
  const add = (files: readonly ChosenFile[]) =>
    uploads.add(files.map(({ file, path }) => ({ file, key: storedKey(folder, path) })))
  const remove = (keys: readonly string[]) => {
    setSelected(new Set())
    if (object !== undefined && keys.includes(object)) go(here)
    changes.remove(keys)
  }
  const entries = {
    ...{ bucketId, folder, selected, canChange },
    entries: data?.items ?? [],
    openKey: object,
    onOpen: open,
    onEnd: () => inBackground(loadMore()),
    onSelect: (key: string) => setSelected((old) => toggled(old, key)),
  }
  return (
    <Page
      crumbs={[{ label: 'Storage', link: { to: '/storage' } }]}
      title={bucketId}
      facts={bucket && <Badge tone={bucket.public ? 'warn' : 'quiet'}>{bucket.public ? 'public' : 'private'}</Badge>}
      actions={
        canChange && (
          <BucketActions bucket={bucket} onFiles={add} onFolder={(name) => add([placeholder(name)])} onGone={onGone} />
        )
      }
    >
      <DropArea enabled={canChange} onFiles={add}>
        <FolderBar
          {...{ bucketId, folder, view, sort, q }}
          selected={selected.size}
          onFolder={(next) => go(next === '' ? {} : { folder: next })}
          onText={(text) => go({ ...(folder && { folder }), ...(text && { q: text }) })}
          onLook={(look) => onSearch({ ...here, ...look })}
          onRemove={() => remove([...selected])}
        />
        {error && !data ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <SkeletonRows />
        ) : data.items.length === 0 ? (
          <Nothing isFiltered={q !== ''} canChange={canChange} />
        ) : view === 'grid' ? (
          <EntriesGrid {...entries} />
        ) : (
          <EntriesTable {...entries} />
        )}
        <UploadsPanel uploads={uploads} />
      </DropArea>
      <ObjectDrawer
        bucketId={bucketId}
        objectKey={object}
        onClose={() => go(here)}
        onMove={setMoving}
        onRemove={(key) => remove([key])}
      />
      <NameDialog
        open={moving !== undefined}
        title="Rename or move"
        label="Key, with its folders"
        action="Move"
        initial={moving ?? ''}
        onClose={() => setMoving(undefined)}
        onName={(to) => {
          changes.move(moving ?? '', to)
          go(here)
        }}
      />
    </Page>
  )
}

/** A folder is there as long as an object is in it: an empty one has this. */
const placeholder = (name: string): ChosenFile => ({
  file: new File([], '.emptyFolderPlaceholder'),
  path: `${name}/.emptyFolderPlaceholder`,
})

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

function Nothing({ isFiltered, canChange }: { readonly isFiltered: boolean; readonly canChange: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No names begin like this.">
        <p>Only the names of this folder are looked at.</p>
      </Empty>
    )
  return (
    <Empty title="This folder is empty.">
      <p>
        {canChange
          ? 'Drop files and folders here, or choose them with Upload.'
          : 'Files appear here when they are uploaded.'}
      </p>
    </Empty>
  )
}

interface DropAreaProps {
  readonly enabled: boolean
  readonly onFiles: (files: readonly ChosenFile[]) => void
  readonly children: ReactNode
}

function DropArea({ enabled, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => enabled && dataTransfer.types.includes('Files')
  return (
    <section
      aria-label="Files"
      className={`flex min-h-0 min-w-0 flex-1 flex-col ${isOver ? 'outline-2 outline-thread -outline-offset-2' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        inBackground(droppedFiles(event.dataTransfer).then(onFiles))
      }}
    >
      {children}
    </section>
  )
}
