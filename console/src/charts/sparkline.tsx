interface SparklineProps {
  /** Oldest first. */
  readonly parts: readonly { readonly calls: number; readonly errors: number }[]
  readonly label: string
}

const heightPx = 20
const stepPx = 2

/** What came over a time as small bars, the failed in their colour; the numbers beside it say the rest. */
export function Sparkline({ parts, label }: SparklineProps) {
  const top = Math.max(1, ...parts.map(({ calls }) => calls))
  const width = parts.length * stepPx
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={heightPx}
      viewBox={`0 0 ${width} ${heightPx}`}
      className="shrink-0"
    >
      {parts.map(({ calls, errors }, index) => {
        const all = calls === 0 ? 0 : Math.max(1, (calls / top) * heightPx)
        const bad = (Math.min(errors, calls) / top) * heightPx
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          <g key={index}>
            <rect
              x={index * stepPx}
              y={heightPx - all}
              width={stepPx - 0.5}
              height={all - bad}
              className="fill-series-1 opacity-75"
            />
            <rect x={index * stepPx} y={heightPx - bad} width={stepPx - 0.5} height={bad} className="fill-danger" />
          </g>
        )
      })}
      <line x1={0} x2={width} y1={heightPx - 0.5} y2={heightPx - 0.5} className="stroke-line" strokeWidth={1} />
    </svg>
  )
}
