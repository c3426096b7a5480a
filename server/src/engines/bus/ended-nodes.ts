import type { Bus } from './bus.ts'
import { topicsOf } from './topic.ts'

const name = 'nodes.ended'

/**
 * Tells the others that a node has ended, which the parent of its process knows for certain: without that a node
 * counts as there until it was silent for `cluster.node_seconds`.
 */
export const tellEnded = (bus: Bus, node: string): void => topicsOf(bus)<string>(name).tell(node)

/** Calls back with each node that is told to have ended. @returns what ends that */
export const onEnded = (bus: Bus, handle: (node: string) => void): (() => void) =>
  topicsOf(bus)<string>(name).hear(handle)
