import type { Bus } from './bus.ts'
import { topicsOf } from './topic.ts'

const name = 'nodes.ended'

/**
 * Tells the others that a node has ended. Whoever knows it for certain says so, as the parent of a process that died
 * does: without it a node counts as there until it was silent for `cluster.node_seconds`.
 */
export const tellEnded = (bus: Bus, node: string): void => topicsOf(bus)<string>(name).tell(node)

/** Calls back with each node that is told to have ended. @returns what ends that */
export const onEnded = (bus: Bus, handle: (node: string) => void): (() => void) =>
  topicsOf(bus)<string>(name).hear(handle)
