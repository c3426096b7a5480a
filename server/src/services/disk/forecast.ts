/** A kind of data on this disk, as a forecast takes it. */
export interface Growing {
  readonly bytes: number
  /** As it was lately; below zero where it shrinks. */
  readonly growthBytesPerDay: number
  /** What it never outgrows; null where nothing bounds it. */
  readonly budgetBytes: number | null
}

const dayMs = 24 * 60 * 60_000
/** Later than that says nothing. */
const mostDays = 3650

/**
 * The day on which the free space is used up if every kind goes on growing as it does, each up to its budget; null where
 * that is not within ten years. What shrinks is not counted on.
 */
export function forecastFull(kinds: readonly Growing[], freeBytes: number, now: Date): Date | null {
  for (let days = 0; days <= mostDays; days++) {
    const more = kinds.reduce((sum, kind) => sum + growthAfter(kind, days), 0)
    if (more >= freeBytes) return new Date(now.getTime() + days * dayMs)
  }
  return null
}

function growthAfter({ bytes, growthBytesPerDay, budgetBytes }: Growing, days: number): number {
  const growth = Math.max(0, growthBytesPerDay) * days
  return budgetBytes === null ? growth : Math.min(growth, Math.max(0, budgetBytes - bytes))
}
