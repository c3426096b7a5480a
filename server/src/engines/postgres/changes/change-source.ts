import type { Login } from '../connection/connections.ts'

/** Where the change stream of a database is read. It can be sent to other threads. */
export interface ChangeSource {
  readonly login: Login
  /** Whether a pooler stands before the server, which hands no replication on. */
  readonly pooled?: boolean
}
