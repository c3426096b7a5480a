import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Copy, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Table as DataTable, RowPast, Values } from '../../lib/api/schemas.ts'
import { findObjectPlace } from '../../lib/object-place.ts'
import { Value } from '../../thread/change-lines.tsx'
import { UndoableHistory } from '../../thread/undo/undoable-history.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { readableValue } from './column-types.ts'
import { ObjectLink } from './object-link.tsx'
import { keyText } from './row-key.ts'

/** The tab of an open row. */
export type RowTab = 'values' | 'history' | 'related'

/** What can be done to a row; each absent where it may not be. */
export interface RowActions<Item> {
  readonly onEdit: ((row: Item) => void) | undefined
  readonly onDuplicate: ((row: Item) => void) | undefined
  readonly onDelete: ((row: Item) => void) | undefined
}

/** Values of masked columns. */
export interface MaskedValues {
  /** Absent until they are shown. */
  readonly values: Values | undefined
  /** Absent where the operator may not have them shown. */
  readonly onReveal: (() => void) | undefined
}

interface RowDrawerProps {
  readonly table: DataTable
  /** Nothing is open without it. */
  readonly rowKey: Values | undefined
  readonly values: Values | undefined
  readonly isGone: boolean
  /** The buckets of storage, whose objects values may name. */
  readonly buckets: ReadonlySet<string>
  readonly history: RowPast | undefined
  readonly problem: ReactNode
  /** The rows that it is tied to. */
  readonly related: ReactNode
  /** Absent where the operator may change nothing. */
  readonly actions: RowActions<void> | undefined
  readonly masked: MaskedValues
  readonly tab: RowTab
  readonly onTab: (tab: RowTab) => void
  readonly onClose: () => void
}

/** One row: its values, its history and the rows that it is tied to. */
export function RowDrawer(props: RowDrawerProps) {
  const { table, rowKey, values, isGone, buckets, history, problem, related, actions, masked, tab, onTab, onClose } =
    props
  const name = rowKey ? `${table.name} #${keyText(rowKey)}` : ''
  return (
    <Drawer
      open={rowKey !== undefined}
      onClose={onClose}
      title={<span className="mono text-base">{name}</span>}
      actions={actions && <Actions actions={actions} />}
    >
      <Tabs<RowTab>
        label="Row"
        value={tab}
        onChange={onTab}
        className="flex-1"
        tabs={[
          {
            name: 'values',
            label: 'Values',
            panel: isGone ? (
              <p className="p-4 text-ink-2">This row was deleted. Its history remains.</p>
            ) : values ? (
              <RowValues table={table} values={values} masked={masked} buckets={buckets} />
            ) : (
              <SkeletonRows rows={table.columns.length} />
            ),
          },
          {
            name: 'history',
            label: 'History',
            count: history?.entries.length,
            panel: table.history ? (
              (problem ?? (history ? <UndoableHistory past={history} /> : <SkeletonRows rows={6} />))
            ) : (
              <p className="p-4 text-ink-2">
                Changes of <span className="mono">{table.name}</span> are not recorded: only tables of the exposed
                schemas with a primary key have a history.
              </p>
            ),
          },
          { name: 'related', label: 'Related', panel: related },
        ]}
      />
    </Drawer>
  )
}

function Actions({ actions: { onEdit, onDuplicate, onDelete } }: { readonly actions: RowActions<void> }) {
  return (
    <>
      {onEdit && <Button onClick={() => onEdit()}>Edit</Button>}
      {onDuplicate && (
        <Button look="bare" size="icon" aria-label="Duplicate the row" title="Duplicate" onClick={() => onDuplicate()}>
          <Copy aria-hidden="true" className="size-3.5" />
        </Button>
      )}
      {onDelete && (
        <Button look="bare" size="icon" aria-label="Delete the row" title="Delete" onClick={() => onDelete()}>
          <Trash2 aria-hidden="true" className="size-3.5" />
        </Button>
      )}
    </>
  )
}

interface RowValuesProps extends Pick<RowDrawerProps, 'table' | 'buckets' | 'masked'> {
  readonly values: Values
}

function RowValues({ table, values, masked, buckets }: RowValuesProps) {
  const link = 'ml-2 inline-flex items-center text-ink-2 hover:text-ink hover:underline'
  return (
    <dl className="grid">
      {table.columns.map((column) => {
        const { name, type, isKey, references } = column
        const value = column.masked ? masked.values?.[name] : values[name]
        const object = findObjectPlace(column, value, buckets)
        return (
          <div
            key={name}
            className="group grid min-h-8 grid-cols-[minmax(120px,168px)_1fr_28px] items-start gap-x-3 border-line border-b py-1.5 pr-2 pl-4"
          >
            <dt className="min-w-0">
              <span className={`mono block truncate ${isKey ? 'font-medium' : ''}`}>{name}</span>
              <span className="mono block truncate text-ink-2 text-xs">{type}</span>
            </dt>
            <dd className="mono max-h-60 min-w-0 overflow-y-auto whitespace-pre-wrap break-words">
              {column.masked && value === undefined ? (
                <Masked name={name} onReveal={masked.onReveal} />
              ) : (
                <Value value={readableValue(type, value)} />
              )}
              {object && (
                <ObjectLink place={object} className={link}>
                  object
                  <ArrowUpRight aria-hidden="true" className="size-3" />
                </ObjectLink>
              )}
              {references && !object && typeof value === 'string' && (
                <Link
                  to="/data/$schema/$table"
                  params={{ schema: references.schema, table: references.table }}
                  search={{ row: JSON.stringify({ [references.column]: value }) }}
                  className={link}
                >
                  {references.table}
                  <ArrowUpRight aria-hidden="true" className="size-3" />
                </Link>
              )}
            </dd>
            <dd className="opacity-0 focus-within:opacity-100 group-hover:opacity-100">
              {typeof value === 'string' && <CopyButton text={value} label={`Copy ${name}`} />}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Masked({ name, onReveal }: { readonly name: string } & Pick<MaskedValues, 'onReveal'>) {
  return (
    <span className="flex items-center gap-2">
      <span className="text-ink-2">[masked]</span>
      {onReveal && (
        <Button
          size="small"
          aria-label={`Show ${name} and what else is masked in this row`}
          title="The audit log keeps that you looked."
          onClick={onReveal}
        >
          Show
        </Button>
      )}
    </span>
  )
}
