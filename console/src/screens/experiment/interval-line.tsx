import type { ExperimentResult } from '../../lib/api/schemas.ts'

type MetricVariant = ExperimentResult['metrics'][number]['variants'][number]

/** What all intervals of a metric lie in, so that their lines can be compared. */
export interface Scale {
  readonly low: number
  readonly high: number
}

export function scaleOf(variants: readonly MetricVariant[]): Scale {
  const ends = variants.flatMap(({ interval, estimate }) => [
    ...(interval === null ? [] : [interval.low, interval.high]),
    ...(estimate === null ? [] : [estimate]),
  ])
  const low = Math.min(...ends)
  const high = Math.max(...ends)
  // Where all are one value, as of a mean of nothing, it stands in the middle.
  const margin = (high - low) / 20 || 1
  return { low: low - margin, high: high + margin }
}

interface IntervalLineProps {
  readonly variant: MetricVariant
  readonly scale: Scale
  /** The control’s estimate: a thin line through all rows. */
  readonly mark: number | null
}

const widthPx = 200
const heightPx = 20

/** An interval as a line with its estimate as a dot; the numbers stand beside it. */
export function IntervalLine({ variant: { interval, estimate }, scale, mark }: IntervalLineProps) {
  const x = (value: number): number => ((value - scale.low) / (scale.high - scale.low)) * widthPx
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${widthPx} ${heightPx}`}
      className="block h-5 w-full max-w-[320px]"
      preserveAspectRatio="none"
    >
      {mark !== null && (
        <line
          x1={x(mark)}
          x2={x(mark)}
          y1={0}
          y2={heightPx}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {interval && (
        <line
          x1={x(interval.low)}
          x2={x(interval.high)}
          y1={heightPx / 2}
          y2={heightPx / 2}
          className="stroke-ink-2"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      )}
      {estimate !== null && (
        <line
          x1={x(estimate)}
          x2={x(estimate)}
          y1={heightPx / 2 - 5}
          y2={heightPx / 2 + 5}
          className="stroke-ink"
          strokeWidth={3}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}
