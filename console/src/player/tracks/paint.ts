import type { Axis } from './axis/axis.ts'
import { barHeight, type Mark, type MarkLook, TRACK_GAP_PX, TRACK_PX, tracksHeight } from './marks.ts'
import { CLUSTER_PX, type Placed } from './placing.ts'

interface Picture {
  readonly tracks: readonly PlacedTrack[]
  readonly axis: Axis
  /** Only the marks of this cause, lit, to be laid over the others; absent: all marks, unlit. */
  readonly lit?: string | undefined
}

/** A track with its marks at their places. */
export interface PlacedTrack {
  readonly id: string
  readonly placed: readonly Placed[]
}

interface Ink {
  readonly ink: string
  readonly ink2: string
  readonly ink3: string
  readonly line: string
  readonly sunken: string
  readonly thread: string
  readonly wash: string
  readonly ok: string
  readonly warn: string
  readonly danger: string
  readonly info: string
}

/** Paints all tracks at once: ten thousand marks are one picture, not ten thousand elements. */
export function paintTracks(canvas: HTMLCanvasElement, picture: Picture): void {
  const { tracks, axis } = picture
  const height = tracksHeight(tracks.length)
  const context = canvas.getContext('2d')
  if (!context) return
  scaleTo(canvas, context, axis.width, height)
  const ink = readInk(canvas)
  const onlyLit = 'lit' in picture
  if (!onlyLit) paintBreaks(context, axis, ink, height)
  tracks.forEach(({ placed }, index) => {
    context.save()
    context.translate(0, index * (TRACK_PX + TRACK_GAP_PX))
    if (!onlyLit && placed.every(({ mark }) => mark.untilMs === undefined)) paintLine(context, axis, ink)
    for (const one of placed) {
      if (!onlyLit) paintPlaced(context, one, ink, false)
      else if (isLit(one, picture.lit)) paintPlaced(context, litPart(one, picture.lit), ink, true)
    }
    context.restore()
  })
}

const isLit = ({ mark, cluster }: Placed, lit: string | undefined): boolean =>
  cluster.length > 0
    ? cluster.some((point) => point.mark.cause === lit)
    : mark.cause === lit && mark.untilMs === undefined

/** Bars of a cluster are lit one by one; where there is a count, it is the count that is lit. */
const litPart = (placed: Placed, lit: string | undefined): Placed =>
  placed.mark.look === 'bar'
    ? { ...placed, cluster: placed.cluster.filter((point) => point.mark.cause === lit) }
    : placed

/** Fits a canvas' picture to its size, in the screen's pixels, and empties it. */
export function scaleTo(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number) {
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
}

/** Breaks run through all tracks: what is left and right of them is far apart. */
function paintBreaks(context: CanvasRenderingContext2D, axis: Axis, ink: Ink, height: number): void {
  for (const { fromPx, toPx, isBreak } of axis.pieces) {
    const x = fromPx - axis.offsetPx
    const width = toPx - fromPx
    if (!isBreak || x > axis.width || x + width < 0) continue
    context.fillStyle = ink.sunken
    context.fillRect(x, -TRACK_GAP_PX, width, height + TRACK_GAP_PX * 2)
    context.fillStyle = ink.line
    context.fillRect(x, 0, 1, height)
    context.fillRect(x + width - 1, 0, 1, height)
  }
}

/** The line on which points stand; breaks interrupt it. */
function paintLine(context: CanvasRenderingContext2D, axis: Axis, ink: Ink): void {
  context.fillStyle = ink.line
  for (const { fromPx, toPx, isBreak } of axis.pieces) {
    if (!isBreak) context.fillRect(fromPx - axis.offsetPx, TRACK_PX / 2, toPx - fromPx, 1)
  }
}

function readInk(canvas: HTMLCanvasElement): Ink {
  const style = getComputedStyle(canvas)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#8f8b84'
  return {
    ink: read('ink'),
    ink2: read('ink-2'),
    ink3: read('ink-3'),
    line: read('line'),
    sunken: read('sunken'),
    thread: read('thread'),
    wash: read('thread-wash'),
    ok: read('ok'),
    warn: read('warn'),
    danger: read('danger'),
    info: read('info'),
  }
}

function paintPlaced(context: CanvasRenderingContext2D, placed: Placed, ink: Ink, lit: boolean): void {
  const { mark, x, width, cluster } = placed
  if (cluster.length > 0) {
    if (mark.look === 'bar') paintBars(context, placed, ink, lit)
    else paintCount(context, placed, ink, lit)
  } else if (mark.look === 'segment') paintSegment(context, mark, ink, x, width)
  else if (mark.look === 'gap') paintHatch(context, ink, x, width)
  else paintPoint(context, mark, ink, x, lit)
}

