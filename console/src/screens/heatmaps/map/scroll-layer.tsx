import type { Band } from '../heat-data.ts'

interface ScrollLayerProps {
  readonly bands: readonly Band[]
}

/** Bands over a page: the fewer views reached one, the darker it lies over the page. */
export function ScrollLayer({ bands }: ScrollLayerProps) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 grid"
      style={{ gridTemplateRows: `repeat(${bands.length}, 1fr)` }}
    >
      {bands.map(({ from, share, reached }) => (
        <div key={from} className="relative min-h-0 border-line border-b" title={`${reached} views`}>
          <div className="absolute inset-0 bg-series-1" style={{ opacity: 0.55 * (1 - share / 100) }} />
          <span className="tabular absolute right-1 bottom-0 rounded-small bg-paper px-1 text-sm">{share} %</span>
        </div>
      ))}
    </div>
  )
}
