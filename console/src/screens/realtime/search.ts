/** The parts of the screen. */
const realtimeTabs = ['channels', 'changes', 'policies'] as const

/** A part of the screen. */
export type RealtimeTab = (typeof realtimeTabs)[number]

/** All that a link to the screen says. */
export interface RealtimeSearch {
  readonly tab?: RealtimeTab
  /** What the topics of the listed channels have in them. */
  readonly q?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readRealtimeSearch({ tab, q }: Readonly<Record<string, unknown>>): RealtimeSearch {
  const known = realtimeTabs.find((name) => name === tab)
  return {
    ...(known && known !== 'channels' && { tab: known }),
    ...(typeof q === 'string' && q !== '' && { q }),
  }
}
