import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Tick } from '../../ui/tick.tsx'

interface TableActionsProps {
  readonly table: SchemaTable
  readonly onRenamed: (name: string) => void
  readonly onDropped: () => void
}

/** What is done to a table as a whole. */
export function TableActions({ table, onRenamed, onDropped }: TableActionsProps) {
  const [open, setOpen] = useState<'rename' | 'comment' | 'drop'>()
  const close = () => setOpen(undefined)
  const isTable = table.kind === 'table' || table.kind === 'partitioned table'
  if (!isTable) return null
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="Actions of the table">
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          { label: 'Rename', onSelect: () => setOpen('rename') },
          { label: 'Comment', onSelect: () => setOpen('comment') },
          { label: 'Drop', danger: true, onSelect: () => setOpen('drop') },
        ]}
      />
      {open === 'rename' && <RenameTable table={table} onRenamed={onRenamed} onClose={close} />}
      {open === 'comment' && <CommentTable table={table} onClose={close} />}
      {open === 'drop' && <DropTable table={table} onDropped={onDropped} onClose={close} />}
    </>
  )
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
      <Field
        label="Name"
        value={to}
        required
        maxLength={63}
        autoFocus
        autoComplete="off"
        onChange={({ target }) => setTo(target.value)}
      />
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

function DropTable({ table, onDropped, onClose }: FormProps & Pick<TableActionsProps, 'onDropped'>) {
  const [cascade, setCascade] = useState(false)
  const { schema, name } = table
  return (
    <ChangeDrawer
      title={`Drop ${name}`}
      action="Drop"
      confirm={name}
      changes={[{ kind: 'drop table', schema, table: name, cascade }]}
      onApplied={onDropped}
      onClose={onClose}
    >
      <p>The table goes with its rows, indexes, triggers and policies.</p>
      <Tick label="Drop what depends on it along with it" on={cascade} onToggle={setCascade} />
    </ChangeDrawer>
  )
}
