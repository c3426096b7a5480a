import { barHeight, type Mark, TRACK_GAP_PX, TRACK_PX, type Track, toX } from './marks.ts'

interface Picture {
  readonly tracks: readonly Track[]
  readonly durationMs: number
  readonly width: number
  /** Only the marks of this cause, lit, to be laid over the others; absent: all marks, unlit. */
  readonly lit?: string | undefined
}

interface Ink {
  readonly ink: string
  readonly ink2: string
  readonly ink3: string
  readonly line: string
  readonly thread: string
  readonly wash: string
  readonly ok: string
  readonly warn: string
  readonly danger: string
  readonly info: string
}

/** Paints all tracks at once: ten thousand marks are one picture, not ten thousand elements. */
export function paintTracks(canvas: HTMLCanvasElement, picture: Picture): void {
  const { tracks, durationMs, width } = picture
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = window.devicePixelRatio || 1
  const height = tracks.length * (TRACK_PX + TRACK_GAP_PX) - TRACK_GAP_PX
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const ink = readInk(canvas)
  const onlyLit = 'lit' in picture
  tracks.forEach((track, index) => {
    context.save()
    context.translate(0, index * (TRACK_PX + TRACK_GAP_PX))
    if (!onlyLit && track.marks.every((mark) => mark.untilMs === undefined)) {
      context.fillStyle = ink.line
      context.fillRect(0, TRACK_PX / 2, width, 1)
    }
    const places = placeMarks(track.marks, durationMs, width)
    track.marks.forEach((mark, at) => {
      if (onlyLit && (mark.cause !== picture.lit || mark.untilMs !== undefined)) return
      paintMark(context, mark, ink, places[at] ?? 0, durationMs, width, onlyLit)
    })
    context.restore()
  })
}

/** Where each mark is drawn: a row's fate that would hide another one's stands beside it, up to three abreast. */
function placeMarks(marks: readonly Mark[], durationMs: number, width: number): readonly number[] {
  let taken = Number.NEGATIVE_INFINITY
  let abreast = 0
  return marks.map(({ look, atMs }) => {
    const x = Math.min(toX(atMs, durationMs, width), width - 3)
    if (look !== 'plus' && look !== 'tilde' && look !== 'minus') return x
    abreast = x < taken + 4 && abreast < 2 ? abreast + 1 : 0
    taken = abreast > 0 ? taken + 4 : x
    return taken
  })
}

function readInk(canvas: HTMLCanvasElement): Ink {
  const style = getComputedStyle(canvas)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#8f8b84'
  return {
    ink: read('ink'),
    ink2: read('ink-2'),
    ink3: read('ink-3'),
    line: read('line'),
    thread: read('thread'),
    wash: read('thread-wash'),
    ok: read('ok'),
    warn: read('warn'),
    danger: read('danger'),
    info: read('info'),
  }
}

function paintMark(
  context: CanvasRenderingContext2D,
  mark: Mark,
  ink: Ink,
  x: number,
  durationMs: number,
  width: number,
  lit: boolean,
): void {
  const until = toX(mark.untilMs ?? mark.atMs, durationMs, width)
  switch (mark.look) {
    case 'segment':
      paintSegment(context, mark, ink, x, Math.max(2, until - x - 2))
      break
    case 'gap':
      paintHatch(context, ink, x, Math.max(2, until - x - 2))
      break
    case 'dot':
      if (lit) disc(context, ink.wash, x, 6)
      disc(context, lit ? ink.thread : ink.ink3, x, 3)
      break
    case 'bar': {
      const height = barHeight(mark.durationMs ?? 0)
      context.globalAlpha = mark.bad || lit ? 1 : 0.65
      box(context, mark.bad ? ink.danger : lit ? ink.thread : ink.info, x, TRACK_PX - 2 - height, 5, height, 1)
      context.globalAlpha = 1
      break
    }
    case 'plus':
      box(context, ink.ok, x, 2, 3, 12, 1.5)
      break
    case 'tilde':
      box(context, ink.warn, x, 2, 3, 12, 1.5)
      break
    case 'minus':
      box(context, ink.danger, x, 2, 3, 12, 1.5)
      break
    case 'triangle':
      context.fillStyle = ink.danger
      context.beginPath()
      context.moveTo(x - 5, 11)
      context.lineTo(x, 5)
      context.lineTo(x + 5, 11)
      context.fill()
      break
    default:
      mark.look satisfies never
  }
}

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
  if (width < 24) return
  context.save()
  context.beginPath()
  context.rect(x, 0, width - 3, TRACK_PX)
  context.clip()
  context.fillStyle = ink.ink2
  context.font = '11px "Inter Variable", Inter, system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.fillText(mark.label, x + 6, 8.5)
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
