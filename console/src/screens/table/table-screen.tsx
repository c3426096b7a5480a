import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { bucketNamesQuery, instanceQuery } from '../../lib/api/queries.ts'
import type { Column, Row, Table } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { useSavedToast } from '../../thread/undo/use-undo.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Count } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ColumnsButton } from './columns/columns-button.tsx'
import { ColumnsDialog } from './columns/columns-dialog.tsx'
import { type ColumnLayout, shownColumns } from './columns/layout.ts'
import { useLayout } from './columns/use-layout.ts'
import { type CopyFormat, rowsText } from './copy/copy-rows.ts'
import { ExportMenu } from './export-menu.tsx'
import { cellValue, type GridRow } from './grid/grid-row.ts'
import { type RowPages, useRowPages } from './grid/pages.ts'
import { ImportSheet } from './import/import-sheet.tsx'
import { OpenRow } from './open-row.tsx'
import type { RowActions } from './row-drawer.tsx'
import { readKey } from './row-key.ts'
import { RowSecurity } from './row-security.tsx'
import type { TableSearch } from './search.ts'
import { changesOf, rowIdOf, type StagedValues } from './staged/staged.ts'
import { StagedBar } from './staged/staged-bar.tsx'
import { useStaged } from './staged/use-staged.ts'
import { cellsOf, duplicateOf, type OpenForm, TableDialogs } from './table-dialogs.tsx'
import { TableView } from './table-view.tsx'
import { Toolbar } from './toolbar.tsx'
import { readCaller, type TableCaller } from './view-as/caller.ts'
import { ViewAsBanner, ViewAsMenu } from './view-as/view-as.tsx'

interface TableScreenProps {
  readonly table: Table
  readonly search: TableSearch
  readonly onSearch: (search: TableSearch) => void
}

/** A table's rows, sorted and narrowed as the address says, changed here and saved together; one of them open beside them. */
export function TableScreen({ table, search, onSearch }: TableScreenProps) {
  const { sort = [], filter = [], q = '', row, tab = 'values' } = search
  const caller = readCaller({ ...search })
  const pages = useRowPages(table, { sort, filter, search: q, caller })
  const canChange = useRights().canChange && caller === undefined
  const changes = useTableChanges(table)
  const { state, picked, setPicked, setForm, setDeleted, setChosen, set } = changes
  const key = readKey(row)
  const buckets = useBuckets()
  const layout = useLayout(table)
  const copy = useCopyRows(table, layout.layout)
  const [sheet, setSheet] = useState<'columns' | 'import'>()
  const closeSheet = () => setSheet(undefined)
  const list = renderList(search)
  const change = (next: TableSearch) => onSearch(renderList({ ...search, ...next }))
  const open = (opened: GridRow) =>
    opened.row === undefined
      ? setForm({ kind: 'insert', id: opened.id, values: cellsOf(table, opened) })
      : onSearch({ ...list, row: rowIdOf(opened.row), ...(tab === 'values' ? {} : { tab }) })
  return (
    <Page
      crumbs={[{ label: 'Data', link: { to: '/data' } }]}
      title={<TableName table={table} />}
      facts={<Facts table={table} pages={pages} />}
      actions={
        canChange && (
          <Toolbar
            table={table}
            picked={[...picked.values()]}
            onInsert={(values) => setForm({ kind: 'insert', values })}
            onDelete={setDeleted}
            onCopy={(format) => copy(format, [...picked.values()])}
            onImport={() => setSheet('import')}
          />
        )
      }
    >
      {caller && <ViewAsBanner {...{ caller, table, filter }} onCaller={(next) => onSearch(viewedBy(list, next))} />}
      <TableView
        {...{ table, sort, filter, q, caller, layout, buckets, canChange }}
        isPending={pages.isPending}
        failure={pages.error && <ErrorProblem error={pages.error} onRetry={pages.refetch} />}
        total={pages.total}
        rowAt={pages.rowAt}
        openKey={key}
        staged={state.staged}
        problem={state.problem}
        picked={new Set(picked.keys())}
        onSort={(next) => change({ sort: next })}
        onFilter={(next, text) => change({ filter: next, q: text })}
        onColumns={() => setSheet('columns')}
        bar={
          <>
            <ViewAsMenu caller={caller} onCaller={(next) => onSearch(viewedBy(list, next))} />
            <ColumnsButton layout={layout} onOpen={() => setSheet('columns')} />
            {caller === undefined && <ExportMenu table={table} search={search} layout={layout.layout} />}
          </>
        }
        onOpen={open}
        onSet={(changed, column, value) => set(changed, { [column.name]: value })}
        onPick={(one) => one.row && setPicked(toggled(picked, one.row))}
        onChoose={(chosenRow, column) => setChosen({ row: chosenRow, column })}
        onCopy={copyCell}
        onWindow={pages.onWindow}
      />
      <StagedBar state={state} changes={changesOf(table, state.staged)} />
      <OpenRow
        {...{ table, tab, buckets, rowKey: key, known: undefined }}
        actions={canChange ? actionsOf(table, setForm, setDeleted) : undefined}
        onTab={(next) => onSearch({ ...list, ...(row ? { row } : {}), ...(next === 'values' ? {} : { tab: next }) })}
        onClose={() => onSearch(list)}
      />
      <ColumnsDialog open={sheet === 'columns'} onClose={closeSheet} table={table} state={layout} />
      <ImportSheet open={sheet === 'import'} onClose={closeSheet} table={table} />
      <OpenDialogs table={table} changes={changes} onGone={() => key && onSearch(list)} />
    </Page>
  )
}

