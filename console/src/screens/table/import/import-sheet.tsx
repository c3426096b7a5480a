import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Table } from '../../../lib/api/schemas.ts'
import { useToast } from '../../../ui/toast.tsx'
import { rowsKey } from '../queries.ts'
import { sendRows } from './send-rows.ts'

// Who reads a table has no use for what reads a file.
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

interface ImportSheetProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly table: Table
}

/** The import of rows, loaded when it is asked for. */
export function ImportSheet({ open, onClose, table }: ImportSheetProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { schema, name } = table
  if (!open) return null
  return (
    <Suspense>
      <ImportDialog
        open
        onClose={onClose}
        table={table}
        onImport={(rows) => sendRows({ schema, table: name, ...rows })}
        onImported={(count) => {
          onClose()
          toast.add({ title: count === 1 ? 'One row imported.' : `${count.toLocaleString('en-GB')} rows imported.` })
          return queryClient.invalidateQueries({ queryKey: rowsKey(schema, name) })
        }}
      />
    </Suspense>
  )
}
