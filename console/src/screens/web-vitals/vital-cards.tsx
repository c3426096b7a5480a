import type { VitalSummary } from '../../lib/api/schemas.ts'
import { toneText } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { Count } from '../../ui/time.tsx'
import type { Percentile, Vital } from './search.ts'
import { formatVital, ratingTones, vitalNames } from './vital-text.tsx'

interface VitalCardsProps {
  readonly vitals: readonly VitalSummary[]
  readonly percentile: Percentile
  /** Whose course is shown. */
  readonly chosen: Vital
  readonly onChoose: (vital: Vital) => void
}

/** Each vital as a number with its rating and the parts of its views; a press shows its course. */
export function VitalCards({ vitals, percentile, chosen, onChoose }: VitalCardsProps) {
  return (
    <ul
      aria-label="Web vitals"
      className="grid shrink-0 grid-cols-4 gap-px border-line border-b bg-line max-wide:grid-cols-2 max-narrow:grid-cols-1"
    >
      {vitals.map((summary) => (
        <li key={summary.vital} className="grid min-w-0 bg-paper">
          <VitalCard
            summary={summary}
            percentile={percentile}
            isChosen={summary.vital === chosen}
            onChoose={() => onChoose(summary.vital)}
          />
        </li>
      ))}
    </ul>
  )
}

interface VitalCardProps {
  readonly summary: VitalSummary
  readonly percentile: Percentile
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function VitalCard({ summary, percentile, isChosen, onChoose }: VitalCardProps) {
  const { vital, views, leftOut, percentiles } = summary
  const measure = percentiles[percentile]
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={`${vital}: ${vitalNames[vital].about}`}
      onClick={onChoose}
      className={classes(
        'grid content-start gap-1.5 px-4 py-3 text-left focus-visible:-outline-offset-2',
        isChosen ? 'bg-sunken' : 'hover:bg-sunken',
      )}
    >
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className="font-medium">{vital}</span>
        <span className="truncate text-ink-2 text-sm">{vitalNames[vital].name}</span>
      </span>
      <span className="flex min-h-[30px] flex-wrap items-baseline gap-x-2">
        <span className="tabular font-medium text-xl">
          {measure === null ? '–' : formatVital(vital, measure.value)}
        </span>
        {measure !== null && <span className={toneText[ratingTones[measure.rating]]}>{measure.rating}</span>}
      </span>
      <RatingBar summary={summary} />
      <span className="text-ink-2 text-sm">
        <Count value={views} /> {views === 1 ? 'view' : 'views'}
        {leftOut > 0 && (
          <>
            , <Count value={leftOut} /> left out: no number, or one that cannot be
          </>
        )}
      </span>
    </button>
  )
}

const parts = [
  { name: 'good', words: 'good', fill: 'bg-ok' },
  { name: 'needsImprovement', words: 'need improvement', fill: 'bg-warn' },
  { name: 'poor', words: 'poor', fill: 'bg-danger' },
] as const

const shares = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 0 })

/** How many of the views are good, need improvement and are poor. */
function RatingBar({ summary }: { readonly summary: VitalSummary }) {
  const { views } = summary
  if (views === 0) return <span className="text-ink-2 text-sm">Not measured</span>
  return (
    <span className="grid gap-1">
      <span aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-small">
        {parts.map(({ name, fill }) => (
          <span key={name} className={fill} style={{ width: `${(summary[name] / views) * 100}%` }} />
        ))}
      </span>
      <span className="tabular flex flex-wrap gap-x-2.5 text-ink-2 text-sm">
        {parts.map(({ name, words }) => (
          <span key={name}>
            {shares.format(summary[name] / views)} {words}
          </span>
        ))}
      </span>
    </span>
  )
}
