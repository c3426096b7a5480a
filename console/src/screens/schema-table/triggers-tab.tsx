import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SchemaChange, SchemaTable, SchemaTrigger } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { functionsQuery } from '../../schema/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Tick } from '../../ui/tick.tsx'
import { DropDrawer } from './drop-drawer.tsx'
import { Panel } from './panel.tsx'

interface TriggersTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

/** The triggers of a table. */
export function TriggersTab({ table, canChange }: TriggersTabProps) {
  const [open, setOpen] = useState<'new' | { readonly drop: string } | { readonly toggle: SchemaTrigger }>()
  const close = () => setOpen(undefined)
  const on = { schema: table.schema, table: table.name }
  const columns: readonly TableColumn<SchemaTrigger>[] = [
    { id: 'name', title: 'Trigger', width: 200, cell: ({ name }) => <span className="mono">{name}</span> },
    {
      id: 'definition',
      title: 'When',
      from: 'sheet',
      cell: ({ definition }) => (
        <span className="mono text-ink-2" title={definition}>
          {definition
            .replace(/^CREATE (CONSTRAINT )?TRIGGER ("[^"]*"|\S+) /, '')
            .replace(/ EXECUTE .*$/, '')
            .toLowerCase()}
        </span>
      ),
    },
    {
      id: 'function',
      title: 'Calls',
      width: 200,
      from: 'narrow',
      cell: (one) => <span className="mono">{one.function}</span>,
    },
    {
      id: 'state',
      title: <span className="sr-only">Actions</span>,
      width: 152,
      align: 'right',
      cell: (trigger) =>
        canChange ? (
          <span className="inline-flex gap-1">
            <Button size="small" onClick={() => setOpen({ toggle: trigger })}>
              {trigger.enabled ? 'Disable' : 'Enable'}
            </Button>
            <Button size="small" aria-label={`Drop ${trigger.name}`} onClick={() => setOpen({ drop: trigger.name })}>
              Drop
            </Button>
          </span>
        ) : trigger.enabled ? null : (
          <span className="text-warn">disabled</span>
        ),
    },
  ]
  return (
    <Panel
      about="A trigger calls a function when rows are written."
      {...(canChange && { action: 'New trigger', onAction: () => setOpen('new') })}
    >
      {table.triggers.length === 0 ? (
        <Empty title="No triggers." />
      ) : (
        <Table label="Triggers" columns={columns} rows={table.triggers} rowKey={({ name }) => name} />
      )}
      {open === 'new' && <NewTriggerDrawer table={table} onClose={close} />}
      {typeof open === 'object' && 'drop' in open && (
        <DropDrawer
          name={open.drop}
          change={{ kind: 'drop trigger', ...on, name: open.drop }}
          about="Its function stays, and is no longer called."
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'toggle' in open && (
        <ChangeDrawer
          title={`${open.toggle.enabled ? 'Disable' : 'Enable'} ${open.toggle.name}`}
          action={open.toggle.enabled ? 'Disable' : 'Enable'}
          changes={[{ kind: 'enable trigger', ...on, name: open.toggle.name, enabled: !open.toggle.enabled }]}
          onClose={close}
        />
      )}
    </Panel>
  )
}

type NewTrigger = Extract<SchemaChange, { readonly kind: 'create trigger' }>

const timings = ['before', 'after', 'instead of'] as const
const events = ['insert', 'update', 'delete', 'truncate'] as const

function NewTriggerDrawer({ table, onClose }: { readonly table: SchemaTable; readonly onClose: () => void }) {
  const { data: functions } = useQuery(functionsQuery)
  const callable = (functions ?? []).filter(({ returns }) => returns === 'trigger')
  const [name, setName] = useState('')
  const [timing, setTiming] = useState<NewTrigger['timing']>('before')
  const [chosen, setChosen] = useState<NewTrigger['events']>(['insert'])
  const [forEach, setForEach] = useState<NewTrigger['forEach']>('row')
  const [when, setWhen] = useState('')
  const [id, setId] = useState<string>()
  const called = callable.find((one) => one.id === id) ?? callable[0]
  const isComplete = name !== '' && chosen.length > 0 && called !== undefined
  const change: readonly SchemaChange[] = isComplete
    ? [
        {
          kind: 'create trigger',
          schema: table.schema,
          table: table.name,
          name,
          timing,
          forEach,
          events: chosen,
          when: when === '' ? null : when,
          function: { schema: called.schema, name: called.name },
        },
      ]
    : []
  return (
    <ChangeDrawer title={`New trigger on ${table.name}`} action="Create" changes={change} onClose={onClose}>
      {functions && callable.length === 0 && (
        <p className="text-warn">There is no function that returns trigger yet: make one first, under Functions.</p>
      )}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 max-narrow:grid-cols-1">
        <Field
          label="Name"
          value={name}
          required
          maxLength={63}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <Choice
          label="Calls"
          value={called?.id ?? ''}
          options={callable.map((one) => ({ value: one.id, label: `${one.schema}.${one.name}` }))}
          onChange={setId}
        />
        <Choice label="When" value={timing} options={timings} onChange={setTiming} />
        <Choice label="For each" value={forEach} options={['row', 'statement']} onChange={setForEach} />
      </div>
      <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
        <legend className="mb-1 font-medium text-ink-2 text-sm">Of</legend>
        {events.map((event) => (
          <Tick
            key={event}
            label={event}
            on={chosen.includes(event)}
            onToggle={(on) => setChosen(events.filter((one) => (one === event ? on : chosen.includes(one))))}
          />
        ))}
      </fieldset>
      <Field
        label="Only where (a condition)"
        value={when}
        placeholder="old.status is distinct from new.status"
        autoComplete="off"
        onChange={({ target }) => setWhen(target.value)}
      />
    </ChangeDrawer>
  )
}
