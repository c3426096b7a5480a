import type { RequestDetail } from '../../lib/api/schemas.ts'
import { classes } from '../../ui/classes.ts'
import { formatDuration } from '../../ui/time-text.ts'
import { type Phase, phasesOf, sumOf } from './phases.ts'

const looks: Readonly<Record<Phase['kind'], { readonly label: string; readonly fill: string }>> = {
  before: { label: 'Before SQL', fill: 'bg-series-8 opacity-45' },
  sql: { label: 'SQL', fill: 'bg-series-1' },
  between: { label: 'Between statements', fill: 'bg-series-8 opacity-25' },
  after: { label: 'After SQL', fill: 'bg-series-8 opacity-45' },
}
const kinds = ['before', 'sql', 'between', 'after'] as const

/** How a request's time was spent, as one bar with its numbers below. */
export function PhasesBar({ detail: { request, statements } }: { readonly detail: RequestDetail }) {
  const phases = phasesOf(request, statements)
  const labelOf = (kind: Phase['kind']) =>
    kind === 'before' && statements.length === 0 ? 'Without SQL' : looks[kind].label
  return (
    <section aria-label="Phases" className="grid gap-1.5">
      <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-small bg-sunken">
        {phases.map(({ kind, fromMs, durationMs, place }) => (
          <span
            key={`${kind} ${fromMs} ${place}`}
            title={`${place === null ? labelOf(kind) : `Statement ${place + 1}`}: ${formatDuration(durationMs)}`}
            className={classes('min-w-0.5 basis-0', looks[kind].fill)}
            style={{ flexGrow: Math.max(durationMs, 0.001) }}
          />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
        {kinds
          .filter((kind) => sumOf(phases, kind) > 0)
          .map((kind) => (
            <div key={kind} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={classes('size-2 rounded-full', looks[kind].fill)} />
              <dt className="text-ink-2">{labelOf(kind)}</dt>
              <dd className="tabular">{formatDuration(sumOf(phases, kind))}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
