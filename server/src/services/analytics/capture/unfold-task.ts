import type { StoredRecord } from '../../../engines/spool/index.ts'
import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { type EventTarget, placeOf } from '../targets.ts'
import { createKeptPlanner, type PlanKeptBody } from './kept-body.ts'
import { createLineBlock, type LineBlock } from './line-block.ts'
import type { PlanningDeps } from './planned.ts'

/** Kept bodies, one behind the other, as they move to a thread. */
export interface UnfoldTask {
  readonly bodies: ArrayBuffer
  /** How long each is, by run. */
  readonly runs: readonly Uint32Array[]
  readonly maxEventBytes: number
}

/** Where the lines of a planned record stand. */
interface PlacedRecord {
  readonly target: number
  readonly rows: number
  readonly start: number
  readonly end: number
}

/** What comes back: the lines of all records, and where those of each run are. */
export interface UnfoldTaskValue {
  readonly lines: ArrayBuffer
  readonly runs: readonly (Omit<PlannedRun, 'records'> & { readonly records: readonly PlacedRecord[] })[]
  readonly refused: Readonly<Record<string, number>>
}

/** What kept bodies become that stand one behind the other, with nothing else between them. */
export interface PlannedRun {
  /** One for each target: thousands of records of a line each would cost more than their lines. */
  readonly records: readonly StoredRecord[]
  /** Those that cannot be planned, by their place in the run. */
  readonly unplanned: readonly number[]
}

export interface PlannedRuns {
  readonly runs: readonly PlannedRun[]
  /** Events that are left out, by their reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** Plans runs of kept bodies. */
export function planRuns(
  runs: readonly (readonly Buffer[])[],
  maxEventBytes: number,
  known: Pick<PlanningDeps, 'isKnown' | 'isKnownType'>,
): PlannedRuns {
  const planBody = createKeptPlanner(maxEventBytes, known)
  const refused: Record<string, number> = {}
  const planRun = (bodies: readonly Buffer[]): PlannedRun => {
    const blocks = new Map<EventTarget, { readonly block: LineBlock; rows: number }>()
    const unplanned: number[] = []
    for (const [place, body] of bodies.entries()) {
      const request = planOne(planBody, body)
      if (request === null) {
        unplanned.push(place)
        continue
      }
      for (const [reason, count] of Object.entries(request.refused)) refused[reason] = (refused[reason] ?? 0) + count
      for (const { target, rows, lines } of request.records) {
        const planned = blocks.get(target) ?? { block: createLineBlock(), rows: 0 }
        blocks.set(target, planned)
        planned.block.add(lines)
        planned.rows += rows
      }
    }
    const records = [...blocks].map(([target, { block, rows }]) => {
      const lines = block.bytes()
      return { target: placeOf(target), rows, lines, sizeBytes: lines.length }
    })
    return { records, unplanned }
  }
  return { runs: runs.map(planRun), refused }
}

function planOne(plan: PlanKeptBody, body: Buffer): ReturnType<PlanKeptBody> | null {
  try {
    return plan(body)
  } catch {
    return null
  }
}

/** Plans kept bodies in a thread. */
export async function run({ bodies, runs, maxEventBytes }: UnfoldTask): Promise<TaskOutput> {
  let at = 0
  const parts = runs.map((lengths) =>
    Array.from(lengths, (length) => {
      at += length
      return Buffer.from(bodies, at - length, length)
    }),
  )
  // Which ids and types are known is known elsewhere; naming them once more changes nothing.
  const planned = planRuns(parts, maxEventBytes, { isKnown: () => false, isKnownType: () => false })
  const lines = movable(Buffer.concat(planned.runs.flatMap(({ records }) => records.map((record) => record.lines))))
  let end = 0
  const placed = planned.runs.map(({ records, unplanned }) => ({
    unplanned,
    records: records.map(({ target, rows, sizeBytes }) => {
      end += sizeBytes
      return { target, rows, start: end - sizeBytes, end }
    }),
  }))
  const value: UnfoldTaskValue = { lines, runs: placed, refused: planned.refused }
  return { value, transfer: [lines] }
}
