import type { FunctionLog } from '../../ground/model/function-log.ts'
import { createFunctions, functionsService, functionTools } from '../../services/functions/index.ts'
import { consumersService, createFunctionCall } from '../../services/queues/index.ts'
import type { openAuth } from '../auth.ts'
import type { ComposeInput } from '../instance.ts'
import { planOwnAddress } from '../net.ts'
import type { Add, Engines, JoinDeps } from '../shared.ts'
import { planConsumers } from './consumers.ts'
import { planFunctions } from './runtime.ts'
import { planFunctionTools } from './tools.ts'

/** What functions need of the services before them. */
interface FunctionsJoinDeps extends JoinDeps, Pick<Awaited<ReturnType<typeof openAuth>>, 'issuers'> {
  /** Hears of every line that a function logs. */
  readonly functionLogged: (line: FunctionLog) => void
}

/** How often the queues of functions are looked at. */
const consumerPollMs = 500

/** Functions of the project folder, and the queues that call them. */
export async function addFunctions(
  add: Add,
  input: ComposeInput,
  { postgres }: Engines,
  { addresses, shared, actions, functionLogged, issuers }: FunctionsJoinDeps,
): Promise<void> {
  if (!input.settings.functions.enabled) return
  const { owner } = postgres
  const plan = planFunctions(input, addresses, { dbUrl: () => postgres.url, issuers, now: shared.now })
  const logged = (line: FunctionLog): void => {
    functionLogged(line)
    input.functionLogged?.(line)
  }
  const functions = await createFunctions({ ...shared, ...plan, logged })
  input.useSecrets({ secrets: ['[functions] secrets', 'database_url'], taken: functions.secretsChanged })
  add(functionsService(functions, actions))
  const tools = planFunctionTools(input, addresses)
  add({ console: [functionTools({ ...tools, sql: owner, now: shared.now }, actions)] })
  const consumers = planConsumers(input.settings)
  if (consumers.length === 0) return
  const own = planOwnAddress(input.settings, addresses)
  const call = createFunctionCall({ ...shared, own, serviceRoleKey: () => input.keys.api.serviceRoleKey })
  add(consumersService({ ...shared, owner, consumers, call, pollMs: consumerPollMs }))
}
