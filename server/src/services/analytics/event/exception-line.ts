import { type ExceptionRecord, isExceptionProperty } from '../../../ground/errors/exception-record.ts'
import { textOf } from '../../../ground/json/object.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { CapturedEvent } from './event.ts'

const longestName = 100

/** What is kept of an event `$exception` beside the event, as a line (analytics §3); null for any other event. */
export function renderExceptionLine(event: CapturedEvent): string | null {
  if (event.event !== '$exception') return null
  const { properties } = event
  const text = (name: string): string => textOf(properties[name]) ?? ''
  return stringifyWellFormed({
    id: event.uuid,
    source: properties.$lib === 'web' ? 'browser' : 'server',
    timeMs: event.timestampMs,
    clientTimeMs: event.clientTimeMs,
    receivedAtMs: event.receivedAtMs,
    sessionId: event.sessionId,
    windowId: event.windowId,
    distinctId: event.distinctId,
    userId: '',
    requestId: '',
    url: text('$current_url'),
    browser: text('$browser').slice(0, longestName),
    os: text('$os').slice(0, longestName),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isExceptionProperty(name))),
  } satisfies ExceptionRecord)
}
