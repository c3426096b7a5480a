import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import { tablesQuery } from '../../../lib/api/queries.ts'
import type { Column, Row, Table } from '../../../lib/api/schemas.ts'
import { Value } from '../../../thread/change-lines.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Filter } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { choiceQuery } from '../queries.ts'

interface ReferencePickerProps {
  /** The column whose value is chosen; nothing is open without one. */
  readonly column: Column | undefined
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

/** Chooses the row that a foreign key refers to, by searching in its table. */
export function ReferencePicker({ column, onChoose, onClose }: ReferencePickerProps) {
  const references = column?.references ?? null
  return (
    <Dialog
      open={references !== null}
      onClose={onClose}
      title={references ? `Choose a row of ${references.table}` : ''}
    >
      {references && <Choices references={references} onChoose={onChoose} />}
    </Dialog>
  )
}

interface ChoicesProps {
  readonly references: NonNullable<Column['references']>
  readonly onChoose: (value: string) => void
}

function Choices({ references: { schema, table, column }, onChoose }: ChoicesProps) {
  const [search, setSearch] = useState('')
  const { data, error } = useQuery({ ...choiceQuery(schema, table, search), placeholderData: keepPreviousData })
  const { data: tables = [] } = useQuery(tablesQuery)
  const known = tables.find((one) => one.schema === schema && one.name === table)
  return (
    <div className="grid gap-2">
      <Filter label={`Search in ${table}`} value={search} onChange={setSearch} />
      {error ? (
        <p className="text-danger">{errorText(error)}</p>
      ) : !data ? (
        <SkeletonRows rows={6} />
      ) : data.rows.length === 0 ? (
        <p className="text-ink-2">No row holds this text.</p>
      ) : (
        <ul className="max-h-[48vh] overflow-y-auto">
          {data.rows.map((row) => (
            <li key={JSON.stringify(row.key)}>
              <Choice row={row} column={column} known={known} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface ChoiceProps extends Pick<ChoicesProps, 'onChoose'> {
  readonly row: Row
  readonly column: string
  readonly known: Table | undefined
}

function Choice({ row, column, known, onChoose }: ChoiceProps) {
  const value = row.values[column]
  if (typeof value !== 'string') return null
  return (
    <button
      type="button"
      onClick={() => onChoose(value)}
      className="mono flex min-h-8 w-full items-baseline gap-3 rounded-small px-2 py-1 text-left hover:bg-sunken"
    >
      <span className="max-w-40 shrink-0 truncate">{value}</span>
      <span className="min-w-0 flex-1 truncate text-ink-2">
        {describe(row, column, known).map(({ name, text }) => (
          <span key={name} className="mr-3" title={name}>
            <Value value={text} />
          </span>
        ))}
      </span>
    </button>
  )
}

/** What tells a row from others: its texts first, three values at most. */
function describe({ values }: Row, column: string, known: Table | undefined) {
  const isText = (name: string) =>
    /text|char/.test(known?.columns.find((one) => one.name === name)?.baseType ?? '') ? 0 : 1
  return Object.entries(values)
    .filter(([name, text]) => name !== column && text !== null && text !== '')
    .sort(([a], [b]) => isText(a) - isText(b))
    .slice(0, 3)
    .map(([name, text]) => ({ name, text }))
}
