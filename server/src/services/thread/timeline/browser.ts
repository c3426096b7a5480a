import type { ErrorLine } from '../../../ground/model/session.ts'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { groupBy } from '../group-by.ts'
import { redactUrl } from '../record/redact.ts'
import { type BrowserMoment, moment, ofKind } from './browser-moment.ts'
import { clickMoments, labelClicks } from './clicks.ts'
import { findRepeatedLines } from './error-lines.ts'
import type { NodeNames } from './node-names.ts'
import type { Recorded, RecordedMoment } from './rrweb.ts'
import { clickedField, inputMoments, typings } from './typing.ts'

/** A page event of an address already shown is a reload, unless it is the one that showed it. */
const samePageMs = 2000

/** Makes one list of what the recording and the captured events say; not yet in order. */
export function browserMoments(
  recorded: Recorded,
  events: readonly SessionEvent[],
  names: NodeNames,
): readonly BrowserMoment[] {
  const clicks = labelClicks(recorded.moments, events, names)
  return [
    ...clickMoments(clicks),
    ...pageMoments(recorded.moments, events),
    ...inputMoments(recorded.moments, events, clicks.recorded, names),
    ...consoleMoments(recorded.moments, events),
    ...events.flatMap(eventMoments),
  ]
}

/** Whether the recording has clicks or keystrokes that no captured click names, so that its pages are worth a look. */
export function hasNamelessMoments(recorded: Recorded, events: readonly SessionEvent[]): boolean {
  const clicks = labelClicks(recorded.moments, events, new Map()).recorded
  return (
    [...clicks.values()].flat().some(({ label }) => label === null) ||
    typings(ofKind(recorded.moments, 'input')).some((typing) => clickedField(clicks, typing) === null)
  )
}

function pageMoments(moments: readonly RecordedMoment[], events: readonly SessionEvent[]): readonly BrowserMoment[] {
  const signs = [
    ...ofKind(moments, 'address').map(({ windowId, clientMs, href }) => ({
      windowId: windowId as string | null,
      clientMs,
      href,
      title: null as unknown,
      reloads: false,
    })),
    ...events
      .filter(({ event, currentUrl }) => event === '$pageview' && currentUrl !== null)
      .map(({ windowId, clientTime, currentUrl, properties }) => ({
        windowId,
        clientMs: clientTime.getTime(),
        href: currentUrl ?? '',
        title: properties.title,
        reloads: true,
      })),
  ].sort((a, b) => a.clientMs - b.clientMs)

  const pages: BrowserMoment[] = []
  for (const inWindow of groupBy(signs, ({ windowId }) => windowId).values()) {
    let shown: { readonly href: string; readonly clientMs: number; readonly index: number } | null = null
    for (const { windowId, clientMs, href, title, reloads } of inWindow) {
      const known = shown !== null && shown.href === href
      const reloaded = known && reloads && clientMs - (shown?.clientMs ?? 0) > samePageMs
      const properties = { href: redactUrl(href), ...(typeof title === 'string' ? { title } : {}) }
      if (known && !reloaded) {
        const page = pages[shown?.index ?? -1]
        if (page !== undefined && 'title' in properties) pages[shown?.index ?? -1] = { ...page, properties }
        continue
      }
      shown = { href, clientMs, index: pages.length }
      pages.push(moment('page', windowId, clientMs, { label: pagePath(href), properties }))
    }
  }
  return pages
}

/** The path of an address, with the fragment where that is the route (`#/orders`). */
function pagePath(href: string): string {
  if (!URL.canParse(href)) return href.slice(0, 200)
  const { pathname, hash } = new URL(href)
  return hash.startsWith('#/') ? pathname + (hash.split('?')[0] ?? '') : pathname
}

/** An error that was captured as an exception stands there once, as that. */
function consoleMoments(moments: readonly RecordedMoment[], events: readonly SessionEvent[]): readonly BrowserMoment[] {
  const lines = ofKind(moments, 'console')
  const repeated = findRepeatedLines(
    lines.filter(({ level }) => level === 'error'),
    events.filter(({ event }) => event === '$exception').map(exceptionLine),
  )
  return lines
    .filter((line) => !repeated.has(line))
    .map(({ windowId, clientMs, level, text }) => moment('console', windowId, clientMs, { label: text, level }))
}

const exceptionLine = ({ windowId, clientTime, properties }: SessionEvent): ErrorLine => ({
  windowId,
  clientMs: clientTime.getTime(),
  text: String(exceptionParts(properties).message ?? ''),
})

function eventMoments(event: SessionEvent): readonly BrowserMoment[] {
  const at = event.clientTime.getTime()
  if (event.event === '$exception')
    return [
      moment('exception', event.windowId, at, {
        label: exceptionText(event.properties),
        level: 'error',
        eventId: event.uuid,
      }),
    ]
  if (event.event.startsWith('$')) return []
  const own = Object.entries(event.properties).filter(
    ([name]) => !name.startsWith('$') && name !== 'token' && name !== 'distinct_id',
  )
  return [moment('event', event.windowId, at, { label: event.event, properties: Object.fromEntries(own) })]
}

function exceptionParts(properties: Readonly<Record<string, unknown>>) {
  const list: unknown = properties.$exception_list
  const first: unknown = Array.isArray(list) ? list[0] : null
  const { type, value } = { type: undefined, value: undefined, ...(typeof first === 'object' ? first : null) }
  return { name: type ?? properties.$exception_type, message: value ?? properties.$exception_message }
}

function exceptionText(properties: Readonly<Record<string, unknown>>): string {
  const { name, message } = exceptionParts(properties)
  const text = [name, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return text === '' ? 'Exception' : text.slice(0, 500)
}
