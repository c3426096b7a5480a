import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { StorageObject } from '../../../lib/api/schemas.ts'
import { Code } from '../../../ui/code.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { contentUrl, textQuery, thumbnailUrl } from './queries.ts'

// pdf.js is larger than all the rest of the console: it comes with the first PDF.
const PdfPreview = lazy(async () => ({ default: (await import('./pdf/pdf-preview.tsx')).PdfPreview }))

/** How an object looks or sounds; nothing for a type that is only downloaded. */
export function ObjectPreview({ object }: { readonly object: StorageObject }) {
  const { bucketId, key, preview, etag } = object
  // A replaced object has another address, so that no old picture is shown.
  const url = contentUrl(bucketId, key, { v: etag ?? object.updatedAt })
  const box = 'max-h-80 w-full rounded-control border border-line bg-sunken object-contain'
  if (preview === 'image') return <ImagePreview object={object} className={box} />
  // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
  if (preview === 'video') return <video src={url} controls preload="metadata" aria-label={key} className={box} />
  // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
  if (preview === 'audio') return <audio src={url} controls preload="metadata" aria-label={key} className="w-full" />
  if (preview === 'pdf')
    return (
      <Suspense fallback={<SkeletonRows rows={4} />}>
        <PdfPreview url={url} name={key} />
      </Suspense>
    )
  if (preview === 'text') return <TextPreview object={object} />
  return null
}

/** An image up to this size is shown itself, so that it moves where it is animated. */
const largestShownBytes = 1_000_000

interface ImagePreviewProps {
  readonly object: StorageObject
  readonly className: string
}

/** A larger image is made smaller by the server; where it does not, the image is a press away. */
function ImagePreview({ object: { bucketId, key, sizeBytes, etag, updatedAt }, className }: ImagePreviewProps) {
  const [isMissing, setMissing] = useState(false)
  const version = { v: etag ?? updatedAt }
  if (isMissing) return <p className="text-ink-2">There is no preview: the image is too large for one, or damaged.</p>
  const isSmall = (sizeBytes ?? 0) <= largestShownBytes
  const url = isSmall
    ? contentUrl(bucketId, key, version)
    : thumbnailUrl(bucketId, key, { size: 'preview', ...version })
  return <img src={url} alt={`Preview of ${key}`} onError={() => setMissing(true)} className={className} />
}

function TextPreview({ object: { bucketId, key, etag, updatedAt } }: { readonly object: StorageObject }) {
  const { data } = useQuery(textQuery(bucketId, key, etag ?? updatedAt))
  return data === undefined ? <SkeletonRows rows={4} /> : <Code text={data} className="max-h-80 overflow-y-auto" />
}
