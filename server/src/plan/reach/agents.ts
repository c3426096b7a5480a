import type { FastifyPluginAsync } from 'fastify'
import { type McpDeps, mcpRoutes } from '../../services/mcp/index.ts'
import { type Operators, operatorsOnly } from '../../services/operators/index.ts'
import type { Settings } from '../../settings/index.ts'
import { version } from '../../version.ts'
import type { Shared } from '../shared.ts'

/** Where agents reach their tools. */
interface AgentDoors {
  /** At `/mcp` of the console's port; undefined where they are off. */
  readonly agents: FastifyPluginAsync | undefined
  /** Beside the routes of the console's API, for the command line. */
  readonly parts: readonly FastifyPluginAsync[]
}

/** The tools for agents, which ask the console's own server. */
export function planAgents(
  { mcp: settings }: Pick<Settings, 'mcp'>,
  { newId, log }: Pick<Shared, 'newId' | 'log'>,
  operators: Pick<Operators, 'actions' | 'actAs' | 'guard'>,
  dispatch: McpDeps['dispatch'],
): AgentDoors {
  if (!settings.enabled) return { agents: undefined, parts: [] }
  const { actions, actAs } = operators
  const routes = mcpRoutes({ dispatch, actAs, actions, version, newId, log, settings })
  const part: FastifyPluginAsync = async (app) => {
    await app.register(routes, { prefix: '/mcp' })
  }
  return { agents: operatorsOnly(operators, routes), parts: [part] }
}
