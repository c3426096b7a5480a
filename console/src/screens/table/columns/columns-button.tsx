import { Columns3 } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { LayoutState } from './use-layout.ts'

interface ColumnsButtonProps {
  readonly layout: LayoutState
  readonly onOpen: () => void
}

/** Opens the list of columns, and says how many are not shown. */
export function ColumnsButton({ layout: { layout }, onOpen }: ColumnsButtonProps) {
  const count = layout.hidden.length
  const hidden = count === 0 ? '' : count === 1 ? ', one hidden' : `, ${count} hidden`
  return (
    <Button look="bare" size="small" aria-label={`Columns${hidden}`} title={`Columns${hidden}`} onClick={onOpen}>
      <Columns3 aria-hidden="true" className="size-3.5" />
      <span className="max-sheet:hidden">Columns{hidden}</span>
    </Button>
  )
}
