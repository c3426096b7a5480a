import type { StorageEntry } from '../../../../lib/api/schemas.ts'
import { Bytes } from '../../../../ui/bytes.tsx'
import { Table, type TableColumn } from '../../../../ui/table.tsx'
import { Time } from '../../../../ui/time.tsx'
import { type EntriesProps, nameIn } from './entries.ts'
import { EntryIcon } from './entry-icon.tsx'
import { EntryMenu } from './entry-menu.tsx'

/** The entries of a folder as a table. */
export function EntriesTable(props: EntriesProps) {
  const { folder, entries, openKey, canChange, onOpen, onEnd } = props
  const columns: readonly TableColumn<StorageEntry>[] = [
    ...(canChange ? [selectColumn(props)] : []),
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
      rowKey={({ key }) => key}
      onOpen={onOpen}
      openKey={openKey}
      onEnd={onEnd}
    />
  )
}

/** Checkboxes; the one of the heading is for all that is loaded. */
const selectColumn = ({ folder, entries, selected, onSelect }: EntriesProps): TableColumn<StorageEntry> => {
  const all = entries.map(({ key }) => key)
  const hasAll = all.length > 0 && all.every((key) => selected.has(key))
  return {
    id: 'select',
    title: (
      <input
        type="checkbox"
        aria-label="Select all"
        checked={hasAll}
        ref={(box) => {
          if (box) box.indeterminate = selected.size > 0 && !hasAll
        }}
        onChange={() => onSelect(hasAll ? [] : all)}
        className="align-middle"
      />
    ),
    width: 40,
    cell: (entry) => <SelectBox {...{ folder, entry, selected, onSelect }} />,
  }
}

/** Takes an entry into the selection, or out of it. */
export function SelectBox({
  folder,
  entry,
  selected,
  onSelect,
}: Pick<EntriesProps, 'folder' | 'selected' | 'onSelect'> & { readonly entry: StorageEntry }) {
  const { key } = entry
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameIn(folder, entry)}`}
      checked={selected.has(key)}
      onChange={() => onSelect(selected.has(key) ? [...selected].filter((one) => one !== key) : [...selected, key])}
      // A click on the row opens the object.
      onClick={(event) => event.stopPropagation()}
      className="align-middle"
    />
  )
}
