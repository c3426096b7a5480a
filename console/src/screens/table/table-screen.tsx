import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { bucketNamesQuery, instanceQuery } from '../../lib/api/queries.ts'
import type { Column, Row, Table } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Count } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { cellValue, type GridRow } from './grid/grid-row.ts'
import { useRowPages } from './grid/pages.ts'
import { OpenRow } from './open-row.tsx'
import type { RowActions } from './row-drawer.tsx'
import { readKey } from './row-key.ts'
import type { TableSearch } from './search.ts'
import { changesOf, rowIdOf, type StagedValues } from './staged/staged.ts'
import { StagedBar } from './staged/staged-bar.tsx'
import { useStaged } from './staged/use-staged.ts'
import { useUndo } from './staged/use-undo.ts'
import { cellsOf, duplicateOf, type OpenForm, TableDialogs } from './table-dialogs.tsx'
import { TableView } from './table-view.tsx'
import { Toolbar } from './toolbar.tsx'

interface TableScreenProps {
  readonly table: Table
  readonly search: TableSearch
  readonly onSearch: (search: TableSearch) => void
}

/** A table's rows, sorted and narrowed as the address says, changed here and saved together; one of them open beside them. */
export function TableScreen({ table, search, onSearch }: TableScreenProps) {
  const { sort = [], filter = [], q = '', row, tab = 'values' } = search
  const pages = useRowPages(table, { sort, filter, search: q })
  const { canChange } = useRights()
  const { state, picked, form, deleted, chosen, setPicked, setForm, setDeleted, setChosen, set } =
    useTableChanges(table)
  const key = readKey(row)
  const buckets = useBuckets()
  const list = renderList(search)
  const open = (opened: GridRow) =>
    opened.row === undefined
      ? setForm({ kind: 'insert', id: opened.id, values: cellsOf(table, opened) })
      : onSearch({ ...list, row: rowIdOf(opened.row), ...(tab === 'history' ? { tab } : {}) })
  return (
    <Page
      crumbs={[{ label: 'Data', link: { to: '/data' } }]}
      title={<TableName table={table} />}
      facts={!pages.isPending && <Total total={pages.total} isEstimate={pages.isEstimate} />}
      actions={
        canChange && (
          <Toolbar
            table={table}
            picked={[...picked.values()]}
            onInsert={(values) => setForm({ kind: 'insert', values })}
            onDelete={setDeleted}
          />
        )
      }
    >
      <TableView
        {...{ table, sort, filter, buckets, canChange }}
        isPending={pages.isPending}
        failure={pages.error && <ErrorProblem error={pages.error} onRetry={pages.refetch} />}
        total={pages.total}
        rowAt={pages.rowAt}
        openKey={key}
        staged={state.staged}
        problem={state.problem}
        picked={new Set(picked.keys())}
        onSort={(next) => onSearch(renderList({ ...search, sort: next }))}
        onFilter={(next) => onSearch(renderList({ ...search, filter: next }))}
        onOpen={open}
        onSet={(changed, column, value) => set(changed, { [column.name]: value })}
        onPick={(one) => one.row && setPicked(toggled(picked, one.row))}
        onChoose={(chosenRow, column) => setChosen({ row: chosenRow, column })}
        onCopy={copyCell}
        onWindow={pages.onWindow}
      />
      <StagedBar state={state} changes={changesOf(table, state.staged)} />
      <OpenRow
        table={table}
        rowKey={key}
        tab={tab}
        buckets={buckets}
        known={undefined}
        actions={canChange ? actionsOf(table, setForm, setDeleted) : undefined}
        onTab={(next) => onSearch({ ...list, ...(row ? { row } : {}), ...(next === 'history' ? { tab: next } : {}) })}
        onClose={() => onSearch(list)}
      />
      <TableDialogs
        {...{ table, state, form, chosen, deleted }}
        onForm={setForm}
        onChosen={(value) => {
          if (chosen && value !== undefined) set(chosen.row, { [chosen.column.name]: value })
          setChosen(undefined)
        }}
        onDeleted={(isSure) => {
          if (isSure) {
            state.remove(deleted)
            setPicked(new Map())
            if (key) onSearch(list)
          }
          setDeleted([])
        }}
      />
    </Page>
  )
}

function TableName({ table: { schema, name } }: Pick<TableScreenProps, 'table'>) {
  return (
    <span className="mono text-base">
      <span className="font-normal text-ink-2">{schema}.</span>
      {name}
    </span>
  )
}

/** How long Undo is offered. */
const undoMs = 12_000

/** What is changed of a table and not saved, and what is open to change it. */
function useTableChanges(table: Table) {
  const toast = useToast()
  const undo = useUndo(table)
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map())
  const [form, setForm] = useState<OpenForm>()
  const [deleted, setDeleted] = useState<readonly Row[]>([])
  const [chosen, setChosen] = useState<{ readonly row: GridRow; readonly column: Column }>()
  const state = useStaged(table, (changes) => {
    setPicked(new Map())
    toast.add({
      title: changes.length === 1 ? 'One row saved.' : `${changes.length} rows saved.`,
      timeout: undoMs,
      actionProps: { children: 'Undo', onClick: () => inBackground(undo(changes)) },
    })
  })
  const set = ({ row, id }: GridRow, values: StagedValues) => {
    if (row) state.set(row, values)
    else state.insert(values, id)
  }
  return { state, picked, form, deleted, chosen, setPicked, setForm, setDeleted, setChosen, set }
}

/** Puts a cell's value on the clipboard; null and a default as an empty text. */
function copyCell(row: GridRow, column: Column): void {
  const value = cellValue(row, column.name)
  inBackground(copyText(typeof value === 'string' ? value : ''))
}

/** What can be done to the open row. */
function actionsOf(
  table: Table,
  onForm: (form: OpenForm) => void,
  onDelete: (rows: readonly Row[]) => void,
): RowActions<Row> {
  return {
    onEdit: table.updatable ? (row) => onForm({ kind: 'edit', row }) : undefined,
    onDuplicate: table.insertable
      ? ({ values }) => onForm({ kind: 'insert', values: duplicateOf(table, values) })
      : undefined,
    onDelete: table.deletable ? (row) => onDelete([row]) : undefined,
  }
}

function toggled(picked: ReadonlyMap<string, Row>, row: Row): ReadonlyMap<string, Row> {
  const next = new Map(picked)
  const id = rowIdOf(row)
  if (!next.delete(id)) next.set(id, row)
  return next
}

function Total({ total, isEstimate }: { readonly total: number; readonly isEstimate: boolean }) {
  return (
    <span title={isEstimate ? 'Estimated from PostgreSQL’s statistics' : undefined}>
      {isEstimate && 'about '}
      <Count value={total} /> {total === 1 ? 'row' : 'rows'}
    </span>
  )
}

/** The search of the list alone, with no row open. */
function renderList({ sort = [], filter = [], q }: TableSearch): TableSearch {
  return { ...(sort.length > 0 ? { sort } : {}), ...(filter.length > 0 ? { filter } : {}), ...(q ? { q } : {}) }
}

const none: ReadonlySet<string> = new Set()

/** The buckets of storage, for values that name objects; none where the instance serves no files. */
function useBuckets(): ReadonlySet<string> {
  const { data: instance } = useQuery(instanceQuery)
  const enabled = instance?.services.includes('storage') === true
  const { data } = useQuery({ ...bucketNamesQuery, enabled })
  return data === undefined ? none : new Set(data.names)
}
