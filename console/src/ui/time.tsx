import { useSyncExternalStore } from 'react'
import { classes } from './classes.ts'
import { formatClock, formatDuration, formatExact, formatRelative } from './time-text.ts'

const tickMs = 1000
const exactMs = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, tickMs)
  return () => clearInterval(timer)
}

/** The present, to the second; its readers are drawn again as it passes. */
function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, () => Math.floor(Date.now() / tickMs) * tickMs))
}

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  readonly look?: 'relative' | 'clock'
  readonly className?: string
}

/** An instant, short; the exact value on hover. */
export function Time({ at, look = 'relative', className }: TimeProps) {
  const now = useNow()
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatExact(date)} className={classes('tabular whitespace-nowrap', className)}>
      {look === 'relative' ? formatRelative(date, now) : formatClock(date, now)}
    </time>
  )
}

/** How long something took; the exact milliseconds on hover. */
export function Duration({ ms, className }: { readonly ms: number; readonly className?: string }) {
  return (
    <span title={`${exactMs.format(ms)} ms`} className={classes('tabular whitespace-nowrap', className)}>
      {formatDuration(ms)}
    </span>
  )
}

/** A count, grouped by thousands. */
export function Count({ value }: { readonly value: number }) {
  return <span className="tabular">{value.toLocaleString('en-GB')}</span>
}
