import { PreviewCard } from '@base-ui/react/preview-card'
import { lazy, type ReactElement, Suspense } from 'react'

const SessionPicture = lazy(() => import('./session-picture.tsx'))

interface WithPictureProps {
  readonly id: string
  /** The link that the picture belongs to. */
  readonly link: ReactElement
}

/** Long enough that a pointer on its way across the list asks for nothing. */
const delayMs = 350

/**
 * A link to a session that shows its first page, small, while it is pointed at or has the keyboard. A picture is a full snapshot of
 * a page, some hundred kilobytes and a frame of its own: those of all rows in sight would cost more than the list, which is
 * why one is drawn at a time, and only when it is asked for.
 */
export function WithPicture({ id, link }: WithPictureProps) {
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger delay={delayMs} render={link} />
      <PreviewCard.Portal>
        <PreviewCard.Positioner side="bottom" align="start" sideOffset={6} className="z-50">
          <PreviewCard.Popup className="overflow-hidden rounded-float border border-line bg-surface shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Suspense fallback={<div className="h-[200px] w-[320px] bg-sunken" />}>
              <SessionPicture id={id} />
            </Suspense>
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  )
}

/** Whether the reader asks for few data: pictures are left out then. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true || window.matchMedia?.('(prefers-reduced-data: reduce)').matches === true
}
