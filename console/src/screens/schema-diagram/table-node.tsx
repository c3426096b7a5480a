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
        // It cuts nothing off: two hundred areas that do cost as much to draw as all that is in them.
        'relative rounded-control border bg-surface group-data-far/diagram:border-4',
        selected ? 'border-thread' : 'border-line',
        isDim && 'opacity-35',
      )}
    >
      <div className="flex h-8 items-center border-line border-b px-3 group-data-far/diagram:invisible">
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
          <span
            className={classes(
              'mono min-w-0 flex-1 truncate group-data-far/diagram:invisible',
              isKey && 'font-semibold',
            )}
          >
            {name}
            {isKey && <KeyRound aria-hidden="true" className="ml-1 inline size-2.5 text-ink-2" />}
          </span>
          <span
            className="mono max-w-24 truncate text-ink-2 group-data-far/diagram:invisible"
            title={nullable ? `${type}, may be null` : type}
          >
            {shortType(type)}
          </span>
          {naming.has(name) && <Handle type="source" position={Position.Right} id={name} className={handle} />}
        </div>
      ))}
      {drawn.length < table.columns.length && (
        <div className="h-5.5 px-3 text-ink-2 text-sm group-data-far/diagram:invisible">
          {table.columns.length - drawn.length} more
        </div>
      )}
      <FarName name={table.name} />
    </div>
  )
}

/** A name so long may not fit into a table of few columns. */
const longName = 24

/** What is seen of a table from far: its name, over all of it. */
function FarName({ name }: { readonly name: string }) {
  return (
    <div
      aria-hidden="true"
      className={classes(
        'mono absolute inset-0 hidden place-items-center p-2 text-center font-semibold text-[28px] leading-8 wrap-anywhere group-data-far/diagram:grid',
        name.length > longName && 'overflow-hidden',
      )}
    >
      {name}
    </div>
  )
}

/** Lines are not drawn by hand here, so that there is nothing to see of where they begin. */
const handle = 'size-1! min-h-0! min-w-0! border-0! bg-transparent!'
