import { Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import type { SqlResult } from '../../lib/api/schemas.ts'
import { renderCsv, renderJson } from '../../lib/export.ts'
import { saveFile } from '../../lib/save-file.ts'
import { readPlan } from '../../thread/sql/plan.ts'
import { PlanView } from '../../thread/sql/plan-view.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration } from '../../ui/time.tsx'
import { chartOf } from './chart-data.ts'
import { FailureView } from './failure-view.tsx'
import { ResultGrid } from './result-grid.tsx'
import type { Ran } from './use-runs.ts'

// Charts are drawn by a library of their own, which nothing else on the screen needs.
const XyChart = lazy(async () => ({ default: (await import('../../charts/xy-chart.tsx')).XyChart }))

type Look = 'rows' | 'lines' | 'bars'

const looks: readonly { readonly value: Look; readonly label: string }[] = [
  { value: 'rows', label: 'Rows' },
  { value: 'lines', label: 'Line chart' },
  { value: 'bars', label: 'Bar chart' },
]

/** What the statements of a run answered, one of them at a time. */
export function ResultsView({ ran }: { readonly ran: Ran }) {
  const { answer } = ran
  const { results, failure } = answer
  const last = failure === null ? results.length - 1 : results.length
  const [chosen, setChosen] = useState(String(last))
  const options = [
    ...results.map((result, index) => ({ value: String(index), label: `${index + 1} · ${summaryOf(result)}` })),
    ...(failure === null ? [] : [{ value: String(results.length), label: `${results.length + 1} · failed` }]),
  ]
  const result = results[Number(chosen)]
  return (
    <section aria-label="Results" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {options.length > 1 && (
        <div className="flex h-10 shrink-0 items-center gap-2 border-line border-b px-4">
          <Select label="Statement" value={chosen} options={options} onChange={setChosen} className="max-w-full" />
        </div>
      )}
      {result === undefined ? (
        failure && <FailureView failure={failure} />
      ) : (
        <Result key={chosen} result={result} mode={ran.mode} />
      )}
    </section>
  )
}

function Result({ result, mode }: { readonly result: SqlResult; readonly mode: Ran['mode'] }) {
  const [look, setLook] = useState<Look>('rows')
  const [chartLook, setChartLook] = useState<ChartLook>('chart')
  const plan = mode === 'run' ? null : readPlan(result.rows[0]?.[0] ?? '')
  const chart = mode === 'run' ? chartOf(result) : null
  if (plan !== null) return <PlanView plan={plan} />
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
        <span role="status">{summaryOf(result)}</span>
        <span className="text-ink-2">
          <Duration ms={result.durationMs} />
        </span>
        {result.more && <span className="text-ink-2">The first rows only: there are more.</span>}
        {result.columns !== null && (
          <div className="ml-auto flex items-center gap-1.5">
            {chart !== null && <Select label="Show as" value={look} options={looks} onChange={setLook} />}
            <ExportMenu result={result} />
          </div>
        )}
      </div>
      {result.notices.length > 0 && (
        <pre className="mono max-h-32 shrink-0 overflow-auto whitespace-pre-wrap border-line border-b px-4 py-2 text-ink-2">
          {result.notices.join('\n')}
        </pre>
      )}
      {chart !== null && look !== 'rows' ? (
        <Suspense fallback={<SkeletonRows />}>
          <XyChart
            title={`${chart.series.map(({ name }) => name).join(', ')} along ${chart.along}`}
            data={chart}
            shape={look}
            look={chartLook}
            onLook={setChartLook}
            table={
              <div className="flex min-h-0 flex-col">
                <ResultGrid result={result} label="Rows of the chart" />
              </div>
            }
          />
        </Suspense>
      ) : result.columns === null ? null : result.rows.length === 0 ? (
        <Empty title="No rows.">
          <p>The statement ran and found nothing. As a role with row security, policies may hide rows.</p>
        </Empty>
      ) : (
        <ResultGrid result={result} label="Rows of the result" />
      )}
    </>
  )
}

function ExportMenu({ result }: { readonly result: SqlResult }) {
  return (
    <Menu
      trigger={
        <Button look="bare" size="icon" aria-label="Copy or download" title="Copy or download">
          <Download aria-hidden="true" className="size-3.5" />
        </Button>
      }
      items={[
        { label: 'Copy as CSV', onSelect: () => void copyText(renderCsv(result)) },
        { label: 'Copy as JSON', onSelect: () => void copyText(renderJson(result)) },
        { label: 'Download CSV', onSelect: () => saveFile('result.csv', renderCsv(result), 'text/csv') },
        { label: 'Download JSON', onSelect: () => saveFile('result.json', renderJson(result), 'application/json') },
      ]}
    />
  )
}

const count = new Intl.NumberFormat('en-GB')
const rowsOf = (rows: number): string => `${count.format(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** `2 rows`, `INSERT, 3 rows`, `CREATE TABLE`. */
function summaryOf({ command, columns, rowCount, rows, more }: SqlResult): string {
  const counted =
    rowCount === null ? (columns === null ? null : `${rowsOf(rows.length)}${more ? ' of more' : ''}`) : rowsOf(rowCount)
  const isRead = command === '' || command === 'SELECT'
  return [isRead ? null : command, counted].filter(Boolean).join(', ') || 'Done'
}
