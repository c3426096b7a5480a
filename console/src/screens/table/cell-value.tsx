import { Link } from '@tanstack/react-router'
import { ArrowUpRight, File } from 'lucide-react'
import type { Column } from '../../lib/api/schemas.ts'
import { findObjectPlace } from '../../lib/object-place.ts'
import { Value } from '../../thread/change-lines.tsx'
import { classes } from '../../ui/classes.ts'
import { absentText, readableValue } from './column-types.ts'
import { ObjectLink } from './object-link.tsx'
import { isDefault, type StagedValue } from './staged/staged.ts'

interface CellValueProps {
  readonly column: Column
  readonly buckets: ReadonlySet<string>
  /** Undefined: PostgreSQL will set it. */
  readonly value: StagedValue | undefined
}

const linkClasses =
  'ml-1 inline-grid size-4 place-items-center rounded-small align-text-bottom text-ink-3 hover:text-thread'

/** A cell's value as it is read, with a link to the row or the object that it names. */
export function CellValue({ column, buckets, value }: CellValueProps) {
  if (column.masked) return <span className="text-ink-2">[masked]</span>
  if (column.secret) return <span className="text-ink-3">not shown</span>
  if (value === undefined || isDefault(value)) return <Absent column={column} />
  const { references } = column
  const object = findObjectPlace(column, value, buckets)
  // What is beyond the cell's width is not worth laying out.
  const shown =
    typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : readableValue(column.type, value)
  return (
    <span className="mono" title={typeof value === 'string' && value.length > 24 ? value.slice(0, 2000) : undefined}>
      {object && (
        <ObjectLink place={object} label={`Open the object ${value}`} className={classes(linkClasses, 'mr-1 ml-0')}>
          <File aria-hidden="true" className="size-3" />
        </ObjectLink>
      )}
      <Value value={shown} />
      {references && !object && typeof value === 'string' && (
        <Link
          to="/data/$schema/$table"
          params={{ schema: references.schema, table: references.table }}
          search={{ row: JSON.stringify({ [references.column]: value }) }}
          aria-label={`Open ${references.table} ${value}`}
          title={`Open in ${references.schema}.${references.table}`}
          className={linkClasses}
        >
          <ArrowUpRight aria-hidden="true" className="size-3" />
        </Link>
      )}
    </span>
  )
}

/** What stands in the place of a value that PostgreSQL sets, or that must be given. */
function Absent({ column }: { readonly column: Column }) {
  const text = absentText(column)
  return (
    <span className={classes('mono', text === 'required' ? 'text-warn' : 'text-ink-2')} title={text}>
      {text}
    </span>
  )
}
