import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Change, Values } from '../lib/api/schemas.ts'
import { classes } from '../ui/classes.ts'

/** The sign, the word and the colour of each operation. */
export const operationSigns = {
  insert: { sign: '+', word: 'created', tone: 'text-ok' },
  update: { sign: '~', word: 'changed', tone: 'text-warn' },
  delete: { sign: '−', word: 'deleted', tone: 'text-danger' },
  truncate: { sign: '∅', word: 'emptied', tone: 'text-danger' },
} as const

/** A row's name: its table and key, `orders #812`; compound keys joined. */
export function rowName({ table, key }: Pick<Change, 'table' | 'key'>): string {
  const values = Object.values(key)
  return values.length === 0 ? table : `${table} #${values.map((value) => value ?? 'null').join(', ')}`
}

/** The sign and the word of an operation; the colour repeats them. */
export function Operation({ operation }: Pick<Change, 'operation'>) {
  const { sign, word, tone } = operationSigns[operation]
  return (
    <span className={classes('mono whitespace-nowrap', tone)}>
      <span aria-hidden="true">{sign} </span>
      {word}
    </span>
  )
}

/** The link from a change to its row, with the row's history open. */
export function RowLink({ change }: { readonly change: Change }) {
  const { schema, table, key, operation } = change
  if (operation === 'truncate' || Object.keys(key).length === 0) return <span className="mono">{rowName(change)}</span>
  return (
    <Link
      to="/data/$schema/$table"
      params={{ schema, table }}
      search={{ row: JSON.stringify(key), tab: 'history' }}
      className="mono quiet-link"
    >
      {rowName(change)}
    </Link>
  )
}

type ChangedValues = Pick<Change, 'operation' | 'old' | 'new' | 'columns'>

/** What a change did to each column: old → new for an update, the values for the others. */
export function ChangeValues({ change }: { readonly change: ChangedValues }) {
  const columns = changedColumns(change)
  if (columns.length === 0) return null
  return (
    <dl className="mono grid grid-cols-[minmax(88px,128px)_minmax(0,1fr)] gap-x-3">
      {columns.map((column) => (
        <Fragment key={column}>
          <dt className="truncate py-px text-ink-2" title={column}>
            {column}
          </dt>
          <dd className="wrap-anywhere py-px">
            {change.operation === 'update' ? (
              <>
                <span className="text-ink-2">
                  <OldValue values={change.old} column={column} />
                </span>
                <span className="text-ink-2"> → </span>
                <Value value={change.new?.[column]} />
              </>
            ) : (
              <Value value={(change.new ?? change.old)?.[column]} />
            )}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function changedColumns({ operation, columns, old, new: next }: ChangedValues): readonly string[] {
  if (operation === 'update') return columns
  return Object.keys((operation === 'delete' ? old : next) ?? {})
}

function OldValue({ values, column }: { readonly values: Values | null; readonly column: string }) {
  if (values === null || !(column in values)) {
    return <span title="PostgreSQL did not send the value before: the table keeps no full history.">not known</span>
  }
  return <Value value={values[column]} />
}

/** One value in PostgreSQL's text form; null looks different from an empty text. */
export function Value({ value }: { readonly value: string | null | undefined }) {
  if (value === undefined) return <span className="text-ink-2">unchanged</span>
  if (value === null) return <span className="text-ink-2">null</span>
  if (value === '') return <span className="text-ink-2">empty text</span>
  return value
}
