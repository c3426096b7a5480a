import { readFile, rename, writeFile } from 'node:fs/promises'
import { isObject } from '../../ground/json/object.ts'

/** What an import has done: how many rows of each file the instance has taken, or refused; which id each cohort has here. */
export interface Checkpoint {
  readonly rowsOf: (file: string) => number
  /** Undefined for a cohort that was not imported. */
  readonly cohort: (theirs: number) => number | undefined
  /** Kept on the disk when it resolves. */
  readonly keepRows: (file: string, rows: number) => Promise<void>
  readonly keepCohort: (theirs: number, ours: number) => Promise<void>
}

const numbersIn = (value: unknown): Map<string, number> =>
  new Map(isObject(value) ? Object.entries(value).map(([name, count]) => [name, Number(count) || 0]) : [])

/** Opens the note of an import; where there is none, one begins. */
export async function openCheckpoint(path: string): Promise<Checkpoint> {
  const kept: unknown = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  const rows = numbersIn(isObject(kept) ? kept.rows : {})
  const cohorts = numbersIn(isObject(kept) ? kept.cohorts : {})
  const write = async () => {
    const text = JSON.stringify({ rows: Object.fromEntries(rows), cohorts: Object.fromEntries(cohorts) })
    await writeFile(`${path}.part`, text)
    // A process that is killed leaves the old note, or the new one.
    await rename(`${path}.part`, path)
  }
  return {
    rowsOf: (file) => rows.get(file) ?? 0,
    cohort: (theirs) => cohorts.get(String(theirs)),
    keepRows: (file, count) => {
      rows.set(file, count)
      return write()
    },
    keepCohort: (theirs, ours) => {
      cohorts.set(String(theirs), ours)
      return write()
    },
  }
}
