import { gzipSync } from 'node:zlib'
import { uuidv7 } from '../server/src/ground/ids/uuidv7.ts'

const words = 'order price garden window status person delivery amount customer address invoice number'.split(' ')

/** A recorder's event: a movement of the mouse, a change of the page, a scroll, in the proportions of a busy page. */
function recorderEvent(index: number, timestamp: number): object {
  const word = (offset: number): string => words[(index * 7 + offset) % words.length] ?? ''
  if (index % 4 === 0) {
    const positions = Array.from({ length: 12 }, (_, step) => ({
      x: (index * 31 + step * 17) % 1280,
      y: (index * 13 + step * 11) % 720,
      id: (index * 5 + step) % 900,
      timeOffset: -500 + step * 40,
    }))
    return { type: 3, data: { source: 1, positions }, timestamp }
  }
  if (index % 7 === 0) return { type: 3, data: { source: 3, id: 1, x: 0, y: (index * 37) % 4000 }, timestamp }
  if (index % 11 === 0) return { type: 3, data: { source: 2, type: 2, id: index % 900, x: 400, y: 300 }, timestamp }
  const id = 1000 + index
  const attributes = { class: `${word(1)}-row ${word(2)}`, 'data-id': String(id), style: `width: ${index % 300}px` }
  const text = { type: 3, textContent: `${word(3)} ${word(4)} ${id}`, id: id + 1 }
  const node = { type: 2, tagName: 'div', attributes, childNodes: [], id }
  const adds = [
    { parentId: index % 900, nextId: null, node },
    { parentId: id, nextId: null, node: text },
  ]
  return { type: 3, data: { source: 0, texts: [], attributes: [], removes: [], adds }, timestamp }
}

/** Makes bodies of `/s/` of some size before compression, as posthog-js sends them, every message with an id of its own. */
export function createRecordings(token: string, count: number, bytes: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, message) => {
    const events: object[] = []
    for (let size = 0; size < bytes; ) {
      const event = recorderEvent(message * 97 + events.length, Date.now() - 2000 + events.length * 5)
      events.push(event)
      size += JSON.stringify(event).length + 1
    }
    const sessionId = uuidv7()
    const properties = {
      $snapshot_bytes: bytes,
      $snapshot_data: events,
      $session_id: sessionId,
      $window_id: uuidv7(),
      $lib: 'web',
      $lib_version: '1.434.18',
      token,
      distinct_id: `person-${message % 500}`,
    }
    const now = new Date().toISOString()
    return gzipSync(JSON.stringify([{ uuid: uuidv7(), event: '$snapshot', properties, timestamp: now, sent_at: now }]))
  })
}
