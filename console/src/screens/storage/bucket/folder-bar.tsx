import { LayoutGrid, List } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Filter, Select } from '../../../ui/field.tsx'
import type { BucketWays } from './bucket-ways.ts'
import type { EntriesProps } from './entries/entries.ts'
import { EntryMenu } from './entries/entry-menu.tsx'

interface FolderBarProps
  extends Pick<EntriesProps, 'bucketId' | 'folder' | 'selected' | 'canChange' | 'onMove' | 'onRemove'> {
  readonly view: 'grid' | undefined
  readonly sort: 'newest' | undefined
  readonly q: string
  readonly ways: BucketWays
}

/** Where one is in the bucket, what is shown of it and how. */
export function FolderBar(props: FolderBarProps) {
  const { bucketId, folder, q, view, sort, selected, ways, onRemove } = props
  const names = folder.split('/').slice(0, -1)
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
      <nav aria-label="Folders" className="flex min-w-0 flex-wrap items-center gap-1 max-narrow:w-full">
        <button type="button" className="text-ink-2 hover:text-ink" onClick={() => ways.toFolder('')}>
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
                onClick={() => ways.toFolder(path)}
              >
                {name}
              </button>
            </Fragment>
          )
        })}
        {folder !== '' && <EntryMenu {...props} folder="" entry={{ key: folder }} />}
      </nav>
      <Filter label="Names that begin with" value={q} onChange={ways.toText} className="min-w-20" />
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
        onChange={(next) => ways.toLook({ ...(view && { view }), ...(next === 'newest' ? { sort: next } : {}) })}
      />
      <Button
        look="bare"
        size="icon"
        aria-label={view === 'grid' ? 'Show a list' : 'Show thumbnails'}
        onClick={() => ways.toLook({ ...(sort && { sort }), ...(view === 'grid' ? {} : { view: 'grid' }) })}
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
