import type { Connection, Submittable } from 'pg'
import pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'

/** What a text of one or more statements came to, in the words that psql shows. */
export interface CommandOutcome {
  readonly succeeded: boolean
  /** `INSERT 0 1`, `2 rows`, `ERROR:  division by zero`: of the last statement, or of the one that failed. */
  readonly message: string
}

/** Runs a text by the simple protocol. Rows are counted and not kept, so that a long result costs no memory. */
export class CommandQuery implements Submittable {
  readonly outcome: Promise<CommandOutcome>
  private readonly text: string
  private settle: (outcome: CommandOutcome) => void = () => undefined
  private message = '0 rows'
  private hasRows = false
  private rows = 0
  private copyRefused = false
  /** Statements that have ended. */
  private ended = 0
  private readonly skipped: ReadonlySet<number>

  /** @param skipped the indexes of statements whose results are left out of the outcome */
  constructor(text: string, skipped: ReadonlySet<number> = new Set()) {
    this.text = text
    this.skipped = skipped
    this.outcome = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  submit(connection: Connection): void {
    // `pg` hands on the data, not its announcement.
    connection.once('copyOutResponse', () => {
      this.copyRefused = true
    })
    connection.query(this.text)
  }

  handleRowDescription(): void {
    this.hasRows = true
    this.rows = 0
  }

  handleDataRow(): void {
    this.rows += 1
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (!this.skipped.has(this.ended))
      this.message = this.hasRows ? `${this.rows} ${this.rows === 1 ? 'row' : 'rows'}` : text
    this.hasRows = false
    this.ended += 1
  }

  handleEmptyQuery(): void {
    this.message = '0 rows'
  }

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    this.copyRefused = true
    connection.sendCopyFail('COPY not supported')
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    this.settle(this.copyRefused ? copyFailed : { succeeded: true, message: this.message })
  }

  handleError(error: unknown): void {
    this.settle(this.copyRefused ? copyFailed : { succeeded: false, message: failureOf(error) })
  }
}

const copyFailed: CommandOutcome = { succeeded: false, message: 'COPY not supported' }

/** As libpq writes an error: severity, message, then the lines that the server added. */
function failureOf(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return `connection lost: ${messageOf(error)}`
  const { severity = 'ERROR', message, detail, hint, where } = error
  const lines = [
    [severity, message],
    ['DETAIL', detail],
    ['HINT', hint],
    ['CONTEXT', where],
  ]
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [`${label}:  ${text}\n`])).join('')
}
