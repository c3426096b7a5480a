import { elementLabel } from '../../../ground/events/elements.ts'
import type { ErrorLine } from '../../../ground/model/session.ts'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { groupBy } from '../group-by.ts'
import { redactUrl } from '../record/redact.ts'
import { findRepeatedLines } from './error-lines.ts'
import { type NodeNames, nodeNameKey } from './node-names.ts'
import type { Recorded, RecordedMoment } from './rrweb.ts'

/** Something that happened in the browser, at the browser's own time, recorded and captured made one. */
export interface BrowserMoment {
  readonly kind: 'page' | 'click' | 'input' | 'event' | 'console' | 'exception'
  readonly windowId: string | null
  readonly clientMs: number
  /** For typing: its last keystroke. */
  readonly untilMs: number | null
  readonly label: string
  readonly level: string | null
  readonly properties: Readonly<Record<string, unknown>> | null
  /** Of an exception, the id of its event. */
  readonly eventId: string | null
  /** Of typing: how many keystrokes and choices. */
  readonly keys: number
}

/** A captured click and a recorded one are one click within this; both are stamped while the click is handled. */
const sameClickMs = 250
/** A label's click is followed at once by the browser's own click on its field. */
const echoClickMs = 20
/** A page event of an address already shown is a reload, unless it is the one that showed it. */
const samePageMs = 2000
const sameFieldMs = 5000
/** A box is ticked while its click is handled. */
const tickMs = 50
/** `change` is captured when the field is left. */
const fieldLeftMs = 30_000

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

const captured = (events: readonly SessionEvent[], type: string): readonly SessionEvent[] =>
  events.filter(({ event, properties }) => event === '$autocapture' && properties.$event_type === type)

const ofKind = <Kind extends RecordedMoment['kind']>(moments: readonly RecordedMoment[], kind: Kind) =>
  moments.filter((moment): moment is Extract<RecordedMoment, { kind: Kind }> => moment.kind === kind)

interface RecordedClick {
  readonly windowId: string
  readonly clientMs: number
  readonly nodeId: number
  /** From the captured click, else from the recorded page. */
  label: string | null
  taken: boolean
}

interface Clicks {
  readonly recorded: ReadonlyMap<string, readonly RecordedClick[]>
  /** Captured, but not in the recording. */
  readonly unrecorded: readonly BrowserMoment[]
}

/** Finds for each captured click the recorded one, which it names. */
function labelClicks(moments: readonly RecordedMoment[], events: readonly SessionEvent[], names: NodeNames): Clicks {
  const recorded = groupBy(
    ofKind(moments, 'click')
      .map(
        ({ windowId, clientMs, nodeId }): RecordedClick => ({ windowId, clientMs, nodeId, label: null, taken: false }),
      )
      .sort((a, b) => a.clientMs - b.clientMs),
    ({ windowId }) => windowId,
  )
  const unrecorded: BrowserMoment[] = []
  for (const event of captured(events, 'click')) {
    const at = event.clientTime.getTime()
    const label = elementLabel(event.properties, event.elementsChain)
    const near = (recorded.get(event.windowId ?? '') ?? [])
      .filter((click) => !click.taken && Math.abs(click.clientMs - at) <= sameClickMs)
      .sort((a, b) => Math.abs(a.clientMs - at) - Math.abs(b.clientMs - at))[0]
    if (near === undefined) {
      unrecorded.push(moment('click', event.windowId, at, { label: label ?? 'Click' }))
    } else {
      near.taken = true
      near.label = label
    }
  }
  for (const click of [...recorded.values()].flat())
    click.label ??= names.get(nodeNameKey(click.windowId, click.clientMs, click.nodeId)) ?? null
  return { recorded, unrecorded }
}

/** Whether the recording has clicks or keystrokes that no captured click names, so that its pages are worth a look. */
export function hasNamelessMoments(recorded: Recorded, events: readonly SessionEvent[]): boolean {
  const clicks = labelClicks(recorded.moments, events, new Map()).recorded
  return (
    [...clicks.values()].flat().some(({ label }) => label === null) ||
    typings(ofKind(recorded.moments, 'input')).some((typing) => clickedField(clicks, typing) === null)
  )
}

