import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { Page } from '../../../frame/page.tsx'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { useRights } from '../../../lib/rights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { bucketsQuery } from '../queries.ts'
import { StorageGate } from '../storage-gate.tsx'
import { BucketActions } from './bucket-actions.tsx'
import { DropArea } from './drop-area.tsx'
import { EntriesGrid } from './entries/entries-grid.tsx'
import { EntriesTable } from './entries/entries-table.tsx'
import { FolderBar } from './folder-bar.tsx'
import { MoveDialog } from './move/move-dialog.tsx'
import type { Place } from './move/use-move.ts'
import { ObjectDrawer } from './object-drawer.tsx'
import { entriesQuery } from './queries.ts'
import type { BucketSearch } from './search.ts'
import { uploadsOf } from './upload/bucket-uploads.ts'
import type { ChosenFile } from './upload/dropped-files.ts'
import { storedKey } from './upload/stored-key.ts'
import { UploadsPanel } from './upload/uploads-panel.tsx'
import { useObjectChanges } from './use-object-changes.ts'

interface BucketScreenProps {
  readonly bucketId: string
  readonly search: BucketSearch
  /** @param replace whether the way back skips what was shown before */
  readonly onSearch: (search: BucketSearch, replace?: boolean) => void
  /** The bucket was deleted. */
  readonly onGone: () => void
}

/** The objects of a bucket, folder by folder. */
export function BucketScreen(props: BucketScreenProps) {
  return (
    <StorageGate>
      <Bucket {...props} />
    </StorageGate>
  )
}

function Bucket({ bucketId, search, onSearch, onGone }: BucketScreenProps) {
  const { folder = '', q = '', object, view, sort } = search
  const queryClient = useQueryClient()
  const { query, loadMore } = entriesQuery(queryClient, bucketId, {
    prefix: `${folder}${q}`,
    ...(sort === 'newest' ? { sort: 'updated_at', order: 'desc' } : { sort: 'name', order: 'asc' }),
  })
  const { data, error, refetch } = useQuery(query)
  const bucket = useQuery(bucketsQuery).data?.buckets.find(({ id }) => id === bucketId)
  const { canChange } = useRights()
  const { remove } = useObjectChanges(bucketId)
  const uploads = uploadsOf(queryClient, bucketId)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [moving, setMoving] = useState<string>()
  const announceMove = useMoveToast()
  const go = (next: BucketSearch, replace = false) => {
    setSelected(new Set())
    onSearch({ ...(view && { view }), ...(sort && { sort }), ...next }, replace)
  }
  const here = { ...(folder && { folder }), ...(q && { q }) }
  const add = (files: readonly ChosenFile[]) =>
    uploads.add(files.map(({ file, path }) => ({ file, key: storedKey(folder, path) })))
  const entries = {
    ...{ bucketId, folder, selected, canChange },
    entries: data?.items ?? [],
    openKey: object,
    // While an object is open, moving through the list is one step of the way back.
    onOpen: ({ kind, key }: StorageEntry) =>
      kind === 'folder' ? go({ folder: key }) : go({ ...here, object: key }, object !== undefined),
    onEnd: () => inBackground(loadMore()),
    onSelect: (keys: readonly string[]) => setSelected(new Set(keys)),
    onMove: setMoving,
    onRemove: (keys: readonly string[]) => {
      setSelected(new Set())
      if (object !== undefined && keys.includes(object)) go(here, true)
      if (keys.includes(folder)) go(aboveOf(folder), true)
      remove(keys)
    },
  }
  const moved = (to: Place, count: number) => {
    setMoving(undefined)
    announceMove(to, count)
    if (moving === folder && to.bucketId === bucketId) go({ folder: to.key }, true)
    else if (moving === folder) go(aboveOf(folder), true)
    else go(here, true)
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
          {...entries}
          {...{ view, sort, q }}
          onFolder={(next) => go(next === '' ? {} : { folder: next })}
          onText={(text) => go({ ...(folder && { folder }), ...(text && { q: text }) }, true)}
          onLook={(look) => onSearch({ ...here, ...look }, true)}
        />
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
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
        </div>
        <UploadsPanel uploads={uploads} />
      </DropArea>
      <ObjectDrawer
        bucketId={bucketId}
        objectKey={object}
        onClose={() => go(here, true)}
        onMove={setMoving}
        onRemove={(key) => entries.onRemove([key])}
      />
      <MoveDialog bucketId={bucketId} from={moving} onClose={() => setMoving(undefined)} onMoved={moved} />
    </Page>
  )
}

/** The folder that holds a folder. */
function aboveOf(folder: string): BucketSearch {
  const above = folder.replace(/[^/]+\/$/, '')
  return above === '' ? {} : { folder: above }
}

/** Says where something is now. */
function useMoveToast() {
  const toast = useToast()
  return ({ bucketId, key }: Place, count: number): void =>
    void toast.add({
      title: count === 1 ? 'The object is moved.' : `${count} objects are moved.`,
      description: `${bucketId}/${key}`,
    })
}

/** A folder is there as long as an object is in it: an empty one has this. */
const placeholder = (name: string): ChosenFile => ({
  file: new File([], '.emptyFolderPlaceholder'),
  path: `${name}/.emptyFolderPlaceholder`,
})

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
