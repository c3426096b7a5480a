import type { Connection, Submittable } from 'pg'

/** A column of a result. */
export interface RawField {
  readonly name: string
  readonly dataTypeID: number
}

/** What a batch of rows came to. */
export interface PortalRows {
  /** Null for a statement without rows, and for a batch that is not the first. */
  readonly fields: readonly RawField[] | null
  /** Values in PostgreSQL's text form. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** `INSERT 0 1`; null while there are more rows, and for a statement that is only a comment. */
  readonly tag: string | null
}

/** The parts of `pg`'s connection whose types leave them out. */
type Wire = Connection & {
  bind(config: { readonly portal: string; readonly statement: string; readonly values: readonly string[] }): void
  sendCopyFail(reason: string): void
}

interface RowDescription {
  readonly fields: readonly RawField[]
}

/**
 * The next rows of a statement, by the unnamed portal of the extended protocol: the statement is one command, and stands
 * still where its rows are enough. In a transaction the portal outlives the batch.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class PortalBatch implements Submittable {
  readonly outcome: Promise<PortalRows>
  private readonly text: string | null
  private readonly most: number
  private fields: readonly RawField[] | null = null
  private readonly rows: (string | null)[][] = []
  private tag: string | null = null
  private isCopy = false
  private resolve: (rows: PortalRows) => void = () => undefined
  private reject: (error: unknown) => void = () => undefined

  /**
   * @param text the statement; null for the next rows of the one before
   * @param most how many rows
   */
  constructor(text: string | null, most: number) {
    this.text = text
    this.most = most
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  submit(connection: Connection): void {
    // `pg` hands on the data, not its announcement.
    connection.once('copyOutResponse', () => {
      this.isCopy = true
    })
    // `pg`'s own types know neither method.
    const wire = connection as Wire
    if (this.text !== null) {
      wire.parse({ name: '', text: this.text, types: [] }, true)
      wire.bind({ portal: '', statement: '', values: [] })
      wire.describe({ type: 'P', name: '' }, true)
    }
    wire.execute({ portal: '', rows: String(this.most) }, true)
    wire.sync()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.fields = fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.rows.push(fields)
  }

  handlePortalSuspended(): void {}

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.tag = text
  }

  handleEmptyQuery(): void {
    this.tag = ''
  }

  handleCopyInResponse(connection: Wire): void {
    this.isCopy = true
    connection.sendCopyFail('COPY from stdin has no rows here')
    // The one that was sent went unread, as part of the rows.
    connection.sync()
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    if (this.isCopy) this.reject(new CopyRefused())
    else this.resolve({ fields: this.fields, rows: this.rows, tag: this.tag })
  }

  handleError(error: unknown): void {
    this.reject(this.isCopy ? new CopyRefused() : error)
  }
}

/** `copy … from stdin` and `copy … to stdout` need a client that has the rows, or takes them. */
class CopyRefused extends Error {
  constructor() {
    super('COPY from stdin and to stdout need psql.')
    this.name = 'CopyRefused'
  }
}
