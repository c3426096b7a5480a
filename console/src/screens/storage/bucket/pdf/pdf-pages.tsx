import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../../../lib/keyboard.ts'
import { Button } from '../../../../ui/button.tsx'
import { Count } from '../../../../ui/time.tsx'
import type { Pdf, PdfProblem } from './open-pdf.ts'

const zooms = [1, 1.5, 2, 3, 4]

interface PdfPagesProps {
  readonly pdf: Pdf
  readonly name: string
  /** What is shown in place of a page that cannot be drawn. */
  readonly failure: (problem: PdfProblem) => ReactNode
}

/** One page at a time, as wide as its place or larger. */
export function PdfPages({ pdf, name, failure }: PdfPagesProps) {
  const { pageCount } = pdf
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState(0)
  const turn = (to: number) => setPage(Math.min(pageCount, Math.max(1, to)))
  const magnify = (to: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, to)))
  // As in the player of recordings; arrows scroll the page, and a dialog keeps them to itself.
  useKeys('In a PDF', [
    { keys: ',', label: 'Previous page', run: () => turn(page - 1) },
    { keys: '.', label: 'Next page', run: () => turn(page + 1) },
    { keys: '+', label: 'Larger', run: () => magnify(zoom + 1) },
    { keys: '-', label: 'Smaller', run: () => magnify(zoom - 1) },
    { keys: '0', label: 'As wide as its place', run: () => magnify(0) },
  ])
  return (
    <section aria-label={name} className="overflow-hidden rounded-control border border-line">
      <div className="flex items-center gap-1 border-line border-b p-1">
        <Button look="bare" size="icon" aria-label="Previous page" disabled={page === 1} onClick={() => turn(page - 1)}>
          <ChevronLeft aria-hidden="true" className="size-4" />
        </Button>
        <PageField key={page} page={page} pageCount={pageCount} onPage={turn} />
        <Button
          look="bare"
          size="icon"
          aria-label="Next page"
          disabled={page === pageCount}
          onClick={() => turn(page + 1)}
        >
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
        <span className="flex-1" />
        <Button look="bare" size="icon" aria-label="Smaller" disabled={zoom === 0} onClick={() => magnify(zoom - 1)}>
          <ZoomOut aria-hidden="true" className="size-4" />
        </Button>
        <Button look="bare" size="small" aria-label="Fit the width" onClick={() => magnify(0)}>
          {100 * (zooms[zoom] ?? 1)} %
        </Button>
        <Button
          look="bare"
          size="icon"
          aria-label="Larger"
          disabled={zoom === zooms.length - 1}
          onClick={() => magnify(zoom + 1)}
        >
          <ZoomIn aria-hidden="true" className="size-4" />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1) */}
      <div tabIndex={0} className="h-[min(60vh,720px)] overflow-auto bg-sunken focus-visible:-outline-offset-2">
        <PageCanvas key={`${page} ${zoom}`} {...{ pdf, page, failure }} zoom={zooms[zoom] ?? 1} />
      </div>
    </section>
  )
}

interface PageFieldProps {
  readonly page: number
  readonly pageCount: number
  readonly onPage: (page: number) => void
}

/** The page's number, which is changed by typing another. */
function PageField({ page, pageCount, onPage }: PageFieldProps) {
  const [text, setText] = useState(String(page))
  const go = () => {
    const typed = Number(text)
    if (Number.isInteger(typed) && typed >= 1) onPage(typed)
    setText(String(Number.isInteger(typed) && typed >= 1 ? Math.min(pageCount, typed) : page))
  }
  return (
    <form
      className="tabular flex items-center gap-1.5 text-ink-2"
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <input
        aria-label="Page"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={go}
        className="h-6 w-10 rounded-small border border-line bg-surface px-1 text-right text-ink"
      />
      <span>
        of <Count value={pageCount} />
      </span>
    </form>
  )
}

interface PageCanvasProps {
  readonly pdf: Pdf
  readonly page: number
  readonly zoom: number
  readonly failure: (problem: PdfProblem) => ReactNode
}

function PageCanvas({ pdf, page, zoom, failure }: PageCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<PdfProblem | 'drawing' | 'drawn'>('drawing')
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const widthPx = element.clientWidth * window.devicePixelRatio
    return pdf.draw(element, page, widthPx, (problem) => setState(problem ?? 'drawn'))
  }, [pdf, page])
  if (state !== 'drawing' && state !== 'drawn') return <div className="p-3">{failure(state)}</div>
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Page ${page} of ${pdf.pageCount}`}
      aria-busy={state === 'drawing'}
      className="block bg-white"
      style={{ width: `${100 * zoom}%` }}
    />
  )
}
