import type { ReactNode } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { RequestHistogram } from '../../charts/request-histogram.tsx'
import type { RequestSeries } from '../../lib/api/schemas.ts'
import { classes } from '../../ui/classes.ts'
import { Count, Duration } from '../../ui/time.tsx'

interface RequestNumbersProps {
  /** Absent while it is on its way. */
  readonly series: RequestSeries | undefined
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  readonly onRange: (from: string, to: string) => void
}

/** What the requests of a filter come to: their number, errors and durations, and how they lie in the time. */
export function RequestNumbers({ series, look, onLook, onRange }: RequestNumbersProps) {
  return (
    <section
      aria-label="Requests over time"
      className="grid shrink-0 grid-cols-[auto_minmax(0,1fr)] gap-x-6 border-line border-b px-4 py-2.5 max-wide:grid-cols-[minmax(0,1fr)]"
    >
      <dl className="grid grid-cols-[repeat(2,104px)] content-start gap-y-1 max-wide:grid-cols-4">
        <Figure name="Requests">{series && <Count value={series.requests} />}</Figure>
        <Figure name="Errors" bad={series !== undefined && series.errors > 0}>
          {series && <ErrorShare series={series} />}
        </Figure>
        <Figure name="p50">{series && <Milliseconds value={series.p50Ms} />}</Figure>
        <Figure name="p95">{series && <Milliseconds value={series.p95Ms} />}</Figure>
      </dl>
      <div className="grid min-w-0 content-start gap-1">
        {series === undefined ? (
          <div className="mb-7 h-[72px] animate-pulse rounded-control bg-sunken" />
        ) : (
          <RequestHistogram series={series} look={look} onLook={onLook} onRange={onRange} />
        )}
      </div>
    </section>
  )
}

interface FigureProps {
  readonly name: string
  readonly bad?: boolean
  readonly children: ReactNode
}

function Figure({ name, bad = false, children }: FigureProps) {
  return (
    <div>
      <dt className="text-ink-2 text-sm">{name}</dt>
      <dd className={classes('tabular min-h-[26px] font-medium text-xl max-narrow:text-lg', bad && 'text-danger')}>
        {children}
      </dd>
    </div>
  )
}

const shares = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })

function ErrorShare({ series: { requests, errors } }: { readonly series: RequestSeries }) {
  return (
    <span title={`${errors.toLocaleString('en-GB')} of ${requests.toLocaleString('en-GB')}`}>
      {shares.format(requests === 0 ? 0 : errors / requests)}
    </span>
  )
}

function Milliseconds({ value }: { readonly value: number | null }) {
  return value === null ? '–' : <Duration ms={value} />
}
