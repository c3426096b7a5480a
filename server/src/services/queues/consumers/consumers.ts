import type { EngineHealth } from '../../../ground/model/health.ts'
import { type Consumer, createConsumer } from './consumer.ts'
import type { ConsumerDeps, ConsumerOptions } from './options.ts'

export interface ConsumersDeps extends ConsumerDeps {
  readonly consumers: readonly ConsumerOptions[]
}

const graceMs = 5_000

/** Queues whose messages call functions. They begin when the instance's own port listens. */
export function consumersService({ consumers, ...deps }: ConsumersDeps) {
  let started: readonly Consumer[] = []
  return {
    gauges: [
      {
        name: 'clew_queue_calls',
        help: 'Messages of queues with which functions are being called',
        read: () => started.reduce((sum, consumer) => sum + consumer.running(), 0),
      },
    ],
    health: (): EngineHealth => {
      const health = { name: 'queues', pid: null }
      const failure = started.map((consumer) => consumer.failure()).find((each) => each !== null)
      if (failure !== undefined) return { ...health, state: 'degraded', detail: `Messages of queues wait: ${failure}` }
      return { ...health, state: 'up', detail: `${consumers.length} queues call functions` }
    },
    start: async () => {
      started = consumers.map((options) => createConsumer(options, deps))
      return async () => {
        await Promise.all(started.map((consumer) => consumer.close(graceMs)))
      }
    },
  }
}
