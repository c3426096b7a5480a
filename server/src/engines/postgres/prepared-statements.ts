import type { Connection } from 'pg'
import type { Prepared } from './flight.ts'

/** Enough for an application's own statements; PostgreSQL keeps a plan for each, a few ten kilobytes. */
const keptPerConnection = 200

/** The statements that one connection keeps, least recently used first. */
export class PreparedStatements {
  private readonly byKey = new Map<string, Prepared>()
  private dropped: string[] = []
  private count = 0

  /**
   * The statement for a text and the role that runs it. One name shared by several roles would be planned anew at
   * each change of role, as row security gives each a plan of its own.
   */
  get(text: string, role: string): Prepared {
    const key = `${role}\0${text}`
    const known = this.byKey.get(key)
    if (known !== undefined) {
      this.byKey.delete(key)
      this.byKey.set(key, known)
      return known
    }
    this.count += 1
    const made: Prepared = { name: `c${this.count}`, text, role, parsed: false, columns: [], parameterTypeIds: [] }
    this.byKey.set(key, made)
    if (this.byKey.size > keptPerConnection) {
      const [oldest] = this.byKey
      if (oldest !== undefined) {
        this.byKey.delete(oldest[0])
        if (oldest[1].parsed) this.dropped.push(oldest[1].name)
      }
    }
    return made
  }

  /** Names to close with the next flight. */
  takeDropped(): readonly string[] {
    const names = this.dropped
    if (names.length > 0) this.dropped = []
    return names
  }

  /** A statement that failed may or may not be known to the server by its name: it gets a new one next time. */
  forget(prepared: Prepared): void {
    if (this.byKey.delete(`${prepared.role}\0${prepared.text}`)) this.dropped.push(prepared.name)
  }

  /** The server knows none of them any more (`DISCARD ALL`, `DEALLOCATE ALL`). */
  clear(): void {
    this.byKey.clear()
    this.dropped = []
  }
}

/** `pg` does not pass ParameterDescription to a query, but its connection emits it. */
export function onParameterDescription(connection: Connection, receive: (typeIds: readonly number[]) => void): void {
  connection.on('parameterDescription', (message: { readonly dataTypeIDs: readonly number[] }) => {
    receive(message.dataTypeIDs)
  })
}
