import type { StoredRecord } from '../../../engines/spool/index.ts'
import { movable, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { placeOf } from '../targets.ts'
import type { CaptureCounts } from './counts.ts'
import type { PlanningDeps } from './planned.ts'
import { type PlannedBodies, planBodies, type UnfoldTask, type UnfoldTaskValue } from './unfold-task.ts'

export interface UnfoldDeps {
  readonly threads: Pick<Threads, 'run'>
  readonly maxEventBytes: number
  readonly known: Pick<PlanningDeps, 'isKnown' | 'isKnownType'>
  readonly leaveOut: CaptureCounts['leaveOut']
}

/** So much is planned on the event loop, some 10 ms; a thread for less would cost more than it spares. */
const inlineBytes = 64 * 1024
/** So much goes to a thread at once: requests whose bodies are large wait for the same threads. */
const taskBytes = 2 * 1024 * 1024
const kept = placeOf('bodies')
const task = taskModule('./unfold-task', import.meta.url)

/**
 * Replaces kept bodies among records by the records that they are planned to, in their place: the order in which events came
 * is the order in which persons change. A body that cannot be planned stays as it is.
 */
export function createUnfold({ threads, maxEventBytes, known, leaveOut }: UnfoldDeps) {
  const planApart = async (bodies: readonly Buffer[]): Promise<PlannedBodies> => {
    const joined = movable(Buffer.concat(bodies))
    const input: UnfoldTask = { bodies: joined, lengths: bodies.map(({ length }) => length), maxEventBytes }
    const sizeBytes = joined.byteLength
    const { lines, places, refused } = await threads.run<UnfoldTaskValue>({
      ...{ module: task, input, transfer: [joined], sizeBytes },
    })
    const planned = places.map(
      (made) =>
        made?.map(({ target, rows, start, end }) => ({
          ...{ target, rows, lines: Buffer.from(lines, start, end - start), sizeBytes: end - start },
        })) ?? null,
    )
    return { planned, refused }
  }

  return async (records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> => {
    const bodies = records.filter(({ target }) => target === kept).map(({ lines }) => lines)
    if (bodies.length === 0) return records
    const planned: PlannedBodies['planned'][number][] = []
    for (const group of groupsOf(bodies)) {
      const isSmall = bytesOf(group) <= inlineBytes
      const part = isSmall ? planBodies(group, maxEventBytes, known) : await planApart(group)
      planned.push(...part.planned)
      leaveOut(part.refused)
    }
    let next = 0
    return records.flatMap((record) => (record.target === kept ? (planned[next++] ?? record) : record))
  }
}

const bytesOf = (bodies: readonly Buffer[]): number => bodies.reduce((sum, { length }) => sum + length, 0)

function groupsOf(bodies: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const groups: Buffer[][] = []
  let bytes = taskBytes
  for (const body of bodies) {
    if (bytes >= taskBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(body)
    bytes += body.length
  }
  return groups
}
