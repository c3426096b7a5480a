import { elementLabel } from '../../../ground/events/elements.ts'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { type BrowserMoment, captured, moment, ofKind } from './browser-moment.ts'
import { type Clicks, echoClickMs } from './clicks.ts'
import { type NodeNames, nodeNameKey } from './node-names.ts'
import type { RecordedMoment } from './rrweb.ts'

/** Keystrokes of a field within this of one another are one typing. */
const sameFieldMs = 5000
/** A box is ticked while its click is handled. */
const tickMs = 50
/** `change` is captured when the field is left. */
const fieldLeftMs = 30_000

/** Keystrokes and choices in a field. */
interface Typing {
  readonly windowId: string
  readonly nodeId: number
  readonly clientMs: number
  untilMs: number
  keys: number
}

/** What was typed, and into which field. */
export function inputMoments(
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
export function typings(inputs: readonly Extract<RecordedMoment, { kind: 'input' }>[]): readonly Typing[] {
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
export const clickedField = (clicks: Clicks['recorded'], { windowId, nodeId, clientMs }: Typing): string | null =>
  (clicks.get(windowId) ?? []).findLast((click) => click.nodeId === nodeId && click.clientMs <= clientMs)?.label ?? null
