import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { functionsQuery, tablesQuery } from '../lib/api/queries.ts'
import { inBackground } from '../lib/in-background.ts'
import { peopleDetail, peopleNames } from '../lib/person.ts'
import { Time } from '../ui/time.tsx'
import { places } from './places.ts'
import { foundSessionsQuery } from './queries.ts'

/** Finds any screen, table, function, person's session or request. */
export function SearchBox({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          data-modal=""
          aria-label="Search"
          className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden rounded-float bg-surface shadow-float outline-none"
        >
          <Finder onDone={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function Finder({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('')
  const query = text.trim()
  const wanted = query.toLowerCase()
  const navigate = useNavigate()
  const { data: sessions = [], isFetching } = useQuery(foundSessionsQuery(query))
  const go = (leave: () => Promise<void>) => {
    onDone()
    inBackground(leave())
  }
  const screens = places.flatMap((group) => group.screens).filter(({ label }) => label.toLowerCase().includes(wanted))
  return (
    <Command shouldFilter={false} loop label="Search">
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Find a screen, table, function, person, session or request id"
        className="h-11 w-full border-line border-b bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
        <Command.Empty className="px-2.5 py-6 text-center text-ink-2">
          {isFetching ? 'Searching…' : `No results for “${query}”.`}
        </Command.Empty>
        {requestId.test(query) && (
          <Group heading="Request">
            <Item value="request" onSelect={() => go(() => navigate({ to: '/requests/$id', params: { id: query } }))}>
              Request <span className="mono">{query}</span>
            </Item>
          </Group>
        )}
        {screens.length > 0 && (
          <Group heading="Screens">
            {screens.map(({ to, label, icon: Icon }) => (
              <Item key={to} value={`screen ${to}`} onSelect={() => go(() => navigate({ to }))}>
                <Icon aria-hidden="true" className="size-3.5 text-ink-2" /> {label}
              </Item>
            ))}
          </Group>
        )}
        <FoundTables
          wanted={wanted}
          onChoose={(schema, table) => go(() => navigate({ to: '/data/$schema/$table', params: { schema, table } }))}
        />
        <FoundFunctions
          wanted={wanted}
          onChoose={(name) => go(() => navigate({ to: '/functions/$name', params: { name } }))}
        />
        {sessions.length > 0 && (
          <Group heading="People and sessions">
            {sessions.map((session) => (
              <Item
                key={session.id}
                value={`session ${session.id}`}
                onSelect={() => go(() => navigate({ to: '/sessions/$id', params: { id: session.id } }))}
              >
                <span className="truncate">{peopleNames(session)}</span>
                <span className="truncate text-ink-2">{peopleDetail(session)}</span>
                <Time at={session.startedAt} className="ml-auto shrink-0 text-ink-2" />
              </Item>
            ))}
          </Group>
        )}
      </Command.List>
    </Command>
  )
}

interface FoundTablesProps {
  /** In lower case. */
  readonly wanted: string
  readonly onChoose: (schema: string, table: string) => void
}

function FoundTables({ wanted, onChoose }: FoundTablesProps) {
  const { data: tables = [] } = useQuery(tablesQuery)
  const found = tables.filter(({ schema, name }) => `${schema}.${name}`.toLowerCase().includes(wanted)).slice(0, 8)
  if (found.length === 0) return null
  return (
    <Group heading="Tables">
      {found.map(({ schema, name }) => (
        <Item key={`${schema}.${name}`} value={`table ${schema}.${name}`} onSelect={() => onChoose(schema, name)}>
          <span className="mono">
            <span className="text-ink-2">{schema}.</span>
            {name}
          </span>
        </Item>
      ))}
    </Group>
  )
}

interface FoundFunctionsProps {
  /** In lower case. */
  readonly wanted: string
  readonly onChoose: (name: string) => void
}

function FoundFunctions({ wanted, onChoose }: FoundFunctionsProps) {
  const { data: functions = [] } = useQuery(functionsQuery)
  const found = functions.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, 8)
  if (found.length === 0) return null
  return (
    <Group heading="Functions">
      {found.map(({ name }) => (
        <Item key={name} value={`function ${name}`} onSelect={() => onChoose(name)}>
          <span className="mono">{name}</span>
        </Item>
      ))}
    </Group>
  )
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-2 [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  readonly value: string
  readonly onSelect: () => void
  readonly children: ReactNode
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 data-[selected=true]:bg-thread-wash"
    >
      {children}
    </Command.Item>
  )
}
