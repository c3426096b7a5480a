import { Copy, Plus, Trash2 } from 'lucide-react'
import type { Row, Table } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import type { StagedValues } from './staged/staged.ts'
import { duplicateOf } from './table-dialogs.tsx'

interface ToolbarProps {
  readonly table: Table
  readonly picked: readonly Row[]
  readonly onInsert: (values: StagedValues) => void
  readonly onDelete: (rows: readonly Row[]) => void
}

/** What can be done to rows: a new one, and with those that are picked. */
export function Toolbar({ table, picked, onInsert, onDelete }: ToolbarProps) {
  const [only] = picked
  return (
    <>
      {picked.length > 0 && table.deletable && (
        <Button look="danger" onClick={() => onDelete(picked)}>
          <Trash2 aria-hidden="true" className="size-3.5" />
          Delete {picked.length === 1 ? 'row' : `${picked.length} rows`}
        </Button>
      )}
      {picked.length === 1 && only && table.insertable && (
        <Button onClick={() => onInsert(duplicateOf(table, only.values))}>
          <Copy aria-hidden="true" className="size-3.5" />
          Duplicate
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
