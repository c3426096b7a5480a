import { PanelRightOpen } from 'lucide-react'
import { classes } from '../../../ui/classes.ts'
import type { GridRow } from './grid-row.ts'

interface RowGutterProps {
  readonly number: number
  readonly item: GridRow | undefined
  readonly isPicked: boolean
  readonly onOpen: (row: GridRow) => void
  readonly onPick: (row: GridRow, extend: boolean) => void
}

const signs = { insert: '+', update: '~', delete: '−' }
const tones = { insert: 'text-ok', update: 'text-warn', delete: 'text-danger' }
const words = { insert: 'new, not saved', update: 'changed, not saved', delete: 'to be deleted, not saved' }

/** The left edge of a row: its number, what is staged of it, a box to pick it and a button to open it. */
export function RowGutter({ number, item, isPicked, onOpen, onPick }: RowGutterProps) {
  const kind = item?.change?.kind
  return (
    <th scope="row" className="sticky left-0 z-10 h-8 border-line border-r border-b bg-inherit px-1 font-normal">
      {item && (
        <span className="flex items-center gap-1">
          <input
            type="checkbox"
            aria-label={`Pick row ${number}`}
            checked={isPicked}
            onChange={() => undefined}
            onClick={(event) => onPick(item, event.shiftKey)}
            className={classes(
              'size-3.5 shrink-0 accent-ink-2',
              !isPicked && 'opacity-40 focus-visible:opacity-100 group-hover/row:opacity-100',
            )}
          />
          <span className="tabular mono min-w-0 flex-1 truncate text-right text-ink-2 text-xs group-hover/row:hidden">
            {kind ? (
              <span className={tones[kind]} title={words[kind]}>
                <span aria-hidden="true">{signs[kind]}</span>
                <span className="sr-only">{words[kind]}</span>
              </span>
            ) : (
              number
            )}
          </span>
          <button
            type="button"
            aria-label={`Open row ${number}`}
            title="Open the row (Space)"
            onClick={() => onOpen(item)}
            className="absolute top-1 right-1 grid size-6 shrink-0 place-items-center rounded-small text-ink-2 opacity-0 hover:text-ink focus-visible:opacity-100 group-hover/row:opacity-100"
          >
            <PanelRightOpen aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      )}
    </th>
  )
}
