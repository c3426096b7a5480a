import type { ServerSpan } from '../../lib/api/schemas.ts'
import { classes } from '../../ui/classes.ts'
import { formatDuration } from '../../ui/time-text.ts'
import { AttributeList } from './attribute-list.tsx'
import { OpeningLine } from './opening-line.tsx'

/** Services are told apart by these, in the order in which they come; the names stand beside them. */
const fills = ['bg-series-3', 'bg-series-4', 'bg-series-5', 'bg-series-6', 'bg-series-7', 'bg-series-2']

/** Steps in of one that stands deep: what is deeper stands no further in, so that its name has room. */
const deepest = 12

/** Spans below those that they stand in, each with its time beside those of the others; one opens what it tells. */
export function SpanTree({ spans }: { readonly spans: readonly ServerSpan[] }) {
  const startMs = Math.min(...spans.map(({ offsetMs }) => offsetMs))
  const lengthMs = Math.max(...spans.map(({ offsetMs, durationMs }) => offsetMs + durationMs)) - startMs
  const services = [...new Set(spans.map(({ service }) => service))].filter((service) => service !== '')
  const fillOf = (span: ServerSpan): string => {
    if (span.status === 'error') return 'bg-danger'
    if (span.kind === 'request' || span.kind === 'statement') return 'bg-series-1'
    return fills[services.indexOf(span.service) % fills.length] ?? 'bg-series-8'
  }
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)]">
      {spans.map((span) => {
        const place = lengthMs > 0 ? (span.offsetMs - startMs) / lengthMs : 0
        const length = lengthMs > 0 ? span.durationMs / lengthMs : 1
        return (
          <li key={`${span.traceId} ${span.id}`} className="border-line border-b last:border-b-0">
            <SpanLine span={span} fill={fillOf(span)} place={place} length={length} />
          </li>
        )
      })}
    </ol>
  )
}

interface SpanLineProps {
  readonly span: ServerSpan
  readonly fill: string
  /** Where its bar begins, and how long it is, as parts of the whole. */
  readonly place: number
  readonly length: number
}

function SpanLine({ span, ...bar }: SpanLineProps) {
  const attributes = Object.entries(span.attributes)
  const resource = Object.entries(span.resource)
  const tells = attributes.length + resource.length + span.events.length > 0 || span.statusMessage !== ''
  // As far in as those that open.
  if (!tells)
    return (
      <div className="pl-5">
        <SpanHead span={span} {...bar} />
      </div>
    )
  return (
    <details className="group">
      <OpeningLine>
        <SpanHead span={span} {...bar} />
      </OpeningLine>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-line border-l-[1.5px] py-1 pl-3 text-sm ml-2">
        {span.statusMessage !== '' && (
          <p className={classes('wrap-anywhere', span.status === 'error' && 'text-danger')}>{span.statusMessage}</p>
        )}
        <AttributeList attributes={span.attributes} />
        {span.events.map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may be alike, and their order never changes
          <section key={at} aria-label={event.name} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <p className="text-ink-2">
              {event.name} after {formatDuration(Math.max(0, event.offsetMs))}
            </p>
            <AttributeList attributes={event.attributes} />
          </section>
        ))}
        {resource.length > 0 && (
          <section aria-label="Resource" className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <p className="text-ink-2">{span.scope === '' ? 'Sent by' : `Made by ${span.scope}, sent by`}</p>
            <AttributeList attributes={span.resource} />
          </section>
        )}
        {span.dropped > 0 && <p className="text-ink-2">{span.dropped} attributes, events or links were left out.</p>}
      </div>
    </details>
  )
}

function SpanHead({ span: { depth, name, service, kind, durationMs, status }, fill, place, length }: SpanLineProps) {
  return (
    <span className="grid min-h-7 grid-cols-[minmax(0,1fr)_minmax(48px,22%)_3.5rem] items-center gap-x-3">
      <span className="flex min-w-0 items-baseline gap-2" style={{ paddingLeft: `${Math.min(depth, deepest) * 12}px` }}>
        <span
          title={name}
          className={classes(
            'truncate',
            kind === 'statement' && 'mono',
            kind === 'request' && 'font-medium',
            status === 'error' && 'text-danger',
          )}
        >
          {status === 'error' && <span className="sr-only">failed: </span>}
          {name}
        </span>
        {service !== '' && <span className="min-w-0 max-w-[40%] shrink-0 truncate text-ink-2 text-sm">{service}</span>}
      </span>
      <span aria-hidden="true" className="relative block h-1.5 overflow-hidden rounded-small bg-sunken">
        <span
          className={classes('absolute inset-y-0 min-w-0.75', fill)}
          style={{ left: `min(${place * 100}%, calc(100% - 3px))`, width: `${length * 100}%` }}
        />
      </span>
      <span className="tabular whitespace-nowrap text-right text-sm">{formatDuration(durationMs)}</span>
    </span>
  )
}
