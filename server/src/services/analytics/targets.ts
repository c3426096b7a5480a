/** Where rows of a request go. A record in the spool holds the place in this list: append only. */
export const eventTargets = ['events', 'snapshots', 'identity'] as const

export type EventTarget = (typeof eventTargets)[number]
