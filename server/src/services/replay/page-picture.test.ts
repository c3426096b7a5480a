import { expect } from 'vitest'
import { test as base } from '../../../test/harness.ts'
import type { PageObservation } from '../../ground/model/recording.ts'
import { createReplay, replayTables } from './index.ts'

const at = Date.parse('2026-03-31T12:00:00Z')
const roomy = 1000

interface Message {
  readonly second: number
  readonly full?: boolean
  readonly session?: string
  readonly window?: string
  readonly bytes?: number
}

const test = base.extend('world', async ({ clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const store = async (...messages: readonly Message[]): Promise<void> => {
    const rows = messages.map(({ second, full = false, session = 's1', window = 'w1', bytes = 100 }) =>
      JSON.stringify({
        ...{ session_id: session, window_id: window, distinct_id: 'd', bytes, has_full_snapshot: full },
        uuid: `00000000-0000-4000-8000-${String(second).padStart(12, '0')}`,
        ...{ first_ts: at + second * 1000, last_ts: at + second * 1000, received_at: at + second * 1000 },
        data: `[${second}]`,
      }),
    )
    await clickhouse.insertLines('snapshots', rows)
  }
  onCleanup(() => clickhouse.command({ text: 'truncate table snapshots', parameters: {} }))
  const replay = createReplay({ clickhouse, settings: { errorsPerSession: 5, outlinedMessages: 100 } })
  const picture = async (observations: readonly PageObservation[], maxBytes = roomy) => {
    const found = await replay.pagePicture(observations, maxBytes)
    if (found === null) return null
    const seconds = found.messages.split('\n').map((line) => (JSON.parse(line) as { events: number[] }).events[0])
    return [`${found.sessionId} ${found.windowId} ${(found.atMs - at) / 1000}`, seconds]
  }
  return { picture, store }
})

const seen = (second: number, sessionId = 's1', windowId = 'w1'): PageObservation => ({
  ...{ sessionId, windowId, clientMs: at + second * 1000, width: 1200, height: 800 },
})

test('a page is drawn from its last full snapshot up to the moment, each message once', async ({
  world: { picture, store },
}) => {
  const messages: readonly Message[] = [
    ...[{ second: 0, full: true }, { second: 1 }, { second: 10, full: true }, { second: 12 }, { second: 14 }],
    ...[
      { second: 11, window: 'w2', full: true },
      { second: 20, full: true },
    ],
  ]
  await store(...messages)
  await store(...messages.slice(2, 5))
  expect(await picture([seen(12.5)])).toEqual(['s1 w1 12.5', [10, 12]])
  expect(await picture([seen(5)])).toEqual(['s1 w1 5', [0, 1]])
  expect(await picture([seen(30, 's1', 'w2')])).toEqual(['s1 w2 30', [11]])
})

test('the latest moment that is recorded is drawn, and one that takes too many bytes is passed over', async ({
  world: { picture, store },
}) => {
  await store(
    ...[
      { second: 0, full: true },
      { second: 100, session: 's2' },
    ],
    ...[
      { second: 200, session: 's3', full: true, bytes: 800 },
      { second: 201, session: 's3', bytes: 300 },
    ],
  )
  const observations = [seen(300, 'none'), seen(202, 's3'), seen(101, 's2'), seen(1)]
  expect(await picture(observations)).toEqual(['s1 w1 1', [0]])
  expect(await picture(observations, 2000)).toEqual(['s3 w1 202', [200, 201]])
  expect(await picture([seen(101, 's2'), seen(-1)])).toBeNull()
  expect(await picture([])).toBeNull()
})
