import { Download } from 'lucide-react'
import { rowsFileUrl } from '../../lib/api/data.ts'
import type { Table } from '../../lib/api/schemas.ts'
import { saveFrom } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type ColumnLayout, shownColumns } from './columns/layout.ts'
import type { TableSearch } from './search.ts'

interface ExportMenuProps {
  readonly table: Table
  readonly search: TableSearch
  readonly layout: ColumnLayout
}

/** Saves all rows that the filters leave, sorted as they are shown, with the columns that are shown. */
export function ExportMenu({ table, search: { sort = [], filter = [], q }, layout }: ExportMenuProps) {
  const save = (format: 'csv' | 'json') => {
    const columns = shownColumns(table.columns, layout).filter(({ column }) => !column.secret)
    saveFrom(
      rowsFileUrl(table.schema, table.name, {
        ...{ format, sort: [...sort], filter: [...filter] },
        ...(q !== undefined && { search: q }),
        column: columns.map(({ column }) => column.name),
      }),
    )
  }
  return (
    <Menu
      trigger={
        <Button look="bare" size="small" aria-label="Export" title="Export">
          <Download aria-hidden="true" className="size-3.5" />
          <span className="max-sheet:hidden">Export</span>
        </Button>
      }
      items={[
        { label: 'These rows as CSV', onSelect: () => save('csv') },
        { label: 'These rows as JSON', onSelect: () => save('json') },
      ]}
    />
  )
}
