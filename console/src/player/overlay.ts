import type { PointerView } from './pointer.ts'

/** How the recorded page lies in the canvas: pixels of the canvas for one of the page. */
interface Fit {
  readonly scale: number
  readonly width: number
  readonly height: number
}

/** Draws cursor, trail and click rings over the page. The canvas is as large as the page is shown. */
export function drawPointer(canvas: HTMLCanvasElement, view: PointerView, { scale, width, height }: Fit): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = window.devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const thread = getComputedStyle(canvas).getPropertyValue('--thread') || '#d9381e'
  context.strokeStyle = thread
  context.lineCap = 'round'
  view.trail.forEach((point, index) => {
    const before = view.trail[index - 1]
    if (!before) return
    context.globalAlpha = 0.55 * (1 - point.age)
    context.lineWidth = 2
    context.beginPath()
    context.moveTo(before.x * scale, before.y * scale)
    context.lineTo(point.x * scale, point.y * scale)
    context.stroke()
  })
  for (const ring of view.rings) drawRing(context, ring.x * scale, ring.y * scale, ring.age, thread)
  context.globalAlpha = 1
  if (view.cursor) drawArrow(context, view.cursor.x * scale, view.cursor.y * scale)
}

function drawRing(context: CanvasRenderingContext2D, x: number, y: number, age: number, colour: string): void {
  const radius = 14 + age * 8
  context.globalAlpha = 0.18 * (1 - age)
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius + 6, 0, Math.PI * 2)
  context.fill()
  context.globalAlpha = 1 - age
  context.lineWidth = 2
  context.strokeStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
  context.stroke()
}

/** An arrow whose tip is at x, y; dark with a light edge, to be seen on any page. */
function drawArrow(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.save()
  context.translate(x, y)
  context.beginPath()
  context.moveTo(0, 0)
  for (const [px, py] of [
    [0, 15],
    [3.6, 11.8],
    [6, 17],
    [8.4, 15.9],
    [6.1, 10.9],
    [10.8, 10.6],
  ] as const)
    context.lineTo(px, py)
  context.closePath()
  context.lineJoin = 'round'
  context.strokeStyle = '#ffffff'
  context.lineWidth = 2
  context.stroke()
  context.fillStyle = '#1b1a18'
  context.fill()
  context.restore()
}
