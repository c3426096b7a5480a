import { defaultInternalPools, type InternalPoolOptions } from '../options.ts'

/** The pools whose sizes no setting names. */
export const fixedPools = { aside: 2, owner: 2, authenticator: 1, commands: 1 } as const

/** Connections beside the pools: notifications, the lock of the scheduler, the reader of row changes. */
const singleConnections = 9

/** The sizes of the pools that settings name. */
export interface PoolSizes {
  readonly poolSize: number
  readonly internal?: InternalPoolOptions
  /** Connections of commands that run at a time; none on an external server. */
  readonly commandConnections?: number
  /** Connections of operators who run statements. */
  readonly editorConnections?: number
  /** Processes that have pools of these sizes; one where nothing is said. */
  readonly processes?: number
}

/** The most connections that the processes open to PostgreSQL, without those of the change stream's protocol. */
export function countConnections({
  poolSize,
  internal = defaultInternalPools,
  commandConnections = 0,
  editorConnections = 0,
  processes = 1,
}: PoolSizes): number {
  const { adminPoolSize, authPoolSize, readerPoolSize } = internal
  const fixed = Object.values(fixedPools).reduce((sum, size) => sum + size, singleConnections)
  return (
    (poolSize + adminPoolSize + authPoolSize + readerPoolSize + commandConnections + editorConnections + fixed) *
    processes
  )
}

/** Left to the application's own tools on the embedded server's port: psql, migrations, an ORM. */
const reservedConnections = 25

/** The least `max_connections` that the embedded server needs. */
export const leastConnections = (sizes: PoolSizes): number => countConnections(sizes) + reservedConnections
