import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { recordings } from '../../../../test/counted-recordings.ts'
import type { Spool } from '../../../engines/spool/index.ts'
import { createThreads } from '../../../engines/threads/index.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { analyticsSettings } from '../settings.ts'
import type { EventTarget } from '../targets.ts'
import { createCapture } from './capture.ts'
import { createCaptureCounts } from './counts.ts'

test('a large body of regular events that came unpacked is taken without a thread', async () => {
  const threads = createThreads()
  await threads.close()
  const appended: Parameters<Spool<EventTarget>['append']>[0][number][] = []
  const { values: settings } = readSettings(analyticsSettings, [])
  const counts = createCaptureCounts()
  const capture = createCapture({
    ...{ threads, counts, settings, recordings, tokens: ['phc'], jsonDepth: 200, newId: uuidv7 },
    spool: {
      append: async (records) => {
        appended.push(...records)
        return true
      },
    },
    ...{ isKnown: () => false, isAt: () => false, isKnownType: () => false, dailySecret: async () => 'secret' },
    places: { find: () => null, bytes: () => null },
  })
  const take = (body: Buffer) =>
    capture.take({
      ...{ kind: 'events', query: { token: null, sentAt: null }, v1: null },
      encoded: { contentType: '', contentEncoding: '', body, dataParameter: null, compression: null },
      sender: { arrivedAt: new Date(), remoteAddress: '127.0.0.1', userAgent: null },
    })
  const event = { event: 'ordered', properties: { distinct_id: 'ada', filler: 'x'.repeat(1000) } }
  const bodyOf = (events: number, more: object = {}): Buffer =>
    Buffer.from(
      JSON.stringify({
        api_key: 'phc',
        batch: Array.from({ length: events }, () => ({ uuid: uuidv7(), ...event, ...more })),
      }),
    )
  const large = bodyOf(1000)
  await take(large)
  expect(appended).toEqual([expect.objectContaining({ target: 'bodies', rows: 1000, rest: large })])
  expect(counts.now().accepted).toBe(1000)
  // What has to be unpacked or parsed, or is larger than may be read in place, needs one.
  for (const body of [gzipSync(large), bodyOf(1000, { uuid: undefined }), bodyOf(2000)])
    await expect(take(body)).rejects.toMatchObject({ code: 'CLEW_INGEST_BUSY' })
  expect(appended).toHaveLength(1)
})
