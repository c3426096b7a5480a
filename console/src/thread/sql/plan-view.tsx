import { classes } from '../../ui/classes.ts'
import { Count, Duration } from '../../ui/time.tsx'
import type { Plan, PlanStep } from './plan.ts'

const exact = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** A plan as a tree: what each step does, how many rows it gives, and its part of the time or the cost. */
export function PlanView({ plan }: { readonly plan: Plan }) {
  const { steps, isMeasured, planningMs, executionMs } = plan
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-auto" tabIndex={0}>
      <table aria-label="Plan" className="w-full min-w-[560px] border-separate border-spacing-0">
        <thead className="sticky top-0 bg-paper text-ink-2 text-sm">
          <tr>
            <Head>Step</Head>
            <Head right>Rows expected</Head>
            {isMeasured && <Head right>Rows</Head>}
            <Head right>{isMeasured ? 'Time' : 'Cost'}</Head>
            <Head>Part</Head>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <Step key={index} step={step} isMeasured={isMeasured} />
          ))}
        </tbody>
      </table>
      {isMeasured && (
        <p className="flex gap-4 px-4 py-3 text-ink-2">
          {planningMs !== null && (
            <span>
              Planned in <Duration ms={planningMs} />
            </span>
          )}
          {executionMs !== null && (
            <span>
              Run in <Duration ms={executionMs} />, and taken back
            </span>
          )}
        </p>
      )}
    </div>
  )
}

function Head({ right = false, children }: { readonly right?: boolean; readonly children: string }) {
  const align = right ? 'text-right' : 'text-left'
  return (
    <th scope="col" className={classes('h-8 border-line border-b px-2 font-medium first:pl-4 last:pr-4', align)}>
      {children}
    </th>
  )
}

function Step({ step, isMeasured }: { readonly step: PlanStep; readonly isMeasured: boolean }) {
  const { title, on, condition, depth, plannedRows, rows, own, part, isWorst } = step
  const cell = 'border-line border-b px-2 py-1.5 align-top last:pr-4'
  return (
    <tr>
      <th scope="row" className={classes(cell, 'text-left font-normal')} style={{ paddingLeft: 16 + depth * 20 }}>
        <span className={classes('font-medium', isWorst && 'text-thread')}>{title}</span>
        {on && <span className="mono text-ink-2"> {on}</span>}
        {isWorst && <span className="text-ink-2"> · takes most</span>}
        {condition && <span className="mono block break-all text-ink-2">{condition}</span>}
      </th>
      <td className={classes(cell, 'tabular text-right')}>
        <Count value={plannedRows} />
      </td>
      {isMeasured && (
        <td className={classes(cell, 'tabular text-right')}>{rows === null ? '–' : <Count value={rows} />}</td>
      )}
      <td className={classes(cell, 'tabular text-right')}>
        {isMeasured ? `${exact.format(own)} ms` : exact.format(own)}
      </td>
      <td className={cell}>
        <span aria-hidden="true" className="block h-2 w-28 rounded-small bg-sunken">
          <span
            className={classes('block h-2 rounded-small', isWorst ? 'bg-thread' : 'bg-series-1')}
            style={{ width: `${Math.round(part * 100)}%` }}
          />
        </span>
        <span className="sr-only">{Math.round(part * 100)} %</span>
      </td>
    </tr>
  )
}
