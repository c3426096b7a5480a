import type { HeatmapRange } from './search.ts'

/** The ranges of time, as a choice shows them. */
export const rangeOptions: readonly { readonly value: HeatmapRange; readonly label: string }[] = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]
