import type { BucketWays } from './bucket-ways.ts'
import { DropArea } from './drop-area.tsx'
import type { EntriesProps } from './entries/entries.ts'
import { EntriesList } from './entries/entries-list.tsx'
import { FolderBar } from './folder-bar.tsx'
import type { BucketSearch } from './search.ts'
import type { uploadsOf } from './upload/bucket-uploads.ts'
import type { ChosenFile } from './upload/dropped-files.ts'
import { InterruptedUploads } from './upload/interrupted/interrupted-uploads.tsx'
import { UploadsPanel } from './upload/uploads-panel.tsx'

interface ObjectsPanelProps {
  readonly entries: EntriesProps
  readonly search: BucketSearch
  readonly ways: BucketWays
  readonly uploads: ReturnType<typeof uploadsOf>
  /** Whether entries were loaded. */
  readonly isLoaded: boolean
  readonly error: Error | null
  readonly onRetry: () => void
  readonly onFiles: (files: readonly ChosenFile[]) => void
}

/** The objects of the open folder, what is sent to it, and where files are dropped. */
export function ObjectsPanel({ entries, search, ways, uploads, isLoaded, error, onRetry, onFiles }: ObjectsPanelProps) {
  const { view, sort, q = '' } = search
  const { bucketId, canChange } = entries
  return (
    <DropArea enabled={canChange} onFiles={onFiles}>
      <FolderBar {...entries} {...{ view, sort, q, ways }} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <EntriesList {...entries} {...{ view, error, isLoaded, onRetry }} isFiltered={q !== ''} />
      </div>
      {canChange && <InterruptedUploads bucketId={bucketId} uploads={uploads} />}
      <UploadsPanel uploads={uploads} />
    </DropArea>
  )
}
