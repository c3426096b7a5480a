import { join } from 'node:path'
import { type ClickHouse, createClickHouse } from '../../src/engines/clickhouse/index.ts'

/** A small embedded ClickHouse in the folder of a process that the crash tests kill. */
export const openSmallClickHouse = (folder: string, log: (line: string) => void): ClickHouse =>
  createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'clickhouse'),
    socketPath: join(folder, 'ch'),
    memoryBytes: 400 * 1024 * 1024,
    log,
  })
