import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { FunctionLogEntry } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Code } from '../../ui/code.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { logsQuery } from './queries.ts'
import type { FunctionSearch } from './search.ts'

interface LogsPanelProps {
  readonly name: string
  readonly search: FunctionSearch
  readonly onSearch: (search: FunctionSearch) => void
}

const levels = ['error', 'warning', 'info', 'debug'] as const
const tones: Readonly<Record<FunctionLogEntry['level'], string>> = {
  debug: 'text-ink-2',
  info: 'text-ink',
  warning: 'text-warn',
  error: 'text-danger',
}
const kinds: Readonly<Record<FunctionLogEntry['kind'], string>> = {
  boot: 'boot',
  boot_failure: 'not started',
  exception: 'exception',
  fetch: 'call',
  log: '',
  shutdown: 'end',
}

/** A function's log as it is written, newest first, by level and text. */
export function LogsPanel({ name, search, onSearch }: LogsPanelProps) {
  const { level, q, live } = search
  const isLive = live !== 'off'
  const filter = { ...(level && { level }), ...(q && { q }) }
  const { query, loadMore } = logsQuery(useQueryClient(), name, filter, isLive)
  const { canChange } = useRights()
  const { data: list, error, refetch } = useQuery({ ...query, enabled: canChange })
  const show = (next: Omit<FunctionSearch, 'tab'>) => onSearch({ tab: 'logs', ...next })
  const kept = { ...filter, ...(live && { live }) }
  if (!canChange)
    return (
      <Empty title="The log is for owners and developers.">
        <p>It may hold the application's data. The calls with their statuses are under Overview.</p>
      </Empty>
    )
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by text or request id"
          value={q ?? ''}
          onChange={(text) => show({ ...(level && { level }), ...(live && { live }), ...(text && { q: text }) })}
          className="min-w-40 max-sheet:basis-full"
        />
        {levels.map((each) => (
          <Chip
            key={each}
            on={level === each}
            onToggle={(on) => show({ ...(q && { q }), ...(live && { live }), ...(on && { level: each }) })}
          >
            {each}
          </Chip>
        ))}
        <Chip on={isLive} onToggle={(on) => show(on ? filter : { ...kept, live: 'off' })}>
          Live
        </Chip>
      </div>
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : list === undefined ? (
        <SkeletonRows />
      ) : list.items.length > 0 ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ol aria-label="Log" className="mono grid grid-cols-[minmax(0,1fr)] py-1">
            {list.items.map((line) => (
              <LogRow key={line.id} line={line} />
            ))}
          </ol>
          {list.next !== null && (
            <p className="px-4 py-2">
              <Button onClick={() => inBackground(loadMore())}>Older lines</Button>
            </p>
          )}
        </div>
      ) : level || q ? (
        <NoMatch title="No lines match this filter." all="Show the whole log" onAll={() => show({})} />
      ) : (
        <Empty title="Nothing is logged yet.">
          <p>What the function prints appears here, with its errors and how its process came and went.</p>
          <Code text={`console.log('hello from', '${name}')`} copyLabel="Copy the code" />
        </Empty>
      )}
    </>
  )
}

function LogRow({ line: { at, kind, level, text, requestId } }: { readonly line: FunctionLogEntry }) {
  return (
    <li className="grid grid-cols-[104px_minmax(0,1fr)_auto] gap-x-3 px-4 py-0.5 hover:bg-sunken max-sheet:grid-cols-[minmax(0,1fr)_auto]">
      <Time at={at} look="clock" className="text-ink-2 max-sheet:col-span-2" />
      <span className={classes('wrap-anywhere whitespace-pre-wrap', tones[level])}>
        {kinds[kind] !== '' && <span className="text-ink-2">{kinds[kind]} </span>}
        {text}
      </span>
      {requestId !== null && (
        <Link to="/requests/$id" params={{ id: requestId }} className="self-start text-ink-2 hover:underline">
          thread
        </Link>
      )}
    </li>
  )
}
