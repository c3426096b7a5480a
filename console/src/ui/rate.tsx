interface RateProps {
  /** How many there were in the last minute. */
  readonly lastMinute: number
}

/** How many there were a second; how many in the whole minute on hover. */
export function Rate({ lastMinute }: RateProps) {
  const perSecond = lastMinute / 60
  const text =
    lastMinute === 0
      ? '0'
      : perSecond < 0.1
        ? '<0.1'
        : perSecond.toLocaleString('en-GB', { maximumFractionDigits: perSecond < 10 ? 1 : 0 })
  return (
    <span title={`${lastMinute.toLocaleString('en-GB')} in the last minute`} className="tabular whitespace-nowrap">
      {text}
      <span className="text-ink-2">/s</span>
    </span>
  )
}
