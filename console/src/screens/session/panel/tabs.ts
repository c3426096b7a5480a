/** The panels beside the player. */
export const sessionTabs = ['thread', 'console', 'network', 'events', 'notes', 'person'] as const

/** One of `sessionTabs`. */
export type SessionTab = (typeof sessionTabs)[number]
