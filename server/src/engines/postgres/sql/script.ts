import { openClient } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import { ownersGreeting, ownersPath, type RoleLogin } from '../server/server.ts'

/**
 * Runs the application's SQL text in one transaction, on a connection of its own that ends with it: whatever the
 * text sets for its session does not outlive it. The text may end the transaction itself.
 */
export async function runScript(owner: RoleLogin, text: string, log: EngineLog, pooled = false): Promise<void> {
  const client = await openClient(owner.login, 'clew script')
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') log(`postgres: ${message}`)
  })
  try {
    if (!pooled) await client.query(ownersGreeting(owner))
    await client.query('begin')
    if (pooled) await client.query(`set local search_path = ${ownersPath}`)
    await client.query(text)
    await client.query('commit')
  } finally {
    // An open transaction goes with its connection.
    await client.end().catch(() => undefined)
  }
}
