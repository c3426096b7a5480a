import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import type { RecordingClock, StoredMessage } from '../../ground/model/recording.ts'
import { createReplay, replayTables } from './index.ts'

test('a stretch is read by itself, with each window’s last whole page before it where that is asked', async ({
  clickhouse,
}) => {
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const replay = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 1000 } })
  const [meta, page, change] = [4, 2, 3]
  const messages: readonly (readonly [windowId: string, atMs: number, types: readonly number[]])[] = [
    ['a', 0, [meta, page]],
    ['a', 2000, [change]],
    ['b', 61_000, [meta, page]],
    ['a', 62_000, [change]],
    // The address of a page that stands in the next message.
    ['a', 119_000, [change, meta]],
    ['a', 120_000, [page, change]],
    ['a', 130_000, [change]],
    ['a', 180_000, [change]],
  ]
  const begunMs = 1_790_000_000_000
  const lines = messages.map(([windowId, atMs, types], index) =>
    replay.toLine(
      {
        ...{ distinctId: 'ann', sessionId: 'stretches', windowId, sentAtMs: begunMs + atMs },
        uuid: `01998a5e-7b7c-7e3f-8a4e-0000000000${10 + index}`,
        events: types.map((type, at) => ({ type, timestamp: begunMs + atMs + at, data: { source: 3 } })),
      },
      { receivedAtMs: begunMs + atMs, userAgent: null },
    ),
  )
  await replay.store(lines.flatMap((line) => line ?? []))
  const read = async (fromMs: number, toMs: number, withPage: boolean, clock?: RecordingClock): Promise<string[]> => {
    const found: string[] = []
    const stretch = { fromMs, toMs, withPage }
    for await (const json of replay.messages('stretches', { offsetMs: 0, stretch, clock })) {
      const message = JSON.parse(json) as StoredMessage & { events: { timestamp: number }[] }
      found.push(`${message.windowId} ${((message.events[0]?.timestamp ?? 0) - begunMs) / 1000}`)
    }
    return found
  }
  expect(await read(0, 60_000, true)).toEqual(['a 0', 'a 2'])
  expect(await read(60_000, 120_000, false)).toEqual(['a 62', 'a 119', 'b 61'])
  expect(await read(60_000, 120_000, true)).toEqual(['a 0', 'a 2', 'a 62', 'a 119', 'b 61'])
  // At that instant the page is not written down yet: the one before it is shown.
  expect(await read(120_000, 125_000, true)).toEqual(['a 0', 'a 2', 'a 62', 'a 119', 'a 120', 'b 61'])
  expect(await read(130_000, 180_000, true)).toEqual(['a 119', 'a 120', 'a 130', 'b 61'])
  expect(await read(180_000, 8.64e15, false)).toEqual(['a 180'])
  expect(await read(200_000, 300_000, false)).toEqual([])
  // Counted from the beginning that the reader knows.
  expect(await read(130_000, 180_000, true, { begunMs, offsetMs: 0 })).toEqual(['a 119', 'a 120', 'a 130', 'b 61'])
  expect(await read(60_000, 120_000, false, { begunMs: begunMs + 60_000, offsetMs: 0 })).toEqual(['a 120', 'a 130'])

  const outline = await replay.outline('stretches')
  expect(outline).toMatchObject({ begunMs, isCut: false })
  expect(outline?.parts.map(({ windowId, fromMs, hasPage }) => [windowId, fromMs, hasPage])).toEqual(
    messages.map(([windowId, atMs, types]) => [windowId, atMs, types.includes(page)]),
  )
  expect(outline?.parts[1]).toMatchObject({ tail: '000000000011', toMs: 2000, active: { fromMs: 2000, toMs: 2000 } })
  expect(outline?.parts[0]).toMatchObject({ toMs: 1, active: null })
  const short = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 3 } })
  expect(await short.outline('stretches')).toMatchObject({ isCut: true, parts: outline?.parts.slice(0, 3) })
  expect(await replay.outline('other')).toBeNull()

  const brief = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 7 } })
  const minutes = await brief.outline('stretches')
  expect(minutes).toMatchObject({ begunMs, isCut: false })
  const single = outline?.parts ?? []
  // A page stands by itself, as does a message that is alone in its minute.
  expect(minutes?.parts).toEqual([
    ...single.slice(0, 3),
    {
      ...{ windowId: 'a', tail: '', messages: 2, fromMs: 62_000, lastFromMs: 119_000, toMs: 119_001, hasPage: false },
      ...{ active: { fromMs: 62_000, toMs: 119_000 }, bytes: (single[3]?.bytes ?? 0) + (single[4]?.bytes ?? 0) },
    },
    ...single.slice(5),
  ])
})
