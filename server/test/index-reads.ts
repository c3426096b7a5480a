import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import type { ClickHouseStatement } from '../src/ground/sql/clickhouse.ts'

/** Whether ClickHouse reads data skipping indexes to answer a statement: it counts the time that this takes. */
export async function readsIndexes(
  { query }: Pick<ClickHouse, 'query'>,
  statement: ClickHouseStatement,
): Promise<boolean> {
  const spent = async (): Promise<string> => {
    const text = `select value from system.events where event = 'FilteringMarksWithSecondaryKeysMicroseconds'`
    return JSON.stringify(await query({ text, parameters: {} }))
  }
  const before = await spent()
  await query(statement)
  return (await spent()) !== before
}