function paintPoint(context: CanvasRenderingContext2D, mark: Mark, ink: Ink, x: number, lit: boolean): void {
  switch (mark.look) {
    case 'dot':
      if (lit) disc(context, ink.wash, x, 6)
      disc(context, lit ? ink.thread : ink.ink3, x, 3)
      break
    case 'bar':
      bar(context, ink, { x, height: barHeight(mark.durationMs ?? 0), bad: mark.bad === true, lit })
      break
    case 'plus':
    case 'tilde':
    case 'minus':
      box(context, ink[fates[mark.look]], x, 2, 3, 12, 1.5)
      break
    case 'triangle':
      context.fillStyle = ink.danger
      context.beginPath()
      context.moveTo(x - 5, 11)
      context.lineTo(x, 5)
      context.lineTo(x + 5, 11)
      context.fill()
      break
    case 'flag':
      box(context, lit ? ink.thread : ink.ink2, x, 2, 1.5, 12, 0)
      box(context, lit ? ink.thread : ink.ink2, x, 2, 8, 6, 1)
      break
    case 'segment':
    case 'gap':
      break
    default:
      mark.look satisfies never
  }
}

const fates = { plus: 'ok', tilde: 'warn', minus: 'danger' } as const
const BAR_PX = 5

/** Requests that stand close together: of each bar's width the longest, and whether one of them failed. */
function paintBars(context: CanvasRenderingContext2D, { x, cluster }: Placed, ink: Ink, lit: boolean): void {
  const slots = new Map<number, { height: number; bad: boolean }>()
  for (const point of cluster) {
    const slot = Math.min(Math.floor((point.x - x) / (BAR_PX + 0.5)), 3)
    const height = barHeight(point.mark.durationMs ?? 0)
    const known = slots.get(slot)
    slots.set(slot, {
      height: Math.max(height, known?.height ?? 0),
      bad: point.mark.bad === true || known?.bad === true,
    })
  }
  for (const [slot, look] of slots) bar(context, ink, { x: x + slot * (BAR_PX + 0.5), ...look, lit })
}

interface Bar {
  readonly x: number
  readonly height: number
  readonly bad: boolean
  readonly lit: boolean
}

function bar(context: CanvasRenderingContext2D, ink: Ink, { x, height, bad, lit }: Bar): void {
  context.globalAlpha = bad || lit ? 1 : 0.65
  box(context, bad ? ink.danger : lit ? ink.thread : ink.info, x, TRACK_PX - 2 - height, BAR_PX, height, 1)
  context.globalAlpha = 1
}

/** A cluster: how many points it holds, above what became of its rows. */
function paintCount(context: CanvasRenderingContext2D, { mark, x, cluster }: Placed, ink: Ink, lit: boolean): void {
  context.globalAlpha = lit ? 1 : Math.min(0.2, 0.07 + cluster.length / 400)
  box(context, lit ? ink.wash : ink.ink, x, 1, CLUSTER_PX - 2, 14, 4)
  context.globalAlpha = 1
  context.fillStyle = lit ? ink.thread : mark.look === 'triangle' ? ink.danger : ink.ink2
  context.font = '10px "Inter Variable", Inter, system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  const count = cluster.length > 999 ? '999+' : String(cluster.length)
  context.fillText(count, x + CLUSTER_PX / 2 - 1, TRACK_PX / 2 + 0.5)
  context.textAlign = 'start'
  if (mark.look === 'dot' || mark.look === 'triangle' || mark.look === 'flag') return
  let left = x + 2
  for (const look of ['plus', 'tilde', 'minus'] as const) {
    const width = (countOf(cluster, look) / cluster.length) * (CLUSTER_PX - 6)
    box(context, ink[fates[look]], left, 14, width, 2, 0)
    left += width
  }
}

const countOf = (cluster: Placed['cluster'], look: MarkLook): number =>
  cluster.filter(({ mark }) => mark.look === look).length

function box(context: CanvasRenderingContext2D, colour: string, x: number, y: number, w: number, h: number, r: number) {
  context.fillStyle = colour
  context.beginPath()
  context.roundRect(x, y, w, h, r)
  context.fill()
}

function disc(context: CanvasRenderingContext2D, colour: string, x: number, radius: number): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, TRACK_PX / 2 + 0.5, radius, 0, Math.PI * 2)
  context.fill()
}

function paintSegment(context: CanvasRenderingContext2D, mark: Mark, ink: Ink, x: number, width: number): void {
  context.globalAlpha = 0.09
  box(context, ink.ink, x, 3, width, 10, 3)
  context.globalAlpha = 1
  if (x + width < 24 || width < 24) return
  context.save()
  context.beginPath()
  context.rect(x, 0, width - 3, TRACK_PX)
  context.clip()
  context.fillStyle = ink.ink2
  context.font = '11px "Inter Variable", Inter, system-ui, sans-serif'
  context.textBaseline = 'middle'
  // The label of a page that began before what is seen stands at the left end.
  context.fillText(mark.label, Math.max(0, x) + 6, 8.5)
  context.restore()
}

function paintHatch(context: CanvasRenderingContext2D, ink: Ink, x: number, width: number): void {
  context.clearRect(x - 2, 0, width + 4, TRACK_PX)
  context.save()
  context.beginPath()
  context.rect(x, 0, width, TRACK_PX)
  context.clip()
  context.strokeStyle = ink.line
  context.lineWidth = 1
  context.beginPath()
  for (let left = x - TRACK_PX; left < x + width; left += 7) {
    context.moveTo(left, TRACK_PX)
    context.lineTo(left + TRACK_PX, 0)
  }
  context.stroke()
  context.restore()
}
