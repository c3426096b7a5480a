import { elementLabel } from '../../../ground/events/elements.ts'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { groupBy } from '../group-by.ts'
import { type BrowserMoment, captured, moment, ofKind } from './browser-moment.ts'
import { type NodeNames, nodeNameKey } from './node-names.ts'
import type { RecordedMoment } from './rrweb.ts'

/** A captured click and a recorded one are one click within this; both are stamped while the click is handled. */
const sameClickMs = 250
/** A label's click is followed at once by the browser's own click on its field. */
export const echoClickMs = 20

/** A click in the recording. */
interface RecordedClick {
  readonly windowId: string
  readonly clientMs: number
  readonly nodeId: number
  /** From the captured click, else from the recorded page. */
  label: string | null
  taken: boolean
}

/** The clicks of a session. */
export interface Clicks {
  readonly recorded: ReadonlyMap<string, readonly RecordedClick[]>
  /** Captured, but not in the recording. */
  readonly unrecorded: readonly BrowserMoment[]
}

/** Finds for each captured click the recorded one, which it names. */
export function labelClicks(
  moments: readonly RecordedMoment[],
  events: readonly SessionEvent[],
  names: NodeNames,
): Clicks {
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

/** Each click once. */
export function clickMoments({ recorded, unrecorded }: Clicks): readonly BrowserMoment[] {
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
