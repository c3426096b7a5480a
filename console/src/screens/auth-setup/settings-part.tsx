import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Filter } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { SettingForm } from './setting-form.tsx'

type Setting = AuthSetup['settings'][number]

interface SettingsPartProps {
  readonly settings: readonly Setting[]
  readonly text: string
  readonly open: string | undefined
  readonly onText: (text: string) => void
  readonly onOpen: (name: string | undefined) => void
}

function Value({ setting: { value, isSecret, isSet } }: { readonly setting: Setting }) {
  if (isSecret) return <span className="text-ink-2">{isSet ? 'set, not shown' : 'not set'}</span>
  return value === null ? (
    <span className="text-ink-2">not set</span>
  ) : (
    <span className="mono" title={value}>
      {value}
    </span>
  )
}

const columns: readonly TableColumn<Setting>[] = [
  {
    id: 'name',
    title: 'Setting',
    cell: ({ name, description, waiting }) => (
      <>
        <span className="mono" title={description}>
          {name}
        </span>
        {waiting !== null && <span className="ml-2 text-info">waits for a restart</span>}
      </>
    ),
  },
  { id: 'value', title: 'Value', width: 260, from: 'narrow', cell: (setting) => <Value setting={setting} /> },
  {
    id: 'from',
    title: 'From',
    width: 240,
    from: 'wide',
    cell: ({ from }) => (from === null ? <span className="text-ink-2">default</span> : from),
  },
  {
    id: 'group',
    title: 'Part',
    width: 160,
    from: 'full',
    cell: ({ group }) => <span className="text-ink-2">{group}</span>,
  },
]

const matches = (text: string) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ name, group, description, from }: Setting): boolean => {
    const all = `${name} ${group} ${description} ${from ?? 'default'}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

/** Every setting of sign-in: its value, where it was said, and how it is changed. */
export function SettingsPart({ settings, text, open, onText, onOpen }: SettingsPartProps) {
  const shown = settings.filter(matches(text))
  const setting = settings.find(({ name }) => name === open)
  return (
    <>
      <div className="flex min-h-10 shrink-0 items-center border-line border-b px-4 py-1.5">
        <Filter label="Filter by name, part, words, or where it was said" value={text} onChange={onText} />
      </div>
      {shown.length === 0 ? (
        <Empty title="No settings match this filter.">
          <p>
            <Button onClick={() => onText('')}>Show all settings</Button>
          </p>
        </Empty>
      ) : (
        <Table
          label="Settings"
          columns={columns}
          rows={shown}
          rowKey={({ name }) => name}
          onOpen={({ name }) => onOpen(name)}
          openKey={open}
        />
      )}
      <Drawer
        open={setting !== undefined}
        onClose={() => onOpen(undefined)}
        title={<span className="mono">{setting?.name}</span>}
      >
        {setting && <OpenSetting setting={setting} />}
      </Drawer>
    </>
  )
}

function OpenSetting({ setting }: { readonly setting: Setting }) {
  const { name, description, from, line, environment, isSecret, pinned, waiting } = setting
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <p>{description}</p>
      <Facts>
        <Fact name="Value">
          <Value setting={setting} />
        </Fact>
        <Fact name="From">{from ?? 'the default'}</Fact>
        {waiting !== null && (
          <Fact name="Next start">
            <span className="mono wrap-anywhere">{waiting === 'null' ? 'the default' : waiting}</span>
          </Fact>
        )}
      </Facts>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">{pinned === null ? 'Change it' : 'Set it'}</h2>
        <p className="text-ink-2">
          {pinned ?? 'It is written into clew.toml, whose comments and order stay.'} It holds after a restart.
        </p>
        {pinned === null && <SettingForm key={name} setting={setting} />}
        {pinned !== null && !isSecret && <Code text={`[auth]\n${line}`} copyLabel="Copy the lines" />}
        <Code text={`${environment}=…`} copyLabel="Copy the variable" />
      </section>
    </div>
  )
}
