/** A named statement with text parameters. */
export interface BatchedQuery {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

interface Wire {
  readonly parsedStatements: Record<string, string>
  parse(query: { text: string; name: string }): void
  bind(query: { statement: string; values: readonly string[] }): void
  execute(query: { rows: number }): void
  sync(): void
}

/** The part of a `pg` client that sends a batch. */
export interface Connection {
  query(submittable: object): unknown
}

/** Sends statements with one `Sync`, so that they are one transaction. @returns the first column of the last row */
export function sendBatch(connection: Connection, queries: readonly BatchedQuery[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let value = ''
    let failure: Error | null = null
    const parsing: BatchedQuery[] = []
    connection.query({
      submit(wire: Wire) {
        for (const { name, text, values } of queries) {
          if (wire.parsedStatements[name] === undefined) {
            parsing.push({ name, text, values })
            wire.parse({ text, name })
          }
          wire.bind({ statement: name, values })
          wire.execute({ rows: 0 })
        }
        wire.sync()
        for (const { name, text } of parsing) wire.parsedStatements[name] = text
      },
      handleRowDescription: () => undefined,
      handleDataRow(message: { fields: readonly (string | null)[] }) {
        value = message.fields[0] ?? ''
      },
      handleCommandComplete: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
      handleError(error: Error) {
        failure = error
      },
      handleReadyForQuery() {
        if (failure === null) resolve(value)
        else reject(failure)
      },
    })
  })
}
