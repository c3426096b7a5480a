import type { VitalVisit } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { formatDuration } from '../../ui/time-text.ts'
import type { Vital } from './search.ts'

type Measure = VitalVisit['measure']
type Rating = NonNullable<Measure>['rating']

/** What each vital measures, in words. */
export const vitalNames: Readonly<Record<Vital, { readonly name: string; readonly about: string }>> = {
  LCP: { name: 'Largest contentful paint', about: 'when the largest content is seen' },
  INP: { name: 'Interaction to next paint', about: 'how long answers to clicks and keys take' },
  CLS: { name: 'Cumulative layout shift', about: 'how far contents move by themselves' },
  FCP: { name: 'First contentful paint', about: 'when the first content is seen' },
}

export const ratingTones: Readonly<Record<Rating, Tone>> = { good: 'ok', 'needs improvement': 'warn', poor: 'danger' }

/** A value as it is read: a time, or a shift without a unit. */
export const formatVital = (vital: Vital, value: number): string =>
  vital === 'CLS' ? String(Number(value.toFixed(3))) : formatDuration(value)

interface MeasuredProps {
  readonly vital: Vital
  readonly measure: Measure
  readonly className?: string
}

/** A value with its rating, in words and in colour. */
export function Measured({ vital, measure, className }: MeasuredProps) {
  if (measure === null) return <span className="text-ink-2">–</span>
  return (
    <span className={classes('tabular inline-flex items-baseline gap-1.5 whitespace-nowrap', className)}>
      {formatVital(vital, measure.value)}
      <span className="text-ink-2 text-sm">
        <Dot tone={ratingTones[measure.rating]}>{measure.rating}</Dot>
      </span>
    </span>
  )
}
