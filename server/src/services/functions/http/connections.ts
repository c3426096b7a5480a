import { Pool } from 'undici'
import type { Worker } from '../worker/worker.ts'

const keptMs = 600_000
const pools = new WeakMap<Worker, Pool>()

/** Connections to a worker's socket: as many as it has calls, kept while it lives. */
export function connectionsTo(worker: Worker): Pool {
  const known = pools.get(worker)
  if (known !== undefined) return known
  const pool = new Pool('http://worker', {
    socketPath: worker.socket,
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keptMs,
    keepAliveMaxTimeout: keptMs,
    // An answer may pause for as long as its process lives.
    bodyTimeout: 0,
  })
  pools.set(worker, pool)
  void worker.ended.then(() => pool.destroy())
  return pool
}
