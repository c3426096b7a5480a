import { join } from 'node:path'
import { createRefusedRows, type RefusedRows } from '../src/engines/spool/index.ts'

/** Where a test's refused rows are kept: a folder within its own. */
export const refusedRowsIn = (folder: string): RefusedRows =>
  createRefusedRows({
    folder: join(folder, 'refused'),
    limitBytes: 64 * 1024 * 1024,
    now: () => new Date(),
    log: { warn: () => undefined, error: () => undefined },
  })