interface OpenDialogsProps {
  readonly table: Table
  readonly changes: ReturnType<typeof useTableChanges>
  /** Called when rows are marked as deleted. */
  readonly onGone: () => void
}

function OpenDialogs({ table, changes, onGone }: OpenDialogsProps) {
  const { state, form, deleted, chosen, setPicked, setForm, setDeleted, setChosen, set } = changes
  return (
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
          onGone()
        }
        setDeleted([])
      }}
    />
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

/** What is changed of a table and not saved, and what is open to change it. */
function useTableChanges(table: Table) {
  const say = useSavedToast()
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map())
  const [form, setForm] = useState<OpenForm>()
  const [deleted, setDeleted] = useState<readonly Row[]>([])
  const [chosen, setChosen] = useState<{ readonly row: GridRow; readonly column: Column }>()
  const state = useStaged(table, (changes) => {
    setPicked(new Map())
    say(changes.length === 1 ? 'One row saved.' : `${changes.length} rows saved.`, changes)
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

function Facts({ table, pages }: Pick<TableScreenProps, 'table'> & { readonly pages: RowPages }) {
  return (
    <>
      {!pages.isPending && <Total total={pages.total} isEstimate={pages.isEstimate} />}
      <RowSecurity table={table} />
    </>
  )
}

/** Puts rows on the clipboard with the columns that are shown. */
function useCopyRows(table: Table, layout: ColumnLayout) {
  const toast = useToast()
  return (format: CopyFormat, rows: readonly Row[]) => {
    const columns = shownColumns(table.columns, layout).map(({ column }) => column)
    inBackground(copyText(rowsText(format, table, columns, rows)))
    toast.add({ title: rows.length === 1 ? 'One row copied.' : `${rows.length} rows copied.` })
  }
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
function renderList({ sort = [], filter = [], q, as, user }: TableSearch): TableSearch {
  return {
    ...(sort.length > 0 ? { sort } : {}),
    ...(filter.length > 0 ? { filter } : {}),
    ...(q ? { q } : {}),
    ...readCaller({ as, user }),
  }
}

/** The list in another one's place. */
const viewedBy = ({ as: _as, user: _user, ...list }: TableSearch, caller: TableCaller | undefined): TableSearch => ({
  ...list,
  ...caller,
})

const none: ReadonlySet<string> = new Set()

/** The buckets of storage, for values that name objects; none where the instance serves no files. */
function useBuckets(): ReadonlySet<string> {
  const { data: instance } = useQuery(instanceQuery)
  const enabled = instance?.services.includes('storage') === true
  const { data } = useQuery({ ...bucketNamesQuery, enabled })
  return data === undefined ? none : new Set(data.names)
}
