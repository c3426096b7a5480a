interface PdfParts {
  readonly pageCount: number
  /** Entries of the catalog, the document's root. */
  readonly catalog?: string
  /** Entries of the trailer. */
  readonly trailer?: string
  /** What stands on a page, in operators of PDF; its number otherwise. */
  readonly content?: (page: number) => string
}

/** A document of US-letter pages, each with a coloured square and its number (ISO 32000-1 §7.5). */
export function createPdf({ pageCount, catalog = '', trailer = '', content = numbered }: PdfParts): string {
  const pages = Array.from({ length: pageCount }, (_, index) => index)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pageCount} /Kids [${pages.map((page) => `${4 + 2 * page} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page) => {
      const stream = content(page + 1)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`
}

/** Odd pages have a red square, even ones a blue one, in the middle. */
const numbered = (page: number): string =>
  `${page % 2 === 1 ? '1 0 0' : '0 0 1'} rg 206 296 200 200 re f 0 g BT /F 48 Tf 72 700 Td (Page ${page}) Tj ET`

/** Entries of a trailer that say that a password, which nobody has, opens the document (ISO 32000-1 §7.6.3). */
export const lockedTrailer = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`
