import { useMemo, useState } from 'react'
import type { SqlResult } from '../../lib/api/schemas.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'

interface NumberedRow {
  readonly number: number
  readonly values: SqlResult['rows'][number]
}

type Column = NonNullable<SqlResult['columns']>[number]

const numeric = /^(smallint|integer|bigint|numeric|real|double precision|money|U?Int\d|Float\d|Decimal)/
const isNumeric = ({ type }: Column): boolean => numeric.test(type) && !type.endsWith('[]')

function widthOf(column: Column, sample: readonly NumberedRow[], index: number): number {
  const longest = Math.max(...sample.map(({ values }) => values[index]?.length ?? 4), 0)
  return Math.round(
    Math.min(360, Math.max(column.name.length * 7.4 + column.type.length * 6.6 + 40, longest * 7.4 + 24)),
  )
}

/** The rows of a result; one opened shows its values whole. */
export function ResultGrid({ result, label }: { readonly result: SqlResult; readonly label: string }) {
  const [openKey, setOpenKey] = useState<string>()
  const shown = result.columns ?? []
  const rows = useMemo(() => result.rows.map((values, number) => ({ number, values })), [result])
  const columns = useMemo(() => {
    const sample = rows.slice(0, 50)
    return (result.columns ?? []).map(
      (column, index): TableColumn<NumberedRow> => ({
        id: String(index),
        title: (
          <span title={`${column.name}: ${column.type}`}>
            <span className="mono text-ink">{column.name}</span>{' '}
            <span className="mono font-normal text-ink-2">{column.type}</span>
          </span>
        ),
        width: widthOf(column, sample, index),
        align: isNumeric(column) ? 'right' : 'left',
        cell: ({ values }) => <Cell value={values[index] ?? null} />,
      }),
    )
  }, [result, rows])
  const open = rows.find(({ number }) => String(number) === openKey)
  return (
    <>
      <Table
        label={label}
        columns={[...columns, { id: 'rest', title: <span className="sr-only">Nothing more</span>, cell: () => null }]}
        rows={rows}
        rowKey={({ number }) => String(number)}
        onOpen={({ number }) => setOpenKey(String(number))}
        openKey={openKey}
        minWidth={columns.reduce((sum, { width = 0 }) => sum + width, 0)}
      />
      <Drawer
        open={open !== undefined}
        onClose={() => setOpenKey(undefined)}
        title={open ? `Row ${open.number + 1}` : ''}
      >
        {open && <Values columns={shown} values={open.values} />}
      </Drawer>
    </>
  )
}

/** Longer values are cut in a row; the open row has them whole. */
const cutCharacters = 300

function Cell({ value }: { readonly value: string | null }) {
  if (value === null) return <span className="text-ink-2">null</span>
  return <span className="mono">{value.length > cutCharacters ? `${value.slice(0, cutCharacters)}…` : value}</span>
}

function Values({ columns, values }: { readonly columns: readonly Column[]; readonly values: NumberedRow['values'] }) {
  return (
    <dl className="grid">
      {columns.map(({ name, type }, index) => {
        const value = values[index] ?? null
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
            key={index}
            className="grid min-h-8 grid-cols-[minmax(120px,168px)_1fr_28px] items-start gap-x-3 border-line border-b py-1.5 pr-2 pl-4"
          >
            <dt className="min-w-0">
              <span className="mono block truncate">{name}</span>
              <span className="mono block truncate text-ink-2 text-xs">{type}</span>
            </dt>
            <dd className="mono max-h-60 min-w-0 overflow-y-auto whitespace-pre-wrap break-words">
              {value ?? <span className="text-ink-2">null</span>}
            </dd>
            <dd>{value !== null && <CopyButton text={value} label={`Copy ${name}`} />}</dd>
          </div>
        )
      })}
    </dl>
  )
}
