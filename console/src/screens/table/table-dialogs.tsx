import { LeaveDialog } from '../../drafts/leave-dialog.tsx'
import type { Column, Row, Table, Values } from '../../lib/api/schemas.ts'
import { ReferencePicker } from './editors/reference-picker.tsx'
import { RowForm } from './editors/row-form.tsx'
import { cellValue, type GridRow, gridRowOf } from './grid/grid-row.ts'
import { ConflictDialog } from './staged/conflict-dialog.tsx'
import { DeleteDialog } from './staged/delete-dialog.tsx'
import type { StagedValues } from './staged/staged.ts'
import type { StagedState } from './staged/use-staged.ts'

/** The form of a row: of a stored one, or of a new one with values to begin with. */
export type OpenForm =
  | { readonly kind: 'edit'; readonly row: Row }
  | { readonly kind: 'insert'; readonly values: StagedValues; readonly id?: string }

interface TableDialogsProps {
  readonly table: Table
  readonly state: StagedState
  readonly form: OpenForm | undefined
  /** The cell for whose reference a row is chosen. */
  readonly chosen: { readonly row: GridRow; readonly column: Column } | undefined
  /** The rows whose deletion is asked about. */
  readonly deleted: readonly Row[]
  readonly onForm: (form: OpenForm | undefined) => void
  readonly onChosen: (value: string | undefined) => void
  readonly onDeleted: (isSure: boolean) => void
}

/** What opens over a table: a row's form, the choice of a reference, and what is asked before something is lost. */
export function TableDialogs({ table, state, form, chosen, deleted, onForm, onChosen, onDeleted }: TableDialogsProps) {
  const staged = state.staged.length
  return (
    <>
      {form && <OpenRowForm table={table} form={form} state={state} onClose={() => onForm(undefined)} />}
      <ReferencePicker column={chosen?.column} onClose={() => onChosen(undefined)} onChoose={onChosen} />
      <DeleteDialog table={table} rows={deleted} onClose={() => onDeleted(false)} onDelete={() => onDeleted(true)} />
      <ConflictDialog table={table} state={state} />
      <LeaveDialog
        isChanged={staged > 0}
        isSaving={state.isSaving}
        text={`${staged} ${staged === 1 ? 'change is' : 'changes are'} not saved.`}
      />
    </>
  )
}

interface OpenRowFormProps {
  readonly table: Table
  readonly form: OpenForm
  readonly state: StagedState
  readonly onClose: () => void
}

function OpenRowForm({ table, form, state, onClose }: OpenRowFormProps) {
  const staged = form.kind === 'edit' ? gridRowOf(form.row, state.staged) : undefined
  const id = form.kind === 'edit' ? staged?.id : form.id
  return (
    <RowForm
      table={table}
      title={form.kind === 'edit' ? `Edit ${table.name}` : `New row of ${table.name}`}
      values={staged ? cellsOf(table, staged) : form.kind === 'insert' ? form.values : {}}
      problem={state.problem && state.problem.id === id ? state.problem : undefined}
      onClose={onClose}
      onStage={(values) => {
        if (form.kind === 'edit') state.set(form.row, values)
        else state.insert(values, form.id)
        onClose()
      }}
    />
  )
}

/** The values of a row as its form begins; absent where PostgreSQL sets them. */
export function cellsOf({ columns }: Table, row: GridRow): StagedValues {
  return Object.fromEntries(
    columns.flatMap(({ name }) => {
      const value = cellValue(row, name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** A row's values for a new one: what must be its own, a key, is left to its default or to be typed. */
export const duplicateOf = ({ columns }: Table, values: Values): StagedValues =>
  Object.fromEntries(
    columns.flatMap(({ name, isKey, generated, secret }) => {
      const value = values[name]
      return isKey || generated || secret || value === undefined ? [] : [[name, value] as const]
    }),
  )
