import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useState } from 'react'
import { errorText } from '../lib/api/api-error.ts'
import { flagsQuery, functionsQuery, tablesQuery } from '../lib/api/queries.ts'
import type { SearchHit, SearchKind } from '../lib/api/schemas.ts'
import { inBackground } from '../lib/in-background.ts'
import { showKeys } from '../lib/keyboard.ts'
import { useRights } from '../lib/rights.ts'
import type { Theme } from '../lib/theme.ts'
import { Kbd } from '../ui/kbd.tsx'
import { Time } from '../ui/time.tsx'
import { type Action, findActions } from './actions.ts'
import { FoundNames, Group, Item } from './found.tsx'
import { places } from './places.ts'
import { searchQuery } from './queries.ts'

interface SearchBoxProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onTheme: (theme: Theme) => void
  readonly onSignOut: () => void
}

/** Finds rows by key, people, requests, sessions, and all that the console has names for; and does what it is told. */
export function SearchBox({ open, ...finder }: SearchBoxProps) {
  const { onClose } = finder
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          data-modal=""
          aria-label="Search"
          className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden rounded-float bg-surface shadow-float outline-none"
        >
          <Finder {...finder} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const headings: Readonly<Record<SearchKind, string>> = {
  request: 'Requests',
  person: 'People',
  user: 'Users',
  session: 'Sessions',
  row: 'Rows',
}

function Finder({ onClose, onTheme, onSignOut }: Omit<SearchBoxProps, 'open'>) {
  const [text, setText] = useState('')
  const query = text.trim()
  const wanted = query.toLowerCase()
  const navigate = useNavigate()
  const rights = useRights()
  const { data: found, error, isFetching } = useQuery(searchQuery(query))
  const go = (leave: () => Promise<void>) => {
    onClose()
    inBackground(leave())
  }
  const run = ({ at, run: what }: Action) => {
    if (at !== undefined) go(() => navigate(at))
    else {
      onClose()
      if (what === 'sign out') onSignOut()
      else if (what !== undefined) onTheme(what)
    }
  }
  const screens = places.flatMap((group) => group.screens).filter(({ label }) => label.toLowerCase().includes(wanted))
  const actions = findActions(wanted, rights)
  return (
    <Command shouldFilter={false} loop label="Search">
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Find a row, person, request, session, table, flag, setting or action"
        className="h-11 w-full border-line border-b bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
        <Command.Empty className="px-2.5 py-6 text-center text-ink-2">
          {isFetching ? 'Searching…' : error ? errorText(error) : `No results for “${query}”.`}
        </Command.Empty>
        {query !== '' && found && <Hits groups={found.groups} onChoose={(to) => go(() => navigate(to))} />}
        {screens.length > 0 && (
          <Group heading="Screens">
            {screens.map(({ to, label, icon: Icon, key }) => (
              <Item key={to} value={`screen ${to}`} onSelect={() => go(() => navigate({ to }))}>
                <Icon aria-hidden="true" className="size-3.5 text-ink-2" /> {label}
                {key && <Kbd className="ml-auto">{showKeys(`g ${key}`)}</Kbd>}
              </Item>
            ))}
          </Group>
        )}
        {actions.length > 0 && (
          <Group heading="Actions">
            {actions.map((action) => (
              <Item key={action.label} value={`action ${action.label}`} onSelect={() => run(action)}>
                {action.label}
              </Item>
            ))}
          </Group>
        )}
        <NamedThings wanted={wanted} onChoose={(to) => go(() => navigate(to))} />
        {query !== '' && found && found.missed.length > 0 && (
          <p className="px-2.5 py-2 text-ink-2 text-sm">
            Not searched in time: {found.missed.map((kind) => headings[kind].toLowerCase()).join(', ')}.
          </p>
        )}
      </Command.List>
    </Command>
  )
}

interface HitsProps {
  readonly groups: readonly { readonly kind: SearchKind; readonly hits: readonly SearchHit[] }[]
  readonly onChoose: (to: NavigateOptions) => void
}

function Hits({ groups, onChoose }: HitsProps) {
  return groups.map(({ kind, hits }) => (
    <Group key={kind} heading={headings[kind]}>
      {hits.map((hit) => (
        <Item
          key={`${hit.id} ${hit.title}`}
          value={`${kind} ${hit.title} ${hit.id}`}
          onSelect={() => onChoose(addressOf(kind, hit))}
        >
          <HitText kind={kind} hit={hit} />
        </Item>
      ))}
    </Group>
  ))
}

interface NamedThingsProps {
  /** In lower case. */
  readonly wanted: string
  readonly onChoose: (to: NavigateOptions) => void
}

/** What the console has lists of. */
function NamedThings({ wanted, onChoose }: NamedThingsProps) {
  const { data: tables = [] } = useQuery(tablesQuery)
  const { data: functions = [] } = useQuery(functionsQuery)
  const { data: flags = [] } = useQuery({ ...flagsQuery, staleTime: 30_000 })
  return (
    <>
      <FoundNames
        heading="Tables"
        names={tables.map(({ schema, name }) => `${schema}.${name}`)}
        wanted={wanted}
        onChoose={(chosen) => {
          const table = tables.find(({ schema, name }) => `${schema}.${name}` === chosen)
          if (table) onChoose({ to: '/data/$schema/$table', params: { schema: table.schema, table: table.name } })
        }}
      />
      <FoundNames
        heading="Functions"
        names={functions.map(({ name }) => name)}
        wanted={wanted}
        onChoose={(name) => onChoose({ to: '/functions/$name', params: { name } })}
      />
      <FoundNames
        heading="Flags"
        names={flags.map(({ key }) => key)}
        wanted={wanted}
        onChoose={(key) => onChoose({ to: '/flags/$key', params: { key } })}
      />
    </>
  )
}

/** Where a found thing is. */
function addressOf(kind: SearchKind, { id, table }: SearchHit): NavigateOptions {
  switch (kind) {
    case 'request':
      return { to: '/requests/$id', params: { id } }
    case 'person':
      return { to: '/people/$id', params: { id } }
    case 'user':
      return { to: '/users/$id', params: { id } }
    case 'session':
      return { to: '/sessions/$id', params: { id } }
    case 'row': {
      const { schema = '', name = '', column = '' } = table ?? {}
      return {
        to: '/data/$schema/$table',
        params: { schema, table: name },
        search: { row: JSON.stringify({ [column]: id }) },
      }
    }
    default:
      return kind satisfies never
  }
}

function HitText({ kind, hit: { title, detail } }: { readonly kind: SearchKind; readonly hit: SearchHit }) {
  const isCode = kind === 'request' || kind === 'row'
  return (
    <>
      <span className={isCode ? 'mono truncate' : 'truncate'}>{title}</span>
      {detail !== null &&
        (kind === 'session' ? (
          <Time at={detail} className="ml-auto shrink-0 text-ink-2" />
        ) : (
          <span className={isCode ? 'mono truncate text-ink-2' : 'truncate text-ink-2'}>{detail}</span>
        ))}
    </>
  )
}
