import { type ReactNode, use } from 'react'
import type { Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import { classes } from '../../../ui/classes.ts'
import { formatDuration, formatExact, formatOffset } from '../../../ui/time-text.ts'
import { isBad, isOfServer } from '../moments/moments.ts'
import { ExceptionLines } from './exception-lines.tsx'
import { FrameLines, FrameTitle } from './frame-lines.tsx'
import { Leads } from './leads.ts'
import { type OpenCallbacks, RequestLines } from './request-lines.tsx'
import { ServerLines, ServerLogTitle, SpanTitle } from './server-lines.tsx'

interface MomentItemProps extends OpenCallbacks {
  readonly moment: Moment
  readonly isCurrent: boolean
  readonly rows: boolean
  readonly api: boolean
  readonly onSelect: (moment: Moment) => void
}

/** One moment of the thread: when, what, and what it caused. */
export function MomentItem(props: MomentItemProps) {
  const { moment, isCurrent, rows, api, onSelect, onRequest, onRow } = props
  const { kind, atMs, at, requests } = moment
  const leads = use(Leads)
  const failed = kind === 'exception' || moment.level === 'error' || requests.some(isBad) || isFailedServer(moment)
  const ids = new Set(requests.map(({ id }) => id))
  const isCaused = ({ causeId }: RequestMoment): boolean => causeId !== null && ids.has(causeId)
  const changesRows = (request: RequestMoment): boolean =>
    request.changes.length > 0 || requests.some(({ causeId, changes }) => causeId === request.id && changes.length > 0)
  const shown = requests.filter((request) => !isCaused(request) && (api || changesRows(request)))
  return (
    <div
      className={classes(
        'relative grid min-h-7 grid-cols-[var(--time)_minmax(0,1fr)] gap-x-8.5 px-4 py-1',
        isCurrent && 'bg-thread-wash/70',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'absolute top-2.75 left-[calc(var(--time)+19px)] size-1.75 rounded-full border-[1.5px]',
          isCurrent
            ? 'border-thread bg-thread'
            : failed
              ? 'border-danger bg-danger'
              : kind === 'gap'
                ? 'border-line bg-line'
                : 'border-ink-3 bg-surface',
        )}
      />
      <time
        dateTime={at}
        title={formatExact(new Date(at))}
        className={classes('mono tabular text-right leading-5', isCurrent ? 'font-medium text-ink' : 'text-ink-2')}
      >
        {formatOffset(atMs, { tenths: true })}
      </time>
      <div className="min-w-0">
        {kind !== 'request' && (
          <button
            type="button"
            onClick={() => onSelect(moment)}
            aria-current={isCurrent ? 'true' : undefined}
            className={classes('block w-full truncate text-left', isCurrent && 'font-medium')}
          >
            <MomentTitle moment={moment} />
          </button>
        )}
        {isCurrent && leads && moment.error && <ExceptionLines error={moment.error} />}
        {isCurrent && isOfServer(moment) && <ServerLines moment={moment} />}
        {moment.frame && <FrameLines frame={moment.frame} whole={isCurrent} />}
        {shown.length > 0 && (
          <div
            className={classes(
              'grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5',
              kind !== 'request' && isCurrent && 'mt-1 mb-0.5 border-thread border-l-[1.5px] pl-3',
            )}
          >
            {shown.map((request) => (
              <RequestLines
                key={request.id}
                request={request}
                among={requests}
                whole={isCurrent}
                rows={rows}
                onRequest={onRequest}
                onRow={onRow}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

const isFailedServer = ({ spans, log }: Moment): boolean =>
  spans?.some(({ status }) => status === 'error') === true || log?.level === 'error' || log?.level === 'fatal'

function MomentTitle({ moment }: { readonly moment: Moment }): ReactNode {
  const { kind, label, level, atMs, untilMs } = moment
  switch (kind) {
    case 'click':
      return <>Click {label !== 'Click' && <b className="font-medium">{label}</b>}</>
    case 'input':
      return (
        <>
          Typed{' '}
          {label !== 'Input' && (
            <>
              in <b className="font-medium">{label}</b>
            </>
          )}
        </>
      )
    case 'page':
      return (
        <>
          Page <span className="mono">{label}</span>
        </>
      )
    case 'event':
      return (
        <>
          <span className="text-ink-2">Event</span> {label}
        </>
      )
    case 'console':
      return (
        <span className="mono">
          <span className={level === 'error' ? 'text-danger' : level === 'warn' ? 'text-warn' : 'text-ink-2'}>
            {level ?? 'log'}
          </span>{' '}
          {label}
        </span>
      )
    case 'exception':
      return (
        <>
          <span className="text-danger">Error</span> <span className="mono">{label}</span>
        </>
      )
    case 'gap':
      return (
        <span className="text-ink-2">
          {label || 'Nothing happened'}
          {untilMs !== null && ` for ${formatDuration(untilMs - atMs)}`}
        </span>
      )
    case 'frame':
      return <FrameTitle moment={moment} />
    case 'span':
      return <SpanTitle moment={moment} />
    case 'log':
      return <ServerLogTitle moment={moment} />
    case 'request':
      return label
    default:
      return kind satisfies never
  }
}
