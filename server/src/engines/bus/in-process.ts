import { type Bus, requireSubject } from './bus.ts'
import { createListeners, createSubscriptions, type Subscriptions } from './subscriptions.ts'

/** What a form of the bus needs to know of its node. */
export interface NodeOptions {
  readonly node: string
  readonly log: (line: string) => void
}

/** Nodes inside one process; a Clew of one process is the only one on its own. */
export function createInProcessBus(): { connect(options: NodeOptions): Bus } {
  const nodes = new Map<string, Subscriptions>()
  return {
    connect({ node, log }) {
      const own = createSubscriptions({
        opened: () => undefined,
        closed: () => undefined,
        failed: (error) => log(`bus: a handler failed (${String(error)})`),
      })
      nodes.set(node, own)
      return {
        node,
        publish(subject, encode) {
          requireSubject(subject)
          if (nodes.size === 1 || !nodes.has(node)) return
          const bytes = encode()
          // As between processes, a message arrives when its publisher has gone on.
          queueMicrotask(() => {
            for (const [name, other] of nodes) if (name !== node) other.deliver(subject, { from: node, bytes })
          })
        },
        subscribe: own.add,
        // Nothing is lost on the way.
        onMissed: createListeners<number>().add,
        dropped: () => 0,
        async close() {
          nodes.delete(node)
        },
      }
    },
  }
}
