import type { Connection } from 'pg'
import { type Bound, encodeClose, encodeParse, encodeSteps } from './protocol.ts'
import { wireValue } from './values.ts'

/** A statement prepared on one connection; an empty name is PostgreSQL's unnamed statement. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** Who it is kept for: the role that runs it, or our own. */
  readonly role: string
  parsed: boolean
  columns: readonly string[]
  parameterTypeIds: readonly number[]
}

/** A statement that nobody keeps. */
export const unnamed = (text: string, role: string): Prepared => ({
  name: '',
  text,
  role,
  parsed: false,
  columns: [],
  parameterTypeIds: [],
})

export interface Step {
  readonly prepared: Prepared
  readonly values: readonly unknown[]
}

export interface StepResult {
  readonly rows: Record<string, string | null>[]
  rowCount: number
}

/** How a flight landed; the connection is ready for the next in either case. */
export type Landing =
  | { readonly kind: 'done'; readonly results: readonly StepResult[]; readonly ms: number }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly step: number
      readonly ms: number
      /** The connection ended: while it flew, or before its turn came, so that nothing of it was done. */
      readonly lost: 'flying' | 'waiting' | null
    }

/**
 * Several statements sent at once and ended by one Sync: together one implicit transaction, unless they begin one.
 * It lands when the server is ready again, so that whoever waits may hand the connection on. `pipeline.ts` flies it.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Flight {
  readonly landed: Promise<Landing>
  private readonly steps: readonly Step[]
  private readonly results: StepResult[]
  /** Complete before the flight joins others on a connection: what cannot be encoded must not leave half of it there. */
  private bytes: Buffer | null
  private at = 0
  private settle: (landing: Landing) => void = () => undefined

  /** @param bytes of its steps, see `encodeFlight`, or of a text whose results nobody reads */
  constructor(steps: readonly Step[], bytes: Buffer) {
    this.steps = steps
    this.bytes = bytes
    this.results = steps.map(() => ({ rows: [], rowCount: 0 }))
    this.landed = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  write(connection: Connection): void {
    if (this.bytes !== null) connection.stream.write(this.bytes)
    this.bytes = null
  }

  parametersDescribed(typeIds: readonly number[]): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parameterTypeIds = typeIds
  }

  rowsDescribed(columns: readonly string[]): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.columns = columns
  }

  row(values: readonly (string | null)[]): void {
    const columns = this.steps[this.at]?.prepared.columns ?? []
    const row: Record<string, string | null> = {}
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null
    this.results[this.at]?.rows.push(row)
  }

  /** @param tag as the server ends a command: `INSERT 0 3`; null for none, or not all of it */
  stepDone(tag: string | null): void {
    const result = this.results[this.at]
    if (result !== undefined && tag !== null) result.rowCount = affectedRows(tag)
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parsed = step.prepared.name !== ''
    this.at += 1
  }

  land(ms: number): void {
    this.settle({ kind: 'done', results: this.results, ms })
  }

  fail(error: unknown, ms: number, lost: 'flying' | 'waiting' | null): void {
    this.settle({ kind: 'failed', error, step: this.at, ms, lost })
  }
}

const bind = ({ prepared: { name }, values }: Step): Bound => ({ name, values: values.map(wireValue) })

/**
 * What a flight says to the server.
 *
 * @param closing names of statements that this connection no longer keeps
 * @throws POSTGRES_TOO_MANY_VALUES, and whatever a value throws that cannot be written
 */
export function encodeFlight(steps: readonly Step[], closing: readonly string[] = []): Buffer {
  if (closing.length === 0 && steps.every(({ prepared }) => prepared.parsed)) return encodeSteps(steps.map(bind), true)
  const parts = closing.map(encodeClose)
  let bound: Bound[] = []
  for (const step of steps) {
    const { name, text, parsed } = step.prepared
    if (!parsed) {
      // In its place: it is read by the role and search path that the steps before it have set.
      parts.push(encodeSteps(bound), encodeParse(name, text))
      bound = []
    }
    bound.push(bind(step))
  }
  return Buffer.concat([...parts, encodeSteps(bound, true)])
}

/** The number at the end of a command tag: `INSERT 0 3`, `SELECT 2`; 0 for `BEGIN`. */
function affectedRows(tag: string): number {
  const last = /(\d+)$/.exec(tag)?.[1]
  return last === undefined ? 0 : Number(last)
}
