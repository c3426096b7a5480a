import type { StoredRecord } from '../../../engines/spool/index.ts'
import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { placeOf } from '../targets.ts'
import { planKeptBody } from './kept-body.ts'
import type { PlanningDeps } from './planned.ts'

/** Kept bodies, one behind the other, as they move to a thread. */
export interface UnfoldTask {
  readonly bodies: ArrayBuffer
  readonly lengths: readonly number[]
  readonly maxEventBytes: number
}

/** Where the lines of a planned record stand. */
interface PlacedRecord {
  readonly target: number
  readonly rows: number
  readonly start: number
  readonly end: number
}

/** What comes back: the lines of all records, and where those of each body are; null for one that cannot be planned. */
export interface UnfoldTaskValue {
  readonly lines: ArrayBuffer
  readonly places: readonly (readonly PlacedRecord[] | null)[]
  readonly refused: Readonly<Record<string, number>>
}

/** The records of each body; null for one that cannot be planned. */
export interface PlannedBodies {
  readonly planned: readonly (readonly StoredRecord[] | null)[]
  /** Events that are left out, by their reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** Plans kept bodies. */
export function planBodies(
  bodies: readonly Buffer[],
  maxEventBytes: number,
  known: Pick<PlanningDeps, 'isKnown' | 'isKnownType'>,
): PlannedBodies {
  const refused: Record<string, number> = {}
  const planned = bodies.map((body) => {
    try {
      const request = planKeptBody(body, maxEventBytes, known)
      for (const [reason, count] of Object.entries(request.refused)) refused[reason] = (refused[reason] ?? 0) + count
      return request.records.map(({ target, rows, lines: rendered }) => {
        const made = Buffer.from(rendered)
        return { target: placeOf(target), rows, lines: made, sizeBytes: made.length }
      })
    } catch {
      return null
    }
  })
  return { planned, refused }
}

/** Plans kept bodies in a thread. */
export async function run({ bodies, lengths, maxEventBytes }: UnfoldTask): Promise<TaskOutput> {
  let at = 0
  const parts = lengths.map((length) => {
    at += length
    return Buffer.from(bodies, at - length, length)
  })
  // Which ids and types are known is known elsewhere; naming them once more changes nothing.
  const { planned, refused } = planBodies(parts, maxEventBytes, { isKnown: () => false, isKnownType: () => false })
  const blocks = planned.flatMap((records) => records ?? []).map(({ lines }) => lines)
  let end = 0
  const places = planned.map(
    (records) =>
      records?.map(({ target, rows, lines }) => {
        end += lines.length
        return { target, rows, start: end - lines.length, end }
      }) ?? null,
  )
  const lines = movable(Buffer.concat(blocks))
  const value: UnfoldTaskValue = { lines, places, refused }
  return { value, transfer: [lines] }
}
