import { ArrowDown, ArrowUp, Pin } from 'lucide-react'
import { useState } from 'react'
import type { Table } from '../../../lib/api/schemas.ts'
import { shortType } from '../../../schema/short-type.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { isPlain, type PlacedColumn, placeColumns, widthRange } from './layout.ts'
import type { LayoutState } from './use-layout.ts'

interface ColumnsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly table: Table
  readonly state: LayoutState
}

/** All columns of a table: which are shown, in which order, how wide, and which stay while others scroll. */
export function ColumnsDialog({ open, onClose, table, state }: ColumnsDialogProps) {
  const placed = placeColumns(table.columns, state.layout)
  return (
    <Dialog open={open} onClose={onClose} title={`Columns of ${table.name}`}>
      <ul className="grid">
        {placed.map((one, index) => (
          <ColumnLine
            key={one.column.name}
            placed={one}
            state={state}
            hasLeft={placed[index - 1]?.isFrozen === one.isFrozen}
            hasRight={placed[index + 1]?.isFrozen === one.isFrozen}
          />
        ))}
      </ul>
      <div className="flex justify-between gap-1.5 pt-3">
        <Button onClick={state.reset} disabled={isPlain(state.layout)}>
          Reset
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

interface ColumnLineProps {
  readonly placed: PlacedColumn
  readonly state: LayoutState
  readonly hasLeft: boolean
  readonly hasRight: boolean
}

function ColumnLine({ placed, state, hasLeft, hasRight }: ColumnLineProps) {
  const { column, width, isHidden, isFrozen } = placed
  const { name, type } = column
  return (
    <li className="flex min-h-9 items-center gap-1.5 border-line border-b last:border-0">
      <label className="flex min-w-0 flex-1 items-baseline gap-2">
        <input type="checkbox" checked={!isHidden} onChange={() => state.hide(name)} aria-label={`Show ${name}`} />
        <span className="mono truncate">{name}</span>
        <span className="mono shrink-0 text-ink-2 text-xs max-sheet:hidden">{shortType(type)}</span>
      </label>
      <WidthInput name={name} width={width} onResize={(next) => state.resize(name, next)} />
      <Button
        look="bare"
        size="icon"
        aria-label={`Freeze ${name}`}
        title="Stays at the left while others scroll"
        aria-pressed={isFrozen}
        onClick={() => state.freeze(name)}
      >
        <Pin aria-hidden="true" className="size-3.5" />
      </Button>
      <Button
        look="bare"
        size="icon"
        aria-label={`Move ${name} up`}
        disabled={!hasLeft}
        onClick={() => state.move(name, -1)}
      >
        <ArrowUp aria-hidden="true" className="size-3.5" />
      </Button>
      <Button
        look="bare"
        size="icon"
        aria-label={`Move ${name} down`}
        disabled={!hasRight}
        onClick={() => state.move(name, 1)}
      >
        <ArrowDown aria-hidden="true" className="size-3.5" />
      </Button>
    </li>
  )
}

interface WidthInputProps {
  readonly name: string
  readonly width: number
  readonly onResize: (width: number | undefined) => void
}

/** While a number is typed it may be none, or too small: what was typed stands until the field is left. */
function WidthInput({ name, width, onResize }: WidthInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      type="number"
      aria-label={`Width of ${name} in pixels`}
      min={widthRange.least}
      max={widthRange.most}
      step={8}
      value={typed ?? width}
      onChange={({ target }) => {
        setTyped(target.value)
        if (target.value === '') onResize(undefined)
        else if (target.valueAsNumber >= widthRange.least) onResize(target.valueAsNumber)
      }}
      onBlur={() => setTyped(undefined)}
      className="tabular h-7 w-18 rounded-control border border-line bg-surface px-2 text-right"
    />
  )
}
