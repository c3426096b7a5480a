import type { ConsumerOptions } from '../../services/queues/index.ts'
import type { Settings } from '../../settings/index.ts'

const defaults = { attempts: 5, backoffMs: 5_000, concurrency: 1, timeoutSeconds: 60 }

/** The queues that functions name in their settings. */
export const planConsumers = ({ functions }: Pick<Settings, 'functions'>): readonly ConsumerOptions[] =>
  Object.entries(functions.each).flatMap(([functionName, { queue, enabled }]) =>
    queue === undefined || enabled === false
      ? []
      : [
          {
            functionName,
            queue: queue.name,
            attempts: queue.attempts ?? defaults.attempts,
            backoffMs: queue.backoff_ms ?? defaults.backoffMs,
            concurrency: queue.concurrency ?? defaults.concurrency,
            timeoutMs: (queue.timeout_seconds ?? defaults.timeoutSeconds) * 1000,
          },
        ],
  )
