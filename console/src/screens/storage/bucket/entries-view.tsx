import { File, Folder } from 'lucide-react'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { Bytes } from '../../../ui/bytes.tsx'
import { classes } from '../../../ui/classes.ts'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { contentUrl } from './queries.ts'

interface EntriesProps {
  readonly bucketId: string
  readonly folder: string
  readonly entries: readonly StorageEntry[]
  readonly selected: ReadonlySet<string>
  readonly openKey: string | undefined
  readonly canChange: boolean
  readonly onSelect: (key: string) => void
  readonly onOpen: (entry: StorageEntry) => void
  readonly onEnd: () => void
}

/** An entry's name in its folder. */
const nameIn = (folder: string, { key }: StorageEntry): string => key.slice(folder.length).replace(/\/$/, '')

/** The entries of a folder as a table. */
export function EntriesTable(props: EntriesProps) {
  const { folder, entries, selected, openKey, canChange, onSelect, onOpen, onEnd } = props
  const columns: readonly TableColumn<StorageEntry>[] = [
    ...(canChange ? [selectColumn(folder, selected, onSelect)] : []),
    {
      id: 'name',
      title: 'Name',
      cell: (entry) => (
        <button
          type="button"
          className="inline-flex max-w-full items-center gap-2 align-middle hover:underline"
          onClick={() => onOpen(entry)}
        >
          <EntryIcon entry={entry} />
          <span className="truncate" title={entry.key}>
            {nameIn(folder, entry)}
          </span>
        </button>
      ),
    },
    {
      id: 'type',
      title: 'Type',
      width: 180,
      from: 'sheet',
      cell: ({ mimeType, kind }) => <span className="text-ink-2">{kind === 'folder' ? 'folder' : mimeType}</span>,
    },
    {
      id: 'size',
      title: 'Size',
      width: 84,
      align: 'right',
      cell: ({ sizeBytes }) => sizeBytes !== null && <Bytes value={sizeBytes} />,
    },
    {
      id: 'changed',
      title: 'Changed',
      width: 108,
      from: 'narrow',
      cell: ({ updatedAt }) => updatedAt !== null && <Time at={updatedAt} />,
    },
  ]
  return (
    <Table
      label="Objects"
      columns={columns}
      rows={entries}
      rowKey={({ key }) => key}
      onOpen={onOpen}
      openKey={openKey}
      onEnd={onEnd}
    />
  )
}

const selectColumn = (
  folder: string,
  selected: ReadonlySet<string>,
  onSelect: (key: string) => void,
): TableColumn<StorageEntry> => ({
  id: 'select',
  title: <span className="sr-only">Selected</span>,
  width: 40,
  cell: (entry) => (
    <input
      type="checkbox"
      aria-label={`Select ${nameIn(folder, entry)}`}
      checked={selected.has(entry.key)}
      onChange={() => onSelect(entry.key)}
      // A click on the row opens the object.
      onClick={(event) => event.stopPropagation()}
      className="align-middle"
    />
  ),
})

function EntryIcon({ entry }: { readonly entry: StorageEntry }) {
  const Icon = entry.kind === 'folder' ? Folder : File
  return <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
}

/** Images that are larger are not loaded for a thumbnail. */
const largestThumbnail = 4_000_000

const hasThumbnail = ({ mimeType, sizeBytes }: StorageEntry): boolean =>
  mimeType !== null &&
  /^image\/(png|jpeg|gif|webp|avif|svg\+xml)/.test(mimeType) &&
  (sizeBytes ?? 0) <= largestThumbnail

/** The entries of a folder with thumbnails of its images. */
export function EntriesGrid({ bucketId, folder, entries, openKey, onOpen, onEnd }: EntriesProps) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto p-4"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight > scrollHeight - 600) onEnd()
      }}
    >
      <ul aria-label="Objects" className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-3">
        {entries.map((entry) => (
          <li key={entry.key} className="[content-visibility:auto] [contain-intrinsic-size:132px_164px]">
            <button
              type="button"
              onClick={() => onOpen(entry)}
              aria-current={entry.key === openKey}
              className={classes(
                'grid w-full gap-1 rounded-control border p-1.5 text-left hover:bg-sunken',
                entry.key === openKey ? 'border-thread' : 'border-line',
              )}
            >
              <span className="grid aspect-square place-items-center overflow-hidden rounded-small bg-sunken">
                {hasThumbnail(entry) ? (
                  <img src={contentUrl(bucketId, entry.key)} alt="" loading="lazy" className="size-full object-cover" />
                ) : (
                  <EntryIcon entry={entry} />
                )}
              </span>
              <span className="truncate" title={entry.key}>
                {nameIn(folder, entry)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
