/** How many events were taken, and left out by reason, since the start. */
export interface CaptureCounts {
  accept(events: number): void
  /** Events that were left out when they were planned: before their request was answered, or after. */
  leaveOut(refused: Refused): void
  now(): { readonly accepted: number; readonly refused: Refused }
}

/** Numbers of events by their reason. */
type Refused = Readonly<Record<string, number>>

export function createCaptureCounts(): CaptureCounts {
  let accepted = 0
  const refused: Record<string, number> = {}
  return {
    accept(events) {
      accepted += events
    },
    leaveOut(more) {
      for (const [reason, count] of Object.entries(more)) refused[reason] = (refused[reason] ?? 0) + count
    },
    now: () => ({ accepted, refused: { ...refused } }),
  }
}
