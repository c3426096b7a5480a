import type { Cell } from '../heat-data.ts'

/** The page's size, and how many pixels of the drawing one of its pixels takes. */
export interface HeatSize {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** How far a position glows, in pixels of the page. */
const glowPx = 26
const smallestGlowPx = 8
/** The coolest cell is still seen. */
const leastHeat = 0.12

/** From cool to hot; readers who see no difference between the colours see how much they cover. */
const ramp = [
  ['--series-1', 0],
  ['--series-3', 0.35],
  ['--series-5', 0.65],
  ['--series-2', 1],
] as const

/** Draws cells as heat: the hottest in the ramp's last colour. What is below the canvas is left out. */
export function drawHeat(canvas: HTMLCanvasElement, cells: readonly Cell[], { width, height, scale }: HeatSize): void {
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || cells.length === 0) return
  const radius = Math.max(smallestGlowPx, glowPx * scale)
  const stamp = drawStamp(radius)
  const most = Math.max(...cells.slice(0, 1).map(({ points }) => points), 1)
  for (const { fromX, toX, fromY, toY, points } of cells) {
    const x = ((fromX + toX) / 2) * width * scale
    const y = ((fromY + toY) / 2) * scale
    // By its root: where one place has nearly all, the others are still to be seen.
    context.globalAlpha = Math.max(leastHeat, Math.sqrt(points / most))
    context.drawImage(stamp, x - radius, y - radius)
  }
  colour(context, canvas)
}

/** A disc whose middle is opaque. */
function drawStamp(radius: number): HTMLCanvasElement {
  const stamp = document.createElement('canvas')
  stamp.width = Math.ceil(radius * 2)
  stamp.height = Math.ceil(radius * 2)
  const context = stamp.getContext('2d')
  if (!context) return stamp
  const gradient = context.createRadialGradient(radius, radius, 0, radius, radius, radius)
  gradient.addColorStop(0, 'rgb(0 0 0 / 1)')
  gradient.addColorStop(0.4, 'rgb(0 0 0 / 0.5)')
  gradient.addColorStop(1, 'rgb(0 0 0 / 0)')
  context.fillStyle = gradient
  context.fillRect(0, 0, stamp.width, stamp.height)
  return stamp
}

/** Gives each pixel the colour of its heat, which is how opaque it is. */
function colour(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement): void {
  const colours = readRamp()
  if (colours === null) return
  const image = context.getImageData(0, 0, canvas.width, canvas.height)
  const { data } = image
  for (let at = 0; at < data.length; at += 4) {
    const heat = data[at + 3] ?? 0
    if (heat === 0) continue
    data[at] = colours[heat * 4] ?? 0
    data[at + 1] = colours[heat * 4 + 1] ?? 0
    data[at + 2] = colours[heat * 4 + 2] ?? 0
    data[at + 3] = Math.min(220, 60 + heat * 0.7)
  }
  context.putImageData(image, 0, 0)
}

/** The ramp's colours of 256 heats, four bytes each. */
function readRamp(): Uint8ClampedArray | null {
  const canvas = document.createElement('canvas')
  canvas.width = 256
  canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return null
  const tokens = getComputedStyle(document.documentElement)
  const gradient = context.createLinearGradient(0, 0, 256, 0)
  for (const [token, at] of ramp) gradient.addColorStop(at, tokens.getPropertyValue(token).trim() || '#c8553d')
  context.fillStyle = gradient
  context.fillRect(0, 0, 256, 1)
  return context.getImageData(0, 0, 256, 1).data
}

const pictureWidth = 960
const headHeight = 56
const margin = 24
/** Pixels of the page: browsers draw no canvas of any height. */
export const tallestPx = 12_000

/** A heat map as a PNG file: its title, and the heat over the outline of the page. */
export async function drawHeatPicture(
  title: string,
  note: string,
  cells: readonly Cell[],
  page: Pick<HeatSize, 'width' | 'height'>,
): Promise<Blob> {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string): string => tokens.getPropertyValue(name).trim()
  const scale = (pictureWidth - 2 * margin) / page.width
  const heat = document.createElement('canvas')
  drawHeat(heat, cells, { ...page, height: Math.min(page.height, tallestPx), scale })
  const canvas = document.createElement('canvas')
  canvas.width = pictureWidth
  canvas.height = heat.height + headHeight + margin
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no canvas to draw on.')
  context.fillStyle = token('--paper')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  context.fillStyle = token('--ink')
  context.font = `600 15px ${token('--font-sans')}`
  context.fillText(title, margin, 12, pictureWidth - 2 * margin)
  context.fillStyle = token('--ink-2')
  context.font = `12px ${token('--font-sans')}`
  context.fillText(note, margin, 34, pictureWidth - 2 * margin)
  context.fillStyle = token('--surface')
  context.fillRect(margin, headHeight, heat.width, heat.height)
  context.drawImage(heat, margin, headHeight)
  context.strokeStyle = token('--line')
  context.strokeRect(margin + 0.5, headHeight + 0.5, heat.width - 1, heat.height - 1)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser made no picture of it.')) : resolve(blob)),
      'image/png',
    ),
  )
}
