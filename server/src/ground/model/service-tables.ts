/** The tables that a service owns. */
export interface ServiceTables {
  /** Names the service in the migration history of both engines. */
  readonly name: string
  /** The folder of the migrations for PostgreSQL, where the service has tables there. */
  readonly postgres?: URL
  /** The folder of the migrations for ClickHouse, where the service has tables there. */
  readonly clickhouse?: URL
  /** Tables of PostgreSQL, `schema.table`, that hold personal data and that a sample of recorded visits may fill. */
  readonly people?: readonly string[]
}
