import { Link } from '@tanstack/react-router'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { KeyRound } from 'lucide-react'
import type { DiagramTable } from '../../lib/api/schema.ts'
import { shortType } from '../../schema/short-type.ts'
import { classes } from '../../ui/classes.ts'
import { drawnColumns, heightOf, tableWidth } from './layout.ts'

/** A table as the canvas has it. */
export type TableNode = Node<
  { readonly table: DiagramTable; readonly met: ReadonlySet<string>; readonly isDim: boolean },
  'table'
>

/** A table with its columns; lines meet it at the columns that they join. */
export function TableNodeView({ data: { table, met, isDim }, selected }: NodeProps<TableNode>) {
  const drawn = drawnColumns(table)
  const naming = new Set(table.references.map(({ columns }) => columns[0]))
  return (
    <div
      style={{ width: tableWidth, height: heightOf(table) }}
      className={classes(
        'overflow-hidden rounded-control border bg-surface',
        selected ? 'border-thread' : 'border-line',
        isDim && 'opacity-35',
      )}
    >
      <div className="flex h-8 items-center border-line border-b px-3">
        <Link
          to="/schema/$schema/$table"
          params={{ schema: table.schema, table: table.name }}
          className="nodrag mono truncate font-semibold hover:underline"
        >
          {table.name}
        </Link>
      </div>
      {drawn.map(({ name, type, isKey, nullable }) => (
        <div key={name} className="relative flex h-5.5 items-center gap-2 px-3 text-sm">
          {met.has(name) && <Handle type="target" position={Position.Left} id={name} className={handle} />}
          <span className={classes('mono min-w-0 flex-1 truncate', isKey && 'font-semibold')}>
            {name}
            {isKey && <KeyRound aria-hidden="true" className="ml-1 inline size-2.5 text-ink-2" />}
          </span>
          <span className="mono max-w-24 truncate text-ink-2" title={nullable ? `${type}, may be null` : type}>
            {shortType(type)}
          </span>
          {naming.has(name) && <Handle type="source" position={Position.Right} id={name} className={handle} />}
        </div>
      ))}
      {drawn.length < table.columns.length && (
        <div className="h-5.5 px-3 text-ink-2 text-sm">{table.columns.length - drawn.length} more</div>
      )}
    </div>
  )
}

/** Lines are not drawn by hand here, so that there is nothing to see of where they begin. */
const handle = 'size-1! min-h-0! min-w-0! border-0! bg-transparent!'
