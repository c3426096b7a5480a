import { useQuery } from '@tanstack/react-query'
import { Link2, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { errorText } from '../../lib/api/api-error.ts'
import type { SqlCatalogue, SqlQuery, SqlRun } from '../../lib/api/schemas.ts'
import { toneText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Filter } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { runsQuery, savedQuery } from './queries.ts'

type Part = 'saved' | 'history' | 'tables'

interface ShelfProps {
  readonly catalogue: SqlCatalogue | undefined
  readonly openId: string | undefined
  readonly onQuery: (query: SqlQuery) => void
  readonly onRun: (run: SqlRun) => void
  readonly onTable: (name: string) => void
  readonly onRemove: (query: SqlQuery) => void
}

/** What can be brought into the editor: the team's queries, one's own runs, the tables. */
export function Shelf({ catalogue, openId, onQuery, onRun, onTable, onRemove }: ShelfProps) {
  const [part, setPart] = useState<Part>('saved')
  return (
    <Tabs<Part>
      label="Bring into the editor"
      value={part}
      onChange={setPart}
      className="min-h-0 flex-1"
      tabs={[
        { name: 'saved', label: 'Saved', panel: <Saved openId={openId} onQuery={onQuery} onRemove={onRemove} /> },
        { name: 'history', label: 'History', panel: <History onRun={onRun} /> },
        { name: 'tables', label: 'Tables', panel: <Tables catalogue={catalogue} onTable={onTable} /> },
      ]}
    />
  )
}

const line =
  'flex w-full min-w-0 items-center gap-2 px-4 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2'

function Note({ children }: { readonly children: ReactNode }) {
  return <p className="px-4 py-3 text-ink-2">{children}</p>
}

function Saved({ openId, onQuery, onRemove }: Pick<ShelfProps, 'openId' | 'onQuery' | 'onRemove'>) {
  const { data, error } = useQuery(savedQuery)
  const toast = useToast()
  if (error && !data) return <Note>{errorText(error)}</Note>
  if (!data) return <SkeletonRows rows={6} />
  if (data.length === 0) return <Note>No saved queries yet. Save one, and the team finds it here.</Note>
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto py-1">
      {data.map((query) => (
        <li key={query.id} className={classes('group flex items-center pr-2', query.id === openId && 'bg-thread-wash')}>
          <button type="button" className={line} onClick={() => onQuery(query)}>
            <span className="min-w-0 flex-1 truncate">{query.name}</span>
            {query.engine === 'clickhouse' && <span className="text-ink-2 text-xs">ClickHouse</span>}
          </button>
          <Button
            look="bare"
            size="icon"
            aria-label={`Copy a link to ${query.name}`}
            onClick={() => {
              const link = `${window.location.origin}/console/sql?query=${query.id}`
              copyText(link).then(
                () => toast.add({ title: 'Link copied' }),
                (problem: Error) => toast.add({ title: problem.message }),
              )
            }}
          >
            <Link2 aria-hidden="true" className="size-3.5" />
          </Button>
          <Button look="bare" size="icon" aria-label={`Delete ${query.name}`} onClick={() => onRemove(query)}>
            <Trash2 aria-hidden="true" className="size-3.5" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

const stateTones = {
  done: 'quiet',
  pending: 'warn',
  committed: 'ok',
  'rolled back': 'quiet',
  failed: 'danger',
} as const

function History({ onRun }: Pick<ShelfProps, 'onRun'>) {
  const { data, error } = useQuery(runsQuery)
  if (error && !data) return <Note>{errorText(error)}</Note>
  if (!data) return <SkeletonRows rows={6} />
  if (data.length === 0) return <Note>Nothing was run yet. Your runs stand here, for you alone.</Note>
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto py-1">
      {data.map((run) => (
        <li key={run.id}>
          <button type="button" className={classes(line, 'flex-col items-stretch gap-0')} onClick={() => onRun(run)}>
            <span className="mono truncate">{run.text.replaceAll(/\s+/g, ' ')}</span>
            <span className="flex gap-2 text-ink-2 text-sm">
              <Time at={run.at} />
              <span className={toneText[stateTones[run.state]]}>{run.state}</span>
              {run.role !== null && <span className="mono">{run.role}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Tables({ catalogue, onTable }: Pick<ShelfProps, 'catalogue' | 'onTable'>) {
  const [filter, setFilter] = useState('')
  if (!catalogue) return <SkeletonRows rows={6} />
  const names = catalogue.tables.map(({ schema, name, columns }) => ({
    name: schema === 'public' || schema === 'clew' ? name : `${schema}.${name}`,
    columns: columns.map((column) => column.name).join(', '),
  }))
  const shown = names.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  return (
    <>
      <div className="flex h-9 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter tables" value={filter} onChange={setFilter} />
      </div>
      {shown.length === 0 && <Note>No table has such a name.</Note>}
      <ul className="min-h-0 flex-1 overflow-y-auto py-1">
        {shown.slice(0, 300).map(({ name, columns }) => (
          <li key={name}>
            <button
              type="button"
              className={classes(line, 'flex-col items-stretch gap-0')}
              title={columns}
              onClick={() => onTable(name)}
            >
              <span className="mono truncate">{name}</span>
              <span className="mono truncate text-ink-2 text-xs">{columns}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
