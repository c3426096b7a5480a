import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { MinuteBars } from '../../charts/minute-bars.tsx'
import { ErrorProblem } from '../../frame/failure.tsx'
import { CausedList } from '../../thread/caused-list.tsx'
import { Badge, Chip } from '../../ui/badge.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count, Duration, Time } from '../../ui/time.tsx'
import { callsQuery, figureTimes, lastCallsQuery, processesQuery } from './queries.ts'
import type { FigureTime, FunctionSearch } from './search.ts'

interface OverviewPanelProps {
  readonly name: string
  readonly search: FunctionSearch
  readonly onSearch: (search: FunctionSearch) => void
}

const labels: Readonly<Record<FigureTime, string>> = { hour: 'Hour', day: 'Day', week: 'Week' }
const times = ['hour', 'day', 'week'] as const

/** What a function was called over a time, and its last calls. */
export function OverviewPanel({ name, search, onSearch }: OverviewPanelProps) {
  const time = search.time ?? 'day'
  const { data, error, refetch } = useQuery(callsQuery(name, time))
  const { data: last } = useQuery(lastCallsQuery(name))
  const [look, setLook] = useState<ChartLook>('chart')
  if (error && data === undefined) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows />
  const { calls = 0, errors = 0, p50Ms = 0, p95Ms = 0, parts = [] } = data ?? {}
  const { part, time: over } = figureTimes[time]
  return (
    <div className="grid max-w-[1080px] grid-cols-[minmax(0,1fr)] gap-6 overflow-y-auto p-4">
      <div className="flex flex-wrap items-center gap-1.5">
        {times.map((each) => (
          <Chip key={each} on={each === time} onToggle={() => onSearch(each === 'day' ? {} : { time: each })}>
            {labels[each]}
          </Chip>
        ))}
      </div>
      <dl className="grid grid-cols-4 gap-4 max-sheet:grid-cols-2">
        <Figure name="Calls">
          <Count value={calls} />
        </Figure>
        <Figure name="Errors">
          <span className={errors > 0 ? 'text-danger' : undefined}>
            {errors === 0 ? '0' : `${errors.toLocaleString('en-GB')}, ${((errors / calls) * 100).toFixed(1)} %`}
          </span>
        </Figure>
        <Figure name="p50">{calls === 0 ? '–' : <Duration ms={p50Ms} />}</Figure>
        <Figure name="p95">{calls === 0 ? '–' : <Duration ms={p95Ms} />}</Figure>
      </dl>
      <Processes name={name} />
      {calls === 0 ? (
        <p className="text-ink-2">No calls in {over}.</p>
      ) : (
        <MinuteBars
          look={look}
          onLook={setLook}
          of={{ one: 'call', many: 'calls', part, time: over }}
          minutes={parts.map((each) => ({
            minute: each.at,
            requests: each.calls,
            errors: each.errors,
            p95Ms: each.p95Ms ?? 0,
          }))}
        />
      )}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="flex items-baseline justify-between font-semibold">
          Last calls
          <Link
            to="/requests"
            search={{ service: 'functions', q: `/functions/v1/${name}` }}
            className="font-normal text-ink-2 text-sm hover:underline"
          >
            All of them
          </Link>
        </h2>
        {last === undefined ? (
          <SkeletonRows rows={4} />
        ) : last.length === 0 ? (
          <p className="text-ink-2">None is recorded.</p>
        ) : (
          <CausedList requests={last} />
        )}
      </section>
    </div>
  )
}

/** In the unit of the limit's setting. */
const mibOf = (bytes: number): number => Math.round(bytes / 1024 ** 2)

const meterLook =
  'h-1.5 w-24 appearance-none rounded-full bg-line [&::-webkit-meter-bar]:h-1.5 [&::-webkit-meter-bar]:rounded-full ' +
  '[&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-line [&::-webkit-meter-optimum-value]:bg-info ' +
  '[&::-webkit-meter-suboptimum-value]:bg-warn [&::-moz-meter-bar]:bg-info'

/** What runs of it now: one process as a rule, another while a version takes over. */
function Processes({ name }: { readonly name: string }) {
  const { data } = useQuery(processesQuery(name))
  if (data === undefined) return null
  const { processes, memoryLimitBytes } = data
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Process</h2>
      {processes.length === 0 ? (
        <p className="text-ink-2">None runs now: the next call starts one.</p>
      ) : (
        <ul className="grid gap-1.5">
          {processes.map(({ id, startedAt, calls, memoryBytes, cpuMs, isRetired }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="flex items-center gap-2">
                <meter
                  className={meterLook}
                  aria-label={`Memory of process ${id}`}
                  max={memoryLimitBytes}
                  high={memoryLimitBytes * 0.9}
                  value={memoryBytes}
                />
                <span>
                  <span className="tabular">{mibOf(memoryBytes)}</span>{' '}
                  <span className="text-ink-2">of {mibOf(memoryLimitBytes)} MiB</span>
                </span>
              </span>
              <span>
                <Duration ms={cpuMs} /> <span className="text-ink-2">of CPU</span>
              </span>
              <span>
                <Count value={calls} /> <span className="text-ink-2">open {calls === 1 ? 'call' : 'calls'}</span>
              </span>
              <span className="text-ink-2">
                since <Time at={startedAt} />
              </span>
              {isRetired && <Badge>ends after its calls</Badge>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-ink-2 text-sm">{name}</dt>
      <dd className="tabular text-lg">{children}</dd>
    </div>
  )
}
