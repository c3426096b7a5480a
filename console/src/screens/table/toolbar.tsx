import { ClipboardCopy, Copy, Plus, Trash2, Upload } from 'lucide-react'
import type { Row, Table } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { CopyFormat } from './copy/copy-rows.ts'
import type { StagedValues } from './staged/staged.ts'
import { duplicateOf } from './table-dialogs.tsx'

interface ToolbarProps {
  readonly table: Table
  readonly picked: readonly Row[]
  readonly onInsert: (values: StagedValues) => void
  readonly onDelete: (rows: readonly Row[]) => void
  /** Puts the rows that are picked on the clipboard. */
  readonly onCopy: (format: CopyFormat) => void
  readonly onImport: () => void
}

/** What can be done to rows: a new one, and with those that are picked. */
export function Toolbar({ table, picked, onInsert, onDelete, onCopy, onImport }: ToolbarProps) {
  const [only] = picked
  return (
    <>
      {picked.length > 0 && table.deletable && (
        <Button look="danger" onClick={() => onDelete(picked)}>
          <Trash2 aria-hidden="true" className="size-3.5" />
          Delete {picked.length === 1 ? 'row' : `${picked.length} rows`}
        </Button>
      )}
      {picked.length > 0 && <CopyMenu onCopy={onCopy} />}
      {picked.length === 1 && only && table.insertable && (
        <Button onClick={() => onInsert(duplicateOf(table, only.values))}>
          <Copy aria-hidden="true" className="size-3.5" />
          Duplicate
        </Button>
      )}
      {table.insertable && (
        <Button look="bare" aria-label="Import" title="Import rows of a CSV file" onClick={onImport}>
          <Upload aria-hidden="true" className="size-3.5" />
          <span className="max-wide:hidden">Import</span>
        </Button>
      )}
      {table.insertable && (
        <Button onClick={() => onInsert({})}>
          <Plus aria-hidden="true" className="size-3.5" />
          <span className="max-narrow:sr-only">Insert row</span>
        </Button>
      )}
    </>
  )
}

function CopyMenu({ onCopy }: Pick<ToolbarProps, 'onCopy'>) {
  return (
    <Menu
      trigger={
        <Button>
          <ClipboardCopy aria-hidden="true" className="size-3.5" />
          Copy
        </Button>
      }
      items={[
        { label: 'As JSON', onSelect: () => onCopy('json') },
        { label: 'As CSV', onSelect: () => onCopy('csv') },
        { label: 'As SQL insert', onSelect: () => onCopy('sql') },
      ]}
    />
  )
}
