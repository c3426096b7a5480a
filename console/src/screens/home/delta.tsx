import { Sparkline } from '../../charts/sparkline.tsx'
import type { OverviewDay } from '../../lib/api/schemas.ts'

interface DeltaProps {
  readonly day: OverviewDay
  readonly of: keyof OverviewDay['hours'][number]
  /** What is counted now. */
  readonly now: number
  /** What was counted at this time of yesterday; that hour's number where it is not given. */
  readonly before?: number
}

const percents = new Intl.NumberFormat('en-GB', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})

/** What a number was at this time of yesterday, and how the day between went. */
export function Delta({ day: { hours }, of, now, before = hours[0]?.[of] ?? 0 }: DeltaProps) {
  const parts = hours
    .slice(1)
    .map((hour) => (of === 'errors' ? { calls: hour.errors, errors: hour.errors } : { calls: hour[of], errors: 0 }))
  return (
    <span className="flex items-end justify-between gap-2 font-normal text-ink-2 text-sm">
      <span className="tabular min-w-0 truncate" title={`${before.toLocaleString('en-GB')} at this time of yesterday`}>
        {changeText(now, before)}
      </span>
      <Sparkline parts={parts} label={`By the hour, the last 24: ${parts.map(({ calls }) => calls).join(', ')}`} />
    </span>
  )
}

/** How a number differs from yesterday's, in words. */
export function changeText(now: number, before: number): string {
  if (now === before) return 'as yesterday'
  if (before === 0) return 'none yesterday'
  if (now / before >= 10) return `${Math.round(now / before)}× yesterday`
  return `${percents.format((now - before) / before)} since yesterday`
}
