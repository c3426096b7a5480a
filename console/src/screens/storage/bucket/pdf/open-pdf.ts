import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url'

/** Why a document, or a page of it, is not drawn. */
export type PdfProblem = 'locked' | 'broken' | 'slow' | 'unreachable'

/** An open document, whose pages are read and drawn one by one. */
export interface Pdf {
  readonly pageCount: number
  /**
   * Draws a page, in its proportions. A large page is drawn coarser.
   *
   * @param number  from 1
   * @param widthPx of the canvas's own pixels
   * @param onDone  called with what came between, or without
   * @returns ends the drawing
   */
  draw(canvas: HTMLCanvasElement, number: number, widthPx: number, onDone: (problem?: PdfProblem) => void): () => void
}

GlobalWorkerOptions.workerSrc = workerUrl

/** A page or image beyond it would take hundreds of MiB of memory. */
const mostPixels = 32_000_000
/** A step that takes longer is given up: a document may be made to never end. */
const longestStepMs = 20_000

const dataUrl = new URL(`${import.meta.env.BASE_URL}assets/pdf/`, window.location.href).href

/**
 * Reads a document as far as its pages are looked at, in a worker of its own. No script of it runs, and nothing that it
 * names is fetched. The console's content policy allows neither `eval` nor WebAssembly, so decoders are plain JavaScript.
 *
 * @param onDone called once, with the document or why there is none
 * @returns closes the document, and ends its worker
 */
export function openPdf(url: string, onDone: (result: Pdf | PdfProblem) => void): () => void {
  const task = getDocument({
    url,
    // Ranges of the file, when a page needs them.
    disableStream: true,
    disableAutoFetch: true,
    useWasm: false,
    wasmUrl: `${dataUrl}wasm/`,
    cMapUrl: `${dataUrl}cmaps/`,
    standardFontDataUrl: `${dataUrl}standard_fonts/`,
    // A machine's own fonts have other widths.
    useSystemFonts: false,
    maxImageSize: mostPixels,
    verbosity: 0,
  })
  let isClosed = false
  const close = () => {
    isClosed = true
    void task.destroy()
  }
  within(longestStepMs, task.promise).then(
    (document) => !isClosed && onDone(pdfOf(document, close)),
    (error: unknown) => {
      if (isClosed) return
      close()
      onDone(problemOf(error))
    },
  )
  return close
}

/** @param close ends the worker, which a page keeps busy for ever */
const pdfOf = (document: PDFDocumentProxy, close: () => void): Pdf => ({
  pageCount: document.numPages,
  draw(canvas, number, widthPx, onDone) {
    let isEnded = false
    let cancel = () => {}
    const draw = async () => {
      const page = await document.getPage(number)
      if (isEnded) return
      const { width, height } = page.getViewport({ scale: 1 })
      const scale = Math.min(widthPx / width, Math.sqrt(mostPixels / (width * height)))
      const viewport = page.getViewport({ scale })
      canvas.width = Math.max(1, Math.floor(viewport.width))
      canvas.height = Math.max(1, Math.floor(viewport.height))
      const task = page.render({ canvas, viewport })
      cancel = () => task.cancel()
      await task.promise
      page.cleanup()
    }
    within(longestStepMs, draw()).then(
      () => !isEnded && onDone(),
      (error: unknown) => {
        if (isEnded) return
        cancel()
        const problem = problemOf(error)
        if (problem === 'slow') close()
        onDone(problem)
      },
    )
    return () => {
      isEnded = true
      cancel()
    }
  },
})

class TooSlow extends Error {}

function problemOf(error: unknown): PdfProblem {
  if (error instanceof TooSlow) return 'slow'
  // pdf.js names its errors; those of its worker are of no class.
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return 'locked'
  return name === 'ResponseException' ? 'unreachable' : 'broken'
}

/** Fails with `TooSlow` when a promise takes longer, not counting the time in which nothing is drawn: a hidden page's. */
async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: number | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const wait = () => {
      timer = window.setTimeout(() => (document.hidden ? wait() : reject(new TooSlow())), limitMs)
    }
    wait()
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    window.clearTimeout(timer)
  }
}
