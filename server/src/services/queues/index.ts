import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { createQueues, type QueuesDeps } from './queues.ts'
import { queueRoutes } from './routes.ts'

export { consumersService } from './consumers/consumers.ts'
export { createFunctionCall } from './consumers/function-call.ts'
export type { ConsumerOptions } from './consumers/options.ts'
export { queuesError } from './errors.ts'
export { queuesPersonStore } from './person-store.ts'

/** Queues of pgmq in the console. */
export const queuesService = ({ actions, ...deps }: QueuesDeps & { readonly actions: OperatorActions }) => ({
  console: [queueRoutes(createQueues(deps), actions)],
})
