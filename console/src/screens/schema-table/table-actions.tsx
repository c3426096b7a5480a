import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { SchemaChange, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { DropCascadeDrawer } from '../../schema/drop-cascade-drawer.tsx'
import { NameField } from '../../schema/name-fields.tsx'
import { EditView } from '../../schema/view-drawers.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'

interface TableActionsProps {
  readonly table: SchemaTable
  readonly onRenamed: (name: string) => void
  readonly onDropped: () => void
}

/** What is done to a table as a whole. */
export function TableActions({ table, onRenamed, onDropped }: TableActionsProps) {
  const [open, setOpen] = useState<'query' | 'rename' | 'comment' | 'drop'>()
  const close = () => setOpen(undefined)
  const isView = table.view !== null
  if (table.kind === 'foreign table') return null
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="Actions of the table">
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          ...(table.kind === 'view' ? [{ label: 'Edit the query', onSelect: () => setOpen('query') }] : []),
          { label: 'Rename', onSelect: () => setOpen('rename') },
          ...(isView ? [] : [{ label: 'Comment', onSelect: () => setOpen('comment') }]),
          { label: 'Drop', danger: true, onSelect: () => setOpen('drop') },
        ]}
      />
      {open === 'query' && <EditView view={table} onClose={close} />}
      {open === 'rename' && <RenameTable table={table} onRenamed={onRenamed} onClose={close} />}
      {open === 'comment' && <CommentTable table={table} onClose={close} />}
      {open === 'drop' && (
        <DropCascadeDrawer
          name={table.name}
          about={
            isView ? 'The tables that it reads stay.' : 'The table goes with its rows, indexes, triggers and policies.'
          }
          changeOf={(cascade) => dropOf(table, cascade)}
          onApplied={onDropped}
          onClose={close}
        />
      )}
    </>
  )
}

function dropOf({ schema, name: table, kind, view }: SchemaTable, cascade: boolean): SchemaChange {
  return view === null
    ? { kind: 'drop table', schema, table, cascade }
    : { kind: 'drop view', schema, table, materialized: kind === 'materialized view', cascade }
}

interface FormProps {
  readonly table: SchemaTable
  readonly onClose: () => void
}

function RenameTable({ table, onRenamed, onClose }: FormProps & Pick<TableActionsProps, 'onRenamed'>) {
  const [to, setTo] = useState(table.name)
  const { schema, name } = table
  const isChanged = to !== '' && to !== name
  return (
    <ChangeDrawer
      title={`Rename ${name}`}
      action="Rename"
      changes={isChanged ? [{ kind: 'rename table', schema, table: name, to }] : []}
      onApplied={() => onRenamed(to)}
      onClose={onClose}
    >
      <NameField value={to} onChange={setTo} />
    </ChangeDrawer>
  )
}

function CommentTable({ table, onClose }: FormProps) {
  const [text, setText] = useState(table.comment ?? '')
  const { schema, name } = table
  const comment = text === '' ? null : text
  return (
    <ChangeDrawer
      title={`Comment on ${name}`}
      action="Save"
      changes={comment === table.comment ? [] : [{ kind: 'comment table', schema, table: name, comment }]}
      onClose={onClose}
    >
      <Field
        label="Comment"
        value={text}
        maxLength={4_000}
        autoFocus
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
    </ChangeDrawer>
  )
}
