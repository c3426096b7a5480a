import { gzipSync } from 'node:zlib'
import { uuidv7 } from '../server/src/ground/ids/uuidv7.ts'

/** Bodies of `/batch/`: page events with a browser's properties, each with a new id. */
export function createBatches(
  token: string,
  count: number,
  { eventsPerBatch, compressed }: { readonly eventsPerBatch: number; readonly compressed: boolean },
): readonly Buffer[] {
  return Array.from({ length: count }, (_, batch) => {
    const now = new Date().toISOString()
    const events = Array.from({ length: eventsPerBatch }, (_, index) => ({
      event: index % 5 === 0 ? '$pageview' : 'item viewed',
      uuid: uuidv7(),
      distinct_id: `person-${(batch * 7 + index) % 500}`,
      timestamp: now,
      properties: {
        $session_id: uuidv7(),
        $window_id: uuidv7(),
        $current_url: `https://shop.example/items/${index}?ref=mail`,
        $pathname: `/items/${index}`,
        $browser: 'Chrome',
        $browser_version: 140,
        $os: 'Mac OS X',
        $device_type: 'Desktop',
        $screen_width: 1728,
        $lib: 'web',
        $lib_version: '1.434.18',
        $process_person_profile: false,
        price_cents: index * 10,
        title: 'An item that somebody looked at',
      },
    }))
    const body = Buffer.from(JSON.stringify({ api_key: token, batch: events, sent_at: now }))
    return compressed ? gzipSync(body) : body
  })
}
