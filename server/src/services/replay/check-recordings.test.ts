import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { checkRecordings } from './check-recordings.ts'
import { createReplay, replayTables } from './index.ts'

const startMs = Date.parse('2026-03-02T10:00:00Z')
const now = new Date(startMs + 3_600_000)

test('the latest recordings are read as the player does; one of which nothing is left to play is told', async ({
  clickhouse,
}) => {
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const replay = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 1000 } })
  const record = async (sessionId: string, atMs: number): Promise<void> => {
    const message = { uuid: uuidv7(), distinctId: 'ann', sessionId, windowId: 'w', sentAtMs: atMs }
    const line = replay.toLine(
      {
        ...message,
        events: [{ type: 4, timestamp: atMs, data: { href: 'https://shop.example/', width: 10, height: 10 } }],
      },
      { receivedAtMs: atMs, userAgent: '' },
    )
    await replay.store([line ?? expect.fail('It cannot be played.')])
  }
  for (const [minute, sessionId] of ['oldest', 'middle', 'newest'].entries())
    await record(sessionId, startMs + minute * 60_000)
  expect(await checkRecordings(replay, 2, now)).toEqual({ checked: 2, broken: [] })
  // Its row is there, and what it recorded is not.
  await clickhouse.command({
    text: `alter table snapshots update data = '[]' where session_id = 'middle' settings mutations_sync = 1`,
    parameters: {},
  })
  expect(await checkRecordings(replay, 2, now)).toEqual({ checked: 2, broken: ['middle'] })
  expect(await checkRecordings(replay, 1, now)).toEqual({ checked: 1, broken: [] })
})
