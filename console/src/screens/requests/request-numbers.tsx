import type { ReactNode } from 'react'
import { chartClasses, countOf, formatPartTime } from '../../charts/request-classes.ts'
import { RequestHistogram } from '../../charts/request-histogram.tsx'
import type { RequestSeries } from '../../lib/api/schemas.ts'
import { renderCsv } from '../../lib/export.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Count, Duration } from '../../ui/time.tsx'

interface RequestNumbersProps {
  /** Absent while it is on its way. */
  readonly series: RequestSeries | undefined
  readonly look: 'chart' | 'table'
  readonly onLook: (look: 'chart' | 'table') => void
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
          <div className="h-[72px] animate-pulse rounded-control bg-sunken" />
        ) : look === 'table' ? (
          <PartsTable series={series} onRange={onRange} />
        ) : (
          <RequestHistogram series={series} onRange={onRange} />
        )}
        <Foot series={series} look={look} onLook={onLook} />
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

function Foot({ series, look, onLook }: Omit<RequestNumbersProps, 'onRange'>) {
  return (
    <div className="flex min-h-6 items-center gap-2 text-ink-2 text-xs">
      {series && look === 'chart' && (
        <span className="tabular">{formatPartTime(series.parts[0]?.at ?? series.from, series.partMs)}</span>
      )}
      {series?.isCut && <span>Older requests of this time are too many to count.</span>}
      <span className="ml-auto" />
      <Chip on={look === 'table'} onToggle={(on) => onLook(on ? 'table' : 'chart')}>
        Table
      </Chip>
      <Button
        size="small"
        disabled={series === undefined}
        onClick={() => series && saveFile('requests-over-time.csv', csvOf(series), 'text/csv')}
      >
        CSV
      </Button>
      {series && look === 'chart' && <span className="tabular">{formatPartTime(series.to, series.partMs)}</span>}
    </div>
  )
}

const csvOf = ({ parts }: RequestSeries): string =>
  renderCsv({
    columns: ['begins', ...chartClasses.map(({ label }) => label), 'p95_ms'].map((name) => ({ name, type: 'text' })),
    rows: parts.map((part) => [part.at, ...chartClasses.map(({ name }) => String(part[name])), String(part.p95Ms)]),
  })

type PartsTableProps = Pick<RequestNumbersProps, 'onRange'> & { readonly series: RequestSeries }

function PartsTable({ series: { parts, partMs }, onRange }: PartsTableProps) {
  const filled = parts.filter((part) => countOf(part) > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="h-[132px] overflow-y-auto" tabIndex={0} aria-label="Requests over time as a table">
      <table aria-label="Requests by time" className="tabular w-full text-sm">
        <thead className="sticky top-0 bg-paper text-ink-2">
          <tr className="text-right">
            <th scope="col" className="text-left font-medium">
              Time
            </th>
            {[...chartClasses.map(({ label }) => label), 'p95'].map((title) => (
              <th key={title} scope="col" className="font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.toReversed().map((part) => (
            <tr key={part.at} className="border-line border-t text-right">
              <th scope="row" className="text-left font-normal">
                <button
                  type="button"
                  title="Only this time"
                  className="hover:underline"
                  onClick={() => onRange(part.at, new Date(Date.parse(part.at) + partMs).toISOString())}
                >
                  {formatPartTime(part.at, partMs)}
                </button>
              </th>
              {chartClasses.map(({ name, text }) => (
                <td key={name} className={part[name] > 0 ? text : 'text-ink-2'}>
                  {part[name]}
                </td>
              ))}
              <td>
                <Duration ms={part.p95Ms} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {filled.length === 0 && <p className="py-2 text-ink-2">No requests in this time.</p>}
    </section>
  )
}
