import { randomUUID } from 'node:crypto'
import type { SessionDetail } from '../../console/src/lib/api/schemas.ts'
import type { ConsoleApi } from './console-api.ts'
import type { ProductFacts } from './product.ts'

/** An element as rrweb records it; its ids are given when the page is made. */
export interface RecordedElement {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly children?: readonly (RecordedElement | string)[]
  readonly isSVG?: boolean
  /** To be changed by later events. */
  readonly id?: number
}

/** An rrweb event without its time. */
export interface RawEvent {
  readonly type: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A full snapshot of a page with these elements in its head and body. */
export function snapshotOf(head: readonly RecordedElement[], body: readonly RecordedElement[]): RawEvent {
  let lastId = 1000
  const node = ({ tag, attributes = {}, children = [], isSVG, id }: RecordedElement): object => ({
    type: 2,
    tagName: tag,
    attributes,
    id: id ?? ++lastId,
    ...(isSVG === true ? { isSVG: true } : {}),
    childNodes: children.map((child) =>
      typeof child === 'string'
        ? { type: 3, textContent: child, id: ++lastId, ...(tag === 'style' ? { isStyle: true } : {}) }
        : node(child),
    ),
  })
  const page = node({
    tag: 'html',
    children: [
      { tag: 'head', children: head },
      { tag: 'body', children: body },
    ],
  })
  const doctype = { type: 1, name: 'html', publicId: '', systemId: '', id: ++lastId }
  return {
    type: 2,
    data: { node: { type: 0, id: 1, childNodes: [doctype, page] }, initialOffset: { left: 0, top: 0 } },
  }
}

/** A page that was opened, in a window of 800 by 600. */
export const metaOf = (href: string): RawEvent => ({ type: 4, data: { href, width: 800, height: 600 } })

/** A change of kind `source`, as rrweb numbers them. */
export const changeOf = (source: number, data: object): RawEvent => ({ type: 3, data: { source, ...data } })

/**
 * Sends a recording, which takes no more than the public token; its events are 400 ms apart.
 *
 * @param properties what the event carries besides
 * @returns the session's id
 */
export async function sendRecording(
  { apiUrl, ingestToken }: ProductFacts,
  events: readonly object[],
  properties: object = {},
): Promise<string> {
  const startMs = Date.now() - 60_000
  const sessionId = uuidv7(startMs)
  const answer = await fetch(`${apiUrl}/ingest/s/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        event: '$snapshot',
        sent_at: Date.now(),
        properties: {
          token: ingestToken,
          distinct_id: 'visitor-1',
          $session_id: sessionId,
          $window_id: uuidv7(startMs),
          $snapshot_data: events.map((event, index) => ({ ...event, timestamp: startMs + index * 400 })),
          ...properties,
        },
      },
    ]),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return sessionId
}

/** Whether a session's recording can be played. */
export const isRecorded = (api: ConsoleApi, sessionId: string): Promise<boolean> =>
  api.get<SessionDetail>(`/sessions/${sessionId}`).then(
    ({ session }) => session.hasRecording,
    () => false,
  )

/** An id of the form that posthog-js gives sessions and windows. */
function uuidv7(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
