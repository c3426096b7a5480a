import type { SessionEvent } from '../../../ground/model/session-event.ts'
import type { RecordedMoment } from './rrweb.ts'

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

/** A moment; what is not given, it has not. */
export const moment = (
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

/** The captured events of one type of element's event. */
export const captured = (events: readonly SessionEvent[], type: string): readonly SessionEvent[] =>
  events.filter(({ event, properties }) => event === '$autocapture' && properties.$event_type === type)

/** The recorded moments of a kind. */
export const ofKind = <Kind extends RecordedMoment['kind']>(moments: readonly RecordedMoment[], kind: Kind) =>
  moments.filter((moment): moment is Extract<RecordedMoment, { kind: Kind }> => moment.kind === kind)
