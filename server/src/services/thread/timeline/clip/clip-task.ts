import { createHash } from 'node:crypto'
import type { TaskOutput } from '../../../../engines/threads/index.ts'
import type { MessageLineHead } from '../../../../ground/model/recording.ts'
import type { Span } from '../rrweb.ts'
import { type Clipper, createClipper, type Standing } from './clipper.ts'

/** Some lines of a recording's file, on their way to a clip of it. */
export interface ClipTask {
  /** Tells clips that are cut at once from one another. */
  readonly name: string
  /** On the server's clock, in milliseconds since 1970. */
  readonly span: Span
  /** A `MessageLineHead` with its events each, window by window. */
  readonly lines: readonly string[]
  readonly isLast: boolean
}

type MessageLine = MessageLineHead & { readonly events: readonly unknown[] }

interface Clip {
  readonly clipper: Clipper
  /** The line that was read last; its events are done with. */
  last: MessageLine | null
  hasEvents: boolean
  /** Of the windows that stood still, the one in which something happened last. */
  standing: (Standing & { readonly line: MessageLine }) | null
}

/** Of this thread alone, which is why their pool has no other. */
const clips = new Map<string, Clip>()

/** Cuts some lines in a thread; the value are those of the clip. */
export function run({ name, span, lines, isLast }: ClipTask): TaskOutput {
  const out: string[] = []
  for (const json of lines) {
    // ClickHouse wrote it.
    const line = JSON.parse(json) as MessageLine
    const clip = clips.get(name) ?? begin(span, line.offsetMs)
    clips.set(name, clip)
    if (clip.last !== null && clip.last.windowId !== line.windowId) keepStanding(clip)
    const events = clip.clipper.take(line.windowId, line.events)
    clip.last = { ...line, events: [] }
    clip.hasEvents ||= events.length > 0
    if (events.length > 0) out.push(render(line, events, span))
  }
  const clip = clips.get(name)
  if (isLast && clip !== undefined) {
    keepStanding(clip)
    if (!clip.hasEvents && clip.standing !== null) out.push(render(clip.standing.line, clip.standing.events, span))
    clips.delete(name)
  }
  return { value: out, transfer: [] }
}

const begin = ({ fromMs, toMs }: Span, offsetMs: number): Clip => ({
  clipper: createClipper({ fromMs: fromMs - offsetMs, toMs: toMs - offsetMs }),
  ...{ last: null, hasEvents: false, standing: null },
})

function keepStanding(clip: Clip): void {
  if (clip.hasEvents || clip.last === null) return
  const found = clip.clipper.standing()
  if (found !== null && found.lastMs >= (clip.standing?.lastMs ?? 0)) clip.standing = { ...found, line: clip.last }
}

/** A clip's message is another one than that which it was cut from, and always the same: imported twice it is stored once. */
function render({ events: _events, ...head }: MessageLine, events: readonly unknown[], { fromMs, toMs }: Span): string {
  const digits = createHash('sha256').update(`${head.message} ${fromMs} ${toMs}`).digest('hex')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  const message = [...parts, digits.slice(20, 32)].join('-')
  return JSON.stringify({ ...head, message, tail: message.slice(24), events })
}
