import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openSpool, type Spool, type SpoolLog, type SpoolSettings, type SpoolSink } from '../src/engines/spool/index.ts'
import { listSegments } from '../src/engines/spool/segments/segments.ts'

/** Small segments and batches. */
export const settings: SpoolSettings = {
  segmentBytes: 2_000,
  backlogBytes: 1_000_000,
  requestBacklogBytes: 1_000_000,
  batchRows: 50,
  maxBatchRows: 50,
  batchBytes: 1_000_000,
  batchMs: 20,
  burstLagMs: 5_000,
  stuckSeconds: 60,
  refusedBytes: 1_000_000,
}
export const silent = { warn: () => undefined, error: () => undefined }

/** A table in memory: a row is in it once, however often it is stored. */
export function createTable() {
  const batches: string[][] = []
  return {
    /** Whether it refuses, or stores and its answer is lost. */
    failing: false as false | 'refuses' | 'falls silent',
    /** Rows of each attempt to store some. */
    attempts: [] as string[][],
    rows: () => [...new Set(batches.flat())],
    batches,
    async store(lines: readonly Buffer[]): Promise<void> {
      const rows = lines.flatMap((block) => block.toString().split('\n'))
      this.attempts.push(rows)
      if (this.failing !== 'refuses') batches.push(rows)
      if (this.failing !== false) throw new Error('the engine is away')
    },
  }
}

export const event = (text: string, rows = 1) => [{ target: 'events', rows, lines: text }] as const
export const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `{"n":${index}}`)

/** A new folder for each test of a file, and the spools that are opened in it. */
export function useSpools() {
  let folder = ''
  let opened: Pick<Spool, 'close'>[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-spool-'))
    opened = []
  })
  afterEach(async () => {
    await Promise.all(opened.map((spool) => spool.close()))
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (
    table: ReturnType<typeof createTable>,
    changed: Partial<SpoolSettings> = {},
    identity: SpoolSink = async () => undefined,
    log: SpoolLog = silent,
    now = () => new Date(),
  ): Promise<Spool> => {
    const spool = await openSpool({
      folder,
      content: 'events',
      targets: ['events', 'snapshots', 'identity'],
      durability: 'disk',
      sinks: {
        events: (lines) => table.store(lines),
        snapshots: async () => undefined,
        identity,
      },
      settings: { ...settings, ...changed },
      now,
      log,
    })
    opened.push(spool)
    return spool
  }

  return {
    get folder() {
      return folder
    },
    open,
    closeLater: (spool: Pick<Spool, 'close'>) => void opened.push(spool),
    /** Opens a folder in which these records wait, one segment or several; resolves to the first segment. */
    async leave(lines: readonly string[], changed: Partial<SpoolSettings> = {}): Promise<number> {
      const table = createTable()
      table.failing = 'refuses'
      const before = await open(table, changed)
      for (const line of lines) await before.append(event(line))
      await before.close()
      const [segment = -1] = await listSegments(folder)
      return segment
    },
  }
}
