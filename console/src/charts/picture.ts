import UPlot from 'uplot'
import { type ChartData, type ChartShape, colourOf, drawnSeries, stackedData } from './chart-data.ts'
import { planPlot } from './plot-options.ts'

interface Pictured {
  readonly title: string
  readonly data: ChartData
  readonly shape: ChartShape
}

/** In CSS pixels; the file has `pixelRatio` times as many. */
const size = { width: 960, height: 480 }
const pixelRatio = 2
const margin = 24
const headHeight = 64
const legendHeight = 48

/** A chart as a PNG file for a page or a message: its title, its time, its axes and its legend in the present theme. */
export async function drawPicture({ title, data, shape }: Pictured): Promise<Blob> {
  const tokens = getComputedStyle(document.documentElement)
  const colour = (token: string): string => tokens.getPropertyValue(token).trim()
  const plot = await drawPlot(shape === 'stacked' ? stackedData(data) : data, shape, colour)
  const canvas = document.createElement('canvas')
  canvas.width = size.width * pixelRatio
  canvas.height = size.height * pixelRatio
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser has no canvas to draw on.')
  context.scale(pixelRatio, pixelRatio)
  context.fillStyle = colour('--paper')
  context.fillRect(0, 0, size.width, size.height)
  drawHead(context, title, data, colour)
  context.drawImage(plot, margin, headHeight, plotSize.width, plotSize.height)
  drawLegend(context, data, colour)
  return await new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser made no picture of it.')) : resolve(blob)),
      'image/png',
    ),
  )
}

const plotSize = { width: size.width - 2 * margin, height: size.height - headHeight - legendHeight }

/** Draws outside the page; uPlot multiplies all sizes with the screen's ratio, a file has its own. */
function drawPlot(data: ChartData, shape: ChartShape, colour: (token: string) => string) {
  const scale = pixelRatio / devicePixelRatio
  return new Promise<HTMLCanvasElement>((resolve) => {
    const plot = new UPlot(
      {
        ...planPlot({ data, shape, colour, scale }),
        ...{ width: plotSize.width * scale, height: plotSize.height * scale, legend: { show: false } },
        // The label of a last tick at the edge is as wide as this on either side.
        padding: [16 * scale, 24 * scale, 0, 0],
        hooks: {
          draw: [
            ({ ctx }) => {
              resolve(ctx.canvas)
              queueMicrotask(() => plot.destroy())
            },
          ],
        },
      },
      [[...data.xs], ...drawnSeries(data).map(({ values }) => [...values])],
    )
  })
}

const exacts = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The title, and below it the time that the chart is of, in the viewer's zone. */
function drawHead(
  context: CanvasRenderingContext2D,
  title: string,
  { isTime, xs, along }: ChartData,
  colour: (token: string) => string,
): void {
  const [first, last] = [xs[0], xs.at(-1)]
  const width = size.width - 2 * margin
  context.textBaseline = 'top'
  context.fillStyle = colour('--ink')
  context.font = `600 15px ${colour('--font-sans')}`
  context.fillText(title, margin, 18, width)
  context.fillStyle = colour('--ink-2')
  context.font = `12px ${colour('--font-sans')}`
  const below =
    isTime && first !== undefined && last !== undefined
      ? `${exacts.formatRange(new Date(first * 1000), new Date(last * 1000))}, ${exacts.resolvedOptions().timeZone}`
      : `By ${along}`
  context.fillText(below, margin, 40, width)
}

function drawLegend(context: CanvasRenderingContext2D, data: ChartData, colour: (token: string) => string): void {
  context.font = `12px ${colour('--font-sans')}`
  context.textBaseline = 'middle'
  const y = size.height - legendHeight / 2
  const drawn = drawnSeries(data)
  const widest = (size.width - 2 * margin) / drawn.length - 32
  let x = margin
  for (const [index, series] of drawn.entries()) {
    context.fillStyle = colour(colourOf(series, index))
    context.fillRect(x, y - 5, 10, 10)
    context.fillStyle = colour('--ink')
    context.fillText(series.name, x + 16, y, widest)
    x += 32 + Math.min(widest, context.measureText(series.name).width)
  }
}
