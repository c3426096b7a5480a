import type pg from 'pg'
import { isOpen } from '../connection/connections.ts'
import { Pipeline } from './pipeline.ts'
import { onParameterDescription, PreparedStatements } from './prepared-statements.ts'

/** A connection of the pool, with what it carries from one batch to the next. */
export interface PooledConnection {
  readonly client: pg.PoolClient
  readonly prepared: PreparedStatements
  readonly pipeline: Pipeline
  /** The connection was lost, or its session cannot be trusted. */
  broken: boolean
  /** Number of refreshes before it was opened. */
  readonly generation: number
}

/** Returns a function that finds the connection of a client of `pg`'s pool, one object for each client. */
export function createPooledConnections(statementsPerConnection?: number) {
  const known = new WeakMap<pg.PoolClient, PooledConnection>()
  return (client: pg.PoolClient, generation: number): PooledConnection => {
    const before = known.get(client)
    if (before !== undefined) return before
    const prepared = new PreparedStatements(statementsPerConnection)
    const pipeline = new Pipeline(client)
    const connection: PooledConnection = { client, prepared, pipeline, broken: !isOpen(client), generation }
    onParameterDescription(client.connection, (typeIds) => pipeline.handleParameterDescription(typeIds))
    // The statement that was running fails with the error as well.
    client.on('error', () => {
      connection.broken = true
    })
    known.set(client, connection)
    return connection
  }
}
