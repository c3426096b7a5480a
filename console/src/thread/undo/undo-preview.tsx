import type { ReactNode } from 'react'
import type { RowChange, RowConflict, Table, UndoPreview, Values } from '../../lib/api/schemas.ts'
import { Code } from '../../ui/code.tsx'
import { ChangeValues, operationSigns, rowName, Value } from '../change-lines.tsx'

/** Rows that are shown of each kind: more of them are not read. */
const mostShown = 100

interface UndoPreviewViewProps {
  readonly preview: UndoPreview
  /** The application's tables, as far as they are known. */
  readonly tables: readonly Table[]
}

/** What would take changes back: the rows as they would be, those that are left and why, the SQL. */
export function UndoPreviewView({ preview, tables }: UndoPreviewViewProps) {
  const { changes, conflicts, problems, refusal, statements } = preview
  const free = freeOf(preview)
  return (
    <>
      {refusal && (
        <p role="alert" className="text-danger">
          PostgreSQL would refuse it: {refusal.message}
          {refusal.detail && <span className="block text-ink-2">{refusal.detail}</span>}
        </p>
      )}
      {free.length > 0 && (
        <Part title="Would be changed" count={free.length}>
          {free.slice(0, mostShown).map((change) => (
            <UndoneRow key={rowKey(change)} change={change} table={tableOf(change, tables)} />
          ))}
        </Part>
      )}
      {conflicts.length > 0 && (
        <Part title="Changed since, and left as they are now" count={conflicts.length}>
          {conflicts.slice(0, mostShown).map((conflict) => {
            const change = changes[conflict.index]
            return (
              change && (
                <Conflict key={conflict.index} change={change} conflict={conflict} table={tableOf(change, tables)} />
              )
            )
          })}
        </Part>
      )}
      {problems.length > 0 && (
        <Part title="Cannot be undone" count={problems.length}>
          {problems.slice(0, mostShown).map((problem) => (
            <li key={`${problem.schema}.${rowName(problem)} ${problem.reason}`}>
              <span className="mono">{rowName(problem)}</span>
              <span className="block text-ink-2">{reasons[problem.reason]}</span>
            </li>
          ))}
        </Part>
      )}
      {statements.length > 0 && (
        <details>
          <summary className="cursor-default text-ink-2">SQL</summary>
          <Code text={statements.join('\n\n')} language="sql" copyLabel="Copy the SQL" className="mt-2" />
        </details>
      )}
    </>
  )
}

/** The changes that meet no conflict. */
export const freeOf = ({ changes, conflicts }: UndoPreview): RowChange[] =>
  changes.filter((_, index) => !conflicts.some((conflict) => conflict.index === index))

const reasons: Readonly<Record<UndoPreview['problems'][number]['reason'], string>> = {
  truncated: 'The table was emptied (truncate): its rows are not recorded.',
  'table gone': 'The table is no longer there.',
  'no key': 'The table has no primary key.',
  'read only': 'Such a change of the table is not allowed here.',
  'values not known': 'Not all values before are recorded: some are secret, masked or too large.',
}

interface PartProps {
  readonly title: string
  readonly count: number
  readonly children: ReactNode
}

function Part({ title, count, children }: PartProps) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">
        {title} <span className="tabular font-normal text-ink-2">{count}</span>
      </h3>
      <ul className="grid gap-2">{children}</ul>
      {count > mostShown && <p className="text-ink-2">and {count - mostShown} more</p>}
    </section>
  )
}

const tableOf = ({ schema, table }: RowChange, tables: readonly Table[]): Table | undefined =>
  tables.find((one) => one.schema === schema && one.name === table)

/** A row that comes back is told from others by its values. */
const rowKey = (change: RowChange): string =>
  JSON.stringify([change.schema, change.table, change.kind === 'insert' ? change.values : change.key])

interface RowOfTable {
  readonly change: RowChange
  /** Absent where it is not known. */
  readonly table: Table | undefined
}

function RowTitle({ change, table }: RowOfTable) {
  const key =
    change.kind === 'insert'
      ? Object.fromEntries((table?.key ?? []).map((name) => [name, change.values[name] ?? null]))
      : change.key
  return <span className="mono min-w-0 truncate">{rowName({ table: change.table, key })}</span>
}

const words = { insert: 'comes back', update: 'goes back', delete: 'is deleted' }

function UndoneRow({ change, table }: RowOfTable) {
  const { sign, tone } = operationSigns[change.kind]
  return (
    <li className="grid gap-1">
      <span className="flex items-baseline gap-2">
        <span className={`mono whitespace-nowrap ${tone}`}>
          <span aria-hidden="true">{sign} </span>
          {words[change.kind]}
        </span>
        <RowTitle change={change} table={table} />
      </span>
      <div className="border-line border-l pl-3">
        <ChangeValues
          change={{
            operation: change.kind,
            old: change.kind === 'insert' ? null : change.old,
            new: change.kind === 'delete' ? null : change.values,
            columns: change.kind === 'update' ? Object.keys(change.values) : [],
          }}
        />
        {change.kind === 'insert' && <NotRecorded values={change.values} table={table} />}
      </div>
    </li>
  )
}

/** Columns of a row that comes back whose values are not recorded: it has their defaults. */
function NotRecorded({ values, table }: { readonly values: Values; readonly table: Table | undefined }) {
  const absent = (table?.columns ?? []).filter(({ name, generated }) => !generated && !(name in values))
  if (absent.length === 0) return null
  return (
    <p className="text-warn">
      Without <span className="mono">{absent.map(({ name }) => name).join(', ')}</span>: not recorded, so set to the
      default.
    </p>
  )
}

/** Why a row is left: what it is now, where the change left something else. */
function Conflict({ change, conflict, table }: RowOfTable & { readonly conflict: RowConflict }) {
  const { columns, current } = conflict
  return (
    <li>
      <RowTitle change={change} table={table} />
      {change.kind === 'insert' ? (
        <span className="block text-ink-2">There is a row with its key: {columns.join(', ')}.</span>
      ) : current === null ? (
        <span className="block text-ink-2">It was deleted since.</span>
      ) : (
        columns.map((column) => (
          <span key={column} className="mono wrap-anywhere block">
            <span className="text-ink-2">{column}</span> <Value value={current[column]} />
            <span className="text-ink-2"> now, was </span>
            <Value value={change.old[column]} />
          </span>
        ))
      )}
    </li>
  )
}
