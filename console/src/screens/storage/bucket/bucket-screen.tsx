import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Page } from '../../../frame/page.tsx'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { useRights } from '../../../lib/rights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { bucketsQuery } from '../queries.ts'
import { StorageGate } from '../storage-gate.tsx'
import { BucketActions } from './bucket-actions.tsx'
import { type BucketWays, bucketWays } from './bucket-ways.ts'
import { MoveDialog } from './move/move-dialog.tsx'
import type { Place } from './move/use-move.ts'
import { ObjectDrawer } from './object-drawer.tsx'
import { ObjectsPanel } from './objects-panel.tsx'
import { BucketHistory } from './past/bucket-history.tsx'
import { entriesQuery } from './queries.ts'
import type { BucketSearch } from './search.ts'
import { uploadsOf } from './upload/bucket-uploads.ts'
import type { ChosenFile } from './upload/dropped-files.ts'
import { storedKey } from './upload/stored-key.ts'
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
  const { folder = '', q = '', object, sort } = search
  const queryClient = useQueryClient()
  const { query, loadMore } = entriesQuery(queryClient, bucketId, {
    prefix: `${folder}${q}`,
    ...(sort === 'newest' ? { sort: 'updated_at', order: 'desc' } : { sort: 'name', order: 'asc' }),
  })
  const { data, error, refetch } = useQuery(query)
  const { data: all, isFetchedAfterMount } = useQuery(bucketsQuery)
  const bucket = all?.buckets.find(({ id }) => id === bucketId)
  // What was known before this screen opened may be older than the bucket.
  const isGone = isFetchedAfterMount && all !== undefined && bucket === undefined
  const { canChange } = useRights()
  const { remove } = useObjectChanges(bucketId)
  const uploads = uploadsOf(queryClient, bucketId)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [moving, setMoving] = useState<string>()
  const ways = bucketWays(search, onSearch, () => setSelected(new Set()))
  const add = (files: readonly ChosenFile[]) =>
    uploads.add(files.map(({ file, path }) => ({ file, key: storedKey(folder, path) })))
  const entries = {
    ...{ bucketId, folder, selected, canChange },
    entries: data?.items ?? [],
    openKey: object,
    onOpen: ({ kind, key }: StorageEntry) => (kind === 'folder' ? ways.toFolder(key) : ways.toObject(key)),
    onEnd: () => inBackground(loadMore()),
    onSelect: (keys: readonly string[]) => setSelected(new Set(keys)),
    onMove: setMoving,
    onRemove: (keys: readonly string[]) => {
      setSelected(new Set())
      if (object !== undefined && keys.includes(object)) ways.closeObject()
      if (keys.includes(folder)) ways.toFolderAbove()
      remove(keys)
    },
  }
  return (
    <Page
      crumbs={[{ label: 'Storage', link: { to: '/storage' } }]}
      title={bucketId}
      facts={bucket && <Badge tone={bucket.public ? 'warn' : 'quiet'}>{bucket.public ? 'public' : 'private'}</Badge>}
      actions={
        canChange &&
        !isGone && (
          <BucketActions
            bucket={bucket}
            countedAt={all?.countedAt}
            onFiles={add}
            onFolder={(name) => add([placeholder(name)])}
            onGone={onGone}
          />
        )
      }
    >
      <BucketTabs
        tab={search.tab ?? 'objects'}
        onTab={(tab) => ways.toTab(tab === 'history' ? tab : undefined)}
        history={<BucketHistory bucketId={bucketId} openKey={object} onOpen={ways.toObject} />}
        objects={
          isGone ? (
            <GoneBucket bucketId={bucketId} />
          ) : (
            <ObjectsPanel
              {...{ entries, search, ways, uploads, error, isLoaded: data !== undefined }}
              onFiles={add}
              onRetry={refetch}
            />
          )
        }
      />
      <ObjectDrawer
        bucketId={bucketId}
        objectKey={object}
        onClose={ways.closeObject}
        onMove={setMoving}
        onRemove={(key) => entries.onRemove([key])}
      />
      <Mover {...{ bucketId, folder, ways }} from={moving} onClose={() => setMoving(undefined)} />
    </Page>
  )
}

/** There is no such bucket, or not any more; its history is there all the same. */
function GoneBucket({ bucketId }: { readonly bucketId: string }) {
  return (
    <Empty title="There is no bucket with this name.">
      <p>
        It was deleted, or the address names another. What happened to its objects stands in{' '}
        <Link to="/storage/$bucket" params={{ bucket: bucketId }} search={{ tab: 'history' }} className="quiet-link">
          its history
        </Link>
        ; the buckets that there are stand in{' '}
        <Link to="/storage" className="quiet-link">
          Storage
        </Link>
        .
      </p>
    </Empty>
  )
}

type BucketTab = 'objects' | 'history'

interface BucketTabsProps {
  readonly tab: BucketTab
  readonly onTab: (tab: BucketTab) => void
  readonly objects: ReactNode
  readonly history: ReactNode
}

function BucketTabs({ tab, onTab, objects, history }: BucketTabsProps) {
  return (
    <Tabs<BucketTab>
      label="Bucket"
      value={tab}
      onChange={onTab}
      className="flex-1"
      tabs={[
        { name: 'objects', label: 'Objects', panel: objects },
        { name: 'history', label: 'History', panel: history },
      ]}
    />
  )
}

interface MoverProps {
  readonly bucketId: string
  readonly folder: string
  readonly ways: BucketWays
  /** What is to be moved; closed without it. */
  readonly from: string | undefined
  readonly onClose: () => void
}

/** Moves something, says where it is now, and follows the open folder. */
function Mover({ bucketId, folder, ways, from, onClose }: MoverProps) {
  const toast = useToast()
  const moved = (to: Place, count: number) => {
    onClose()
    toast.add({
      title: count === 1 ? 'The object is moved.' : `${count} objects are moved.`,
      description: `${to.bucketId}/${to.key}`,
    })
    if (from !== folder) ways.closeObject()
    else if (to.bucketId === bucketId) ways.toFolder(to.key, true)
    else ways.toFolderAbove()
  }
  return <MoveDialog bucketId={bucketId} from={from} onClose={onClose} onMoved={moved} />
}

/** A folder is there as long as an object is in it: an empty one has this. */
const placeholder = (name: string): ChosenFile => ({
  file: new File([], '.emptyFolderPlaceholder'),
  path: `${name}/.emptyFolderPlaceholder`,
})
