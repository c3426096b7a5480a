import { useEffect, useState } from 'react'
import { SkeletonRows } from '../../../../ui/skeleton.tsx'
import { openPdf, type Pdf, type PdfProblem } from './open-pdf.ts'
import { PdfPages } from './pdf-pages.tsx'

interface PdfPreviewProps {
  /** Of the console's own origin. */
  readonly url: string
  readonly name: string
}

/** A PDF, page by page. */
export function PdfPreview({ url, name }: PdfPreviewProps) {
  const [opened, setOpened] = useState<Pdf | PdfProblem>()
  useEffect(() => openPdf(url, setOpened), [url])
  if (opened === undefined) return <SkeletonRows rows={4} />
  if (typeof opened === 'string') return <PdfFailure problem={opened} url={url} />
  return <PdfPages pdf={opened} name={name} failure={(problem) => <PdfFailure problem={problem} url={url} />} />
}

const failures: Readonly<Record<PdfProblem, string>> = {
  locked: 'The document asks for a password.',
  broken: 'The file is no PDF, or it is damaged.',
  slow: 'The document takes too long to draw.',
  unreachable: 'The file could not be read.',
}

function PdfFailure({ problem, url }: { readonly problem: PdfProblem; readonly url: string }) {
  return (
    <p role="alert" className="text-ink-2">
      {failures[problem]} The browser may show more of it{' '}
      <a href={url} target="_blank" rel="noreferrer" className="quiet-link">
        in a tab of its own
      </a>
      .
    </p>
  )
}
