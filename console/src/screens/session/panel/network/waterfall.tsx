import { classes } from '../../../../ui/classes.ts'
import { formatDuration } from '../../../../ui/time-text.ts'
import type { BarPlace, NetworkPart } from './network-rows.ts'

const looks: Readonly<Record<NetworkPart['kind'], { readonly label: string; readonly fill: string }>> = {
  queued: { label: 'queued', fill: 'bg-series-8 opacity-45' },
  dns: { label: 'DNS', fill: 'bg-series-3' },
  connect: { label: 'connecting', fill: 'bg-series-5' },
  tls: { label: 'TLS', fill: 'bg-series-4' },
  waiting: { label: 'waiting', fill: 'bg-series-1' },
  receiving: { label: 'receiving', fill: 'bg-series-6' },
  server: { label: 'server', fill: 'bg-series-8 opacity-45' },
  sql: { label: 'SQL', fill: 'bg-series-1' },
}

interface WaterfallProps {
  readonly place: BarPlace
  readonly parts: readonly NetworkPart[]
}

/** When a request went on beside those around it, and what it spent its time on. */
export function Waterfall({ place: { from, length }, parts }: WaterfallProps) {
  return (
    <span
      aria-hidden="true"
      title={describeParts(parts)}
      className="relative block h-1.5 overflow-hidden rounded-small bg-sunken"
    >
      <span
        className="absolute inset-y-0 flex min-w-0.75"
        style={{ left: `min(${from * 100}%, calc(100% - 3px))`, width: `${length * 100}%` }}
      >
        {parts.map(({ kind, ms }, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a kind can come twice, and the order never changes
            key={at}
            className={classes('min-w-px basis-0', looks[kind].fill)}
            style={{ flexGrow: Math.max(ms, 0.001) }}
          />
        ))}
      </span>
    </span>
  )
}

/** `DNS 10 ms, waiting 50 ms`; each kind once. */
export function describeParts(parts: readonly NetworkPart[]): string {
  const sums = new Map<NetworkPart['kind'], number>()
  for (const { kind, ms } of parts) sums.set(kind, (sums.get(kind) ?? 0) + ms)
  return [...sums].map(([kind, ms]) => `${looks[kind].label} ${formatDuration(ms)}`).join(', ')
}
