/** Where rows of a request go. A record in the spool holds the place in this list: append only. */
export const eventTargets = ['events', 'snapshots', 'identity', 'groups', 'exceptions', 'consent', 'bodies'] as const

export type EventTarget = (typeof eventTargets)[number]

/** A target's place in the list. */
export const placeOf = (target: EventTarget): number => eventTargets.indexOf(target)
