import type { ClickHouse } from '../../../../engines/clickhouse/index.ts'
import { rowsOf } from '../../../../engines/spool/index.ts'
import { compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'

type Engine = Pick<ClickHouse, 'query'>

/** A line with what tells it from others in its table. */
interface Keyed {
  readonly line: Buffer
  readonly key: string
  /** Milliseconds since 1970, by which lines that stand together in the table are found. */
  readonly atMs: number
  readonly requestId: string
}

/** Lines further apart than this are looked up by themselves: what lies between them is not read. */
const gapMs = 10_000
const linesAtOnce = 1000

/** Which lines of `requests` are not in the table yet. */
export async function requestsNotStored(clickhouse: Engine, blocks: readonly Buffer[]): Promise<readonly Buffer[]> {
  return notStored(blocks.flatMap(rowsOf).map(readRequest), async (group) => {
    const from = new Date(Math.min(...group.map(({ atMs }) => atMs)))
    const to = new Date(Math.max(...group.map(({ atMs }) => atMs)))
    const rows = await clickhouse.query<{ id: string }>(
      compileClickHouse(sql`
        select id
        from requests
        where time between ${typed(ticks(from), "DateTime64(3, 'UTC')")} and ${typed(ticks(to), "DateTime64(3, 'UTC')")}`),
    )
    return rows.map(({ id }) => id)
  })
}

/** Which lines of `statements` are not in the table yet. */
export async function statementsNotStored(clickhouse: Engine, blocks: readonly Buffer[]): Promise<readonly Buffer[]> {
  return notStored(blocks.flatMap(rowsOf).map(readStatement), async (group) => {
    const ids = group.map(({ requestId }) => requestId).sort()
    const rows = await clickhouse.query<{ key: string }>(
      compileClickHouse(sql`
        select concat(request_id, ' ', toString(ordinal)) as key
        from statements
        where request_id between ${ids[0] ?? ''} and ${ids.at(-1) ?? ''}`),
    )
    return rows.map(({ key }) => key)
  })
}

const ticks = (at: Date): string => at.toISOString().slice(0, -1).replace('T', ' ')

async function notStored(
  lines: readonly Keyed[],
  storedKeys: (group: readonly Keyed[]) => Promise<readonly string[]>,
): Promise<readonly Buffer[]> {
  const known = lines.filter(({ atMs }) => Number.isFinite(atMs))
  const sorted = known.sort((a, b) => a.atMs - b.atMs)
  // The engine rejects lines that this room did not write.
  const left = lines.filter(({ atMs }) => !Number.isFinite(atMs)).map(({ line }) => line)
  for (let first = 0; first < sorted.length; ) {
    let end = first + 1
    while (end < sorted.length && end - first < linesAtOnce && gapBefore(sorted, end) < gapMs) end += 1
    const group = sorted.slice(first, end)
    const stored = new Set(await storedKeys(group))
    for (const { line, key } of group) if (!stored.has(key)) left.push(line)
    first = end
  }
  return left
}

const gapBefore = (sorted: readonly Keyed[], index: number): number =>
  (sorted[index]?.atMs ?? 0) - (sorted[index - 1]?.atMs ?? 0)

/** Both kinds of lines begin with a request's id and a number: its time, or the statement's place in it. */
const head = /^\["([0-9a-f-]{36})",(\d+),/

function readHead(line: Buffer): readonly [requestId: string, number: string] {
  const [, requestId = '', number = ''] = head.exec(line.toString('latin1', 0, 80)) ?? []
  return [requestId, number]
}

function readRequest(line: Buffer): Keyed {
  const [requestId, time] = readHead(line)
  return { line, key: requestId, atMs: Number(time), requestId }
}

function readStatement(line: Buffer): Keyed {
  const [requestId, ordinal] = readHead(line)
  return { line, key: `${requestId} ${ordinal}`, atMs: timeOf(requestId), requestId }
}

/** The milliseconds in an id of version 7, by which the table is sorted too. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