function clickMoments({ recorded, unrecorded }: Clicks): readonly BrowserMoment[] {
  const chosen = [...recorded.values()].flatMap((clicks) =>
    clicks.filter((click, index) => {
      const before = clicks[index - 1]
      const after = clicks[index + 1]
      const echoes = (other: typeof before): boolean =>
        other !== undefined && Math.abs(click.clientMs - other.clientMs) <= echoClickMs
      // Of a click and its echo the labelled one stands; of two alike, the first.
      return click.label !== null || !(echoes(before) || (echoes(after) && after?.label !== null))
    }),
  )
  return [
    ...chosen.map(({ windowId, clientMs, label }) => moment('click', windowId, clientMs, { label: label ?? 'Click' })),
    ...unrecorded,
  ]
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

interface Typing {
  readonly windowId: string
  readonly nodeId: number
  readonly clientMs: number
  untilMs: number
  keys: number
}

function inputMoments(
  moments: readonly RecordedMoment[],
  events: readonly SessionEvent[],
  clicks: Clicks['recorded'],
  names: NodeNames,
): readonly BrowserMoment[] {
  const typed = typings(ofKind(moments, 'input')).filter(isOneAtATime)
  const left = leftFields(typed, captured(events, 'change'))
  return typed
    .filter(
      (typing) =>
        // The click on a box says that it was ticked.
        typing.untilMs > typing.clientMs ||
        !(clicks.get(typing.windowId) ?? []).some(({ clientMs }) => Math.abs(clientMs - typing.clientMs) <= tickMs),
    )
    .map((typing) => {
      const { windowId, nodeId, clientMs, untilMs, keys } = typing
      const label =
        names.get(nodeNameKey(windowId, clientMs, nodeId)) ?? clickedField(clicks, typing) ?? left.get(typing) ?? null
      return { ...moment('input', windowId, clientMs, { label: label ?? 'Input' }), untilMs, keys }
    })
}

/** Fields of a window that are filled at once were filled by its page: no hand is so quick. */
function isOneAtATime({ windowId, nodeId, clientMs, untilMs }: Typing, index: number, all: readonly Typing[]): boolean {
  const isBeside = (other: Typing | undefined): boolean =>
    other !== undefined &&
    other.windowId === windowId &&
    other.nodeId !== nodeId &&
    Math.abs(other.clientMs - clientMs) <= tickMs
  return untilMs > clientMs || !(isBeside(all[index - 1]) || isBeside(all[index + 1]))
}

/** Keystrokes of one field without a long pause are one. */
function typings(inputs: readonly Extract<RecordedMoment, { kind: 'input' }>[]): readonly Typing[] {
  const merged: Typing[] = []
  const latest = new Map<string, Typing>()
  for (const { windowId, nodeId, clientMs } of [...inputs].sort((a, b) => a.clientMs - b.clientMs)) {
    const before = latest.get(windowId)
    if (before !== undefined && before.nodeId === nodeId && clientMs - before.untilMs <= sameFieldMs) {
      before.untilMs = clientMs
      before.keys += 1
      continue
    }
    const typing: Typing = { windowId, nodeId, clientMs, untilMs: clientMs, keys: 1 }
    latest.set(windowId, typing)
    merged.push(typing)
  }
  return merged
}

/** Names by the `change` that is captured when a field is left: it is of the field last typed into. */
function leftFields(typed: readonly Typing[], changes: readonly SessionEvent[]): ReadonlyMap<Typing, string> {
  const names = new Map<Typing, string>()
  for (const change of changes) {
    const at = change.clientTime.getTime()
    const typing = typed.findLast(
      ({ windowId, clientMs }) => windowId === change.windowId && clientMs <= at + echoClickMs,
    )
    const label = elementLabel(change.properties, change.elementsChain)
    if (typing === undefined || label === null || at - typing.untilMs > fieldLeftMs || names.has(typing)) continue
    names.set(typing, label)
  }
  return names
}

/** The field's name by the click into it: the recorder says of both which element it was. */
const clickedField = (clicks: Clicks['recorded'], { windowId, nodeId, clientMs }: Typing): string | null =>
  (clicks.get(windowId) ?? []).findLast((click) => click.nodeId === nodeId && click.clientMs <= clientMs)?.label ?? null

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

const moment = (
  kind: BrowserMoment['kind'],
  windowId: string | null,
  clientMs: number,
  rest: {
    readonly label: string
    readonly level?: string
    readonly properties?: Readonly<Record<string, unknown>>
    readonly eventId?: string
  },
): BrowserMoment => ({
  kind,
  windowId,
  clientMs,
  untilMs: null,
  label: rest.label,
  level: rest.level ?? null,
  properties: rest.properties ?? null,
  eventId: rest.eventId ?? null,
  keys: 0,
})
