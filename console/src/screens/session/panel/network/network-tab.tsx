import { useMemo } from 'react'
import type { Moment, RequestMoment } from '../../../../lib/api/schemas.ts'
import type { NetworkEntry } from '../../../../player/page-log.ts'
import type { Playback } from '../../../../player/playback.ts'
import { statusTone, toneText } from '../../../../ui/badge.tsx'
import { formatDuration } from '../../../../ui/time-text.ts'
import { CountedChips, countBy, FilterBar, holds, noMatch } from '../filter-bar.tsx'
import { MomentRows } from '../moment-rows.tsx'
import {
  type NetworkKind,
  type NetworkRow,
  networkKinds,
  networkRows,
  placeBars,
  type StatusClass,
  statusClasses,
  statusClassOf,
} from './network-rows.ts'
import { describeParts, Waterfall } from './waterfall.tsx'

/** What the network is narrowed to; none of a list: all. */
export interface NetworkFilter {
  readonly kinds: readonly NetworkKind[]
  readonly statuses: readonly StatusClass[]
}

interface NetworkTabProps {
  readonly moments: readonly Moment[]
  /** What the browser timed. */
  readonly entries: readonly NetworkEntry[]
  readonly playback: Playback
  /** The text that the lines shown hold. */
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly narrowed: NetworkFilter
  readonly onNarrow: (filter: Partial<NetworkFilter>) => void
  readonly onRequest: (request: RequestMoment) => void
}

const idOf = ({ id }: NetworkRow) => id
const atOf = ({ atMs }: NetworkRow) => atMs

/** The session's requests: the calls as the server saw them, and what the browser timed of them and of all others. */
export function NetworkTab(props: NetworkTabProps) {
  const { moments, entries, playback, filter, onFilter, narrowed, onNarrow, onRequest } = props
  const rows = useMemo(
    () =>
      networkRows(
        moments.flatMap(({ requests }) => requests),
        entries,
      ),
    [moments, entries],
  )
  const places = useMemo(() => placeBars(rows), [rows])
  const fitting = rows.filter(({ method, name, status, request }) =>
    holds(`${method ?? ''} ${name} ${status ?? ''} ${request?.errorCode ?? ''}`, filter),
  )
  const statusOf = (row: NetworkRow) => statusClassOf(row) ?? 'unknown'
  const shown = fitting.filter(
    (row) =>
      (narrowed.kinds.length === 0 || narrowed.kinds.includes(row.kind)) &&
      (narrowed.statuses.length === 0 || narrowed.statuses.some((one) => one === statusOf(row))),
  )
  return (
    <>
      <FilterBar label="Filter the calls" placeholder="Method, path or status" value={filter} onChange={onFilter}>
        <CountedChips
          counts={countBy(fitting, ({ kind }) => kind)}
          names={networkKinds}
          on={narrowed.kinds}
          onChange={(kinds) => onNarrow({ kinds })}
        />
        <CountedChips
          counts={countBy(fitting, statusOf)}
          names={statusClasses}
          on={narrowed.statuses}
          onChange={(statuses) => onNarrow({ statuses })}
        />
      </FilterBar>
      <MomentRows
        label="Network"
        items={shown}
        playback={playback}
        idOf={idOf}
        atOf={atOf}
        onSelect={({ request, atMs }) => (request === undefined ? playback.seek(atMs) : onRequest(request))}
        none={
          rows.length === 0
            ? 'No requests of this session were recorded. Set tracing_headers in posthog-js to tag each request with its session.'
            : noMatch
        }
        draw={(row) => <NetworkLine row={row} place={places.get(row.id) ?? { from: 0, length: 1 }} />}
      />
    </>
  )
}

interface NetworkLineProps {
  readonly row: NetworkRow
  readonly place: { readonly from: number; readonly length: number }
}

function NetworkLine({ row, place }: NetworkLineProps) {
  const { method, name, url, status, durationMs, parts, request } = row
  return (
    <span className="mono grid min-w-0 gap-1 pb-0.5">
      <span className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)_auto_60px] gap-2">
        <b className="font-medium">{method ?? '–'}</b>
        <span className={request === undefined ? 'truncate text-ink-2' : 'truncate'} title={url}>
          {name}
        </span>
        <span className={status === null ? 'text-ink-2' : toneText[statusTone(status)]}>{status ?? '–'}</span>
        <span className="tabular text-right text-ink-2">{formatDuration(durationMs)}</span>
      </span>
      <Waterfall place={place} parts={parts} />
      <span className="sr-only">{describeParts(parts)}</span>
    </span>
  )
}
