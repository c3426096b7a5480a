import { LayoutGrid, List } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Filter, Select } from '../../../ui/field.tsx'
import type { EntriesProps } from './entries/entries.ts'
import { EntryMenu } from './entries/entry-menu.tsx'
import type { BucketSearch } from './search.ts'

interface FolderBarProps
  extends Pick<EntriesProps, 'bucketId' | 'folder' | 'selected' | 'canChange' | 'onMove' | 'onRemove'> {
  readonly view: 'grid' | undefined
  readonly sort: 'newest' | undefined
  readonly q: string
  readonly onFolder: (folder: string) => void
  readonly onText: (text: string) => void
  readonly onLook: (look: Pick<BucketSearch, 'view' | 'sort'>) => void
}

/** Where one is in the bucket, what is shown of it and how. */
export function FolderBar(props: FolderBarProps) {
  const { bucketId, folder, q, view, sort, selected, onFolder, onText, onLook, onRemove } = props
  const names = folder.split('/').slice(0, -1)
  const look = (next: BucketSearch) => onLook(next)
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
      <nav aria-label="Folders" className="flex min-w-0 flex-wrap items-center gap-1">
        <button type="button" className="text-ink-2 hover:text-ink" onClick={() => onFolder('')}>
          {bucketId}
        </button>
        {names.map((name, index) => {
          const path = `${names.slice(0, index + 1).join('/')}/`
          return (
            <Fragment key={path}>
              <span aria-hidden="true" className="text-ink-3">
                /
              </span>
              <button
                type="button"
                aria-current={path === folder ? 'location' : undefined}
                className="max-w-48 truncate text-ink-2 hover:text-ink aria-[current]:text-ink"
                onClick={() => onFolder(path)}
              >
                {name}
              </button>
            </Fragment>
          )
        })}
        {folder !== '' && <EntryMenu {...props} folder="" entry={{ key: folder }} />}
      </nav>
      <Filter label="Names that begin with" value={q} onChange={onText} className="min-w-28" />
      {selected.size > 0 && (
        <Button look="danger" onClick={() => onRemove([...selected])}>
          Delete {selected.size}
        </Button>
      )}
      <Select
        label="Sort"
        value={sort ?? 'name'}
        options={[
          { value: 'name', label: 'By name' },
          { value: 'newest', label: 'Newest first' },
        ]}
        onChange={(next) => look({ ...(view && { view }), ...(next === 'newest' ? { sort: next } : {}) })}
      />
      <Button
        look="bare"
        size="icon"
        aria-label={view === 'grid' ? 'Show a list' : 'Show thumbnails'}
        onClick={() => look({ ...(sort && { sort }), ...(view === 'grid' ? {} : { view: 'grid' }) })}
      >
        {view === 'grid' ? (
          <List aria-hidden="true" className="size-4" />
        ) : (
          <LayoutGrid aria-hidden="true" className="size-4" />
        )}
      </Button>
    </div>
  )
}
