import { Link } from '@tanstack/react-router'
import type { ServerLogEntry } from '../../../lib/api/schemas.ts'
import type { GrowingList } from '../../../lib/lists/growing-list.ts'
import { ServerLogList } from '../../../thread/spans/server-log-list.tsx'
import { Chip } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { Empty, NoMatch } from '../../../ui/empty.tsx'
import { Filter, Select } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { leastLevels, type ServerLogsSearch } from './search.ts'

interface LogsViewProps {
  /** Absent while it is on its way. */
  readonly list: GrowingList<ServerLogEntry> | undefined
  /** The names of the services that logged. */
  readonly services: readonly string[]
  readonly search: ServerLogsSearch
  readonly onSearch: (search: ServerLogsSearch) => void
  readonly onMore: () => void
}

type LevelChoice = keyof typeof leastLevels | 'all'

const levelOptions = [
  { value: 'all', label: 'All levels' },
  ...Object.entries(leastLevels).map(([value, label]) => ({ value: value as LevelChoice, label })),
] satisfies readonly { readonly value: LevelChoice; readonly label: string }[]

const variables = `export OTEL_EXPORTER_OTLP_ENDPOINT=<the address of this instance>
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="apikey=<the secret key>"`

/** What servers logged, by service, level and text; a record leads to its request or session, where it has one. */
export function LogsView({ list, services, search, onSearch, onMore }: LogsViewProps) {
  const { level, service, q, live } = search
  const isFiltered = level !== undefined || service !== undefined || q !== undefined
  const set = (name: keyof ServerLogsSearch, value: string | undefined) => {
    const { [name]: _before, ...rest } = search
    onSearch(value === undefined || value === '' ? rest : { ...rest, [name]: value })
  }
  const named = service === undefined || services.includes(service) ? services : [service, ...services]
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by text or trace id"
          value={q ?? ''}
          onChange={(text) => set('q', text)}
          className="min-w-40 max-sheet:basis-full"
        />
        <Select
          label="Level"
          value={level ?? 'all'}
          options={levelOptions}
          onChange={(chosen) => set('level', chosen === 'all' ? undefined : chosen)}
        />
        <Select
          label="Service"
          value={service ?? ''}
          options={[{ value: '', label: 'All services' }, ...named.map((name) => ({ value: name, label: name }))]}
          onChange={(chosen) => set('service', chosen)}
          className="max-w-48"
        />
        <Chip on={live !== 'off'} onToggle={(on) => set('live', on ? undefined : 'off')}>
          Live
        </Chip>
      </div>
      {list === undefined ? (
        <SkeletonRows />
      ) : list.items.length > 0 ? (
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-1">
          <ServerLogList logs={list.items} end={(log) => <Belonging log={log} />} />
          {list.next !== null && (
            <p className="py-2">
              <Button onClick={onMore}>Older records</Button>
            </p>
          )}
        </div>
      ) : isFiltered ? (
        <NoMatch
          title="No records match this filter."
          all="Show all records"
          onAll={() => onSearch(live ? { live } : {})}
        />
      ) : (
        <Empty title="No server has sent a log yet.">
          <p>Servers that are instrumented with OpenTelemetry send theirs where these variables lead:</p>
          <Code text={variables} copyLabel="Copy the variables" />
        </Empty>
      )}
    </>
  )
}

/** Where a record leads: to the request of its trace, or to the session that it names. */
function Belonging({ log: { requestId, sessionId } }: { readonly log: ServerLogEntry }) {
  const look = 'self-start py-1 text-ink-2 hover:underline'
  if (requestId !== null)
    return (
      <Link to="/requests/$id" params={{ id: requestId }} className={look}>
        request
      </Link>
    )
  if (sessionId === null) return null
  return (
    <Link to="/sessions/$id" params={{ id: sessionId }} className={look}>
      session
    </Link>
  )
}
