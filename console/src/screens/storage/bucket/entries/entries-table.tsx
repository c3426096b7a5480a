import type { StorageEntry } from '../../../../lib/api/schemas.ts'
import { Bytes } from '../../../../ui/bytes.tsx'
import { selectColumn } from '../../../../ui/select-column.tsx'
import { Table, type TableColumn } from '../../../../ui/table.tsx'
import { Time } from '../../../../ui/time.tsx'
import { type EntriesProps, nameIn } from './entries.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryMenu } from './entry-menu.tsx'

/** The entries of a folder as a table. */
export function EntriesTable(props: EntriesProps) {
  const { folder, entries, openKey, canChange, onOpen, onEnd, selected, onSelect } = props
  const keyOf = ({ key }: StorageEntry) => key
  const nameOf = (entry: StorageEntry) => nameIn(folder, entry)
  const columns: readonly TableColumn<StorageEntry>[] = [
    ...(canChange ? [selectColumn({ items: entries, keyOf, nameOf, selected, onSelect })] : []),
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
            {nameOf(entry)}
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
    {
      id: 'actions',
      title: <span className="sr-only">Actions</span>,
      width: 56,
      cell: (entry) => <EntryMenu {...props} entry={entry} />,
    },
  ]
  return (
    <Table
      label="Objects"
      columns={columns}
      rows={entries}
      rowKey={keyOf}
      onOpen={onOpen}
      openKey={openKey}
      onEnd={onEnd}
    />
  )
}
