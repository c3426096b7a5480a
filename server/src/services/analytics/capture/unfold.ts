import type { StoredRecord } from '../../../engines/spool/index.ts'
import { movable, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { placeOf } from '../targets.ts'
import type { CaptureCounts } from './counts.ts'
import type { PlanningDeps } from './planned.ts'
import { type PlannedRun, type PlannedRuns, planRuns, type UnfoldTask, type UnfoldTaskValue } from './unfold-task.ts'

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

/** Kept bodies that stand one behind the other. */
type Run = readonly StoredRecord[]

/**
 * Replaces kept bodies among records by the records that they are planned to, in their place: the order in which events came
 * is the order in which persons change. A body that cannot be planned stays as it is.
 */
export function createUnfold({ threads, maxEventBytes, known, leaveOut }: UnfoldDeps) {
  const planApart = async (runs: readonly Run[]): Promise<PlannedRuns> => {
    const bodies = movable(Buffer.concat(runs.flatMap(bodiesOf)))
    const lengths = runs.map((run) => Uint32Array.from(run, ({ lines }) => lines.length))
    const input: UnfoldTask = { bodies, runs: lengths, maxEventBytes }
    const sizeBytes = bodies.byteLength
    const { lines, refused, ...made } = await threads.run<UnfoldTaskValue>({
      ...{ module: task, input, transfer: [bodies], sizeBytes },
    })
    const planned = made.runs.map(({ unplanned, records }) => ({
      unplanned,
      records: records.map(({ target, rows, start, end }) => ({
        ...{ target, rows, lines: Buffer.from(lines, start, end - start), sizeBytes: end - start },
      })),
    }))
    return { runs: planned, refused }
  }

  return async (records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> => {
    const stretches = stretchesOf(records)
    const planned = new Map<Run, PlannedRun>()
    for (const group of groupsOf(stretches.filter(isRun))) {
      const isSmall = sum(group.map(bytesOf)) <= inlineBytes
      const part = isSmall ? planRuns(group.map(bodiesOf), maxEventBytes, known) : await planApart(group)
      for (const [place, run] of group.entries()) {
        const made = part.runs[place]
        if (made !== undefined) planned.set(run, made)
      }
      leaveOut(part.refused)
    }
    return stretches.flatMap((stretch) => {
      const made = planned.get(stretch)
      return made === undefined ? stretch : [...made.records, ...made.unplanned.flatMap((at) => stretch[at] ?? [])]
    })
  }
}

const isRun = (stretch: readonly StoredRecord[]): stretch is Run => stretch[0]?.target === kept
const bodiesOf = (run: Run): readonly Buffer[] => run.map(({ lines }) => lines)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const bytesOf = (run: Run): number => sum(run.map(({ lines }) => lines.length))

/** Records in their order, cut where kept bodies begin and end, and where so many bytes of them are together. */
function stretchesOf(records: readonly StoredRecord[]): readonly (readonly StoredRecord[])[] {
  const stretches: StoredRecord[][] = []
  let bytes = 0
  for (const record of records) {
    const last = stretches.at(-1)
    const isKept = record.target === kept
    const goesOn = last !== undefined && isRun(last) === isKept && !(isKept && bytes >= taskBytes)
    if (goesOn) last.push(record)
    else {
      stretches.push([record])
      bytes = 0
    }
    bytes += record.lines.length
  }
  return stretches
}

/** Runs, as many together as go to a thread at once. */
function groupsOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const groups: Run[][] = []
  let bytes = taskBytes
  for (const run of runs) {
    if (bytes >= taskBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(run)
    bytes += bytesOf(run)
  }
  return groups
}
